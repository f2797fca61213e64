/** Ends the command with one clear line on a Node that is too old. Imported before what such a Node can't load. */
import { nodeProblem } from "../provider/nodeVersion";

const problem = nodeProblem();

if (problem !== undefined) {
  console.error(problem);
  process.exit(2);
}
