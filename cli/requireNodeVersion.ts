/** Ends the command line with its exit code for an error on an unsupported Node. Imported first: other modules may not load there. */
import { nodeProblem } from "../provider/nodeVersion";
import { exitCodes } from "./exitCodes";

const problem = nodeProblem();

if (problem !== undefined) {
  console.error(problem);
  process.exit(exitCodes.invalid);
}
