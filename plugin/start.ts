/**
 * Starts the plugin on a supported Node only, and says so on others. The bundle keeps this file apart from the others,
 * which an old Node can't parse.
 */
// An old Node doesn't know `node:module`.
import { enableCompileCache } from "module";
import { nodeProblem } from "../provider/nodeVersion";

declare module "module" {
  /** Since Node 22. */
  const enableCompileCache: (() => unknown) | undefined;
}

const problem = nodeProblem();

if (problem !== undefined) {
  // An old Node can't parse what prints notices otherwise.
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

// Node keeps what it compiles of the bundle for the next start, in its folder for temporary files.
if (enableCompileCache) enableCompileCache();

// eslint-disable-next-line @typescript-eslint/no-require-imports -- An import would be loaded before the check.
require("./main");
