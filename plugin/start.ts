/**
 * Starts the plugin on a supported Node only, and says so on others. The bundle keeps this file apart from the others,
 * which an old Node can't parse.
 */
import { nodeProblem } from "../provider/nodeVersion";
import { notice } from "../provider/notice";

const problem = nodeProblem();

if (problem !== undefined) {
  notice(problem);
  process.exit(1);
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- An import would be loaded before the check.
require("./load");
