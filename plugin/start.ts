/**
 * Starts the plugin on a supported Node, and prints an error on any other. The bundle keeps this file apart from the rest, which an
 * old Node can't parse.
 */
// An old Node doesn't know `node:module`.
import { enableCompileCache } from "module";
import { nodeProblem } from "../provider/nodeVersion";

declare module "module" {
  /** Since Node 22. */
  export const enableCompileCache: (() => unknown) | undefined;
}

const problem = nodeProblem();

if (problem !== undefined) {
  // An old Node can't parse the module that usually prints notices.
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

// Node caches the compiled bundle in its folder for temporary files, which speeds up the next start.
if (enableCompileCache) enableCompileCache();

// oxlint-disable-next-line typescript/no-require-imports -- An import would be loaded before the check.
require("./main");
