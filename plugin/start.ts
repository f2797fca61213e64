/**
 * Starts the plugin if this version of Node is supported, and prints an error otherwise. In the bundle, this file is separate from the
 * rest, because an old Node can't parse the rest.
 */
// An old Node doesn't support `node:module`.
import { enableCompileCache } from "module";
import { checkNodeVersion } from "../provider/nodeVersion";

declare module "module" {
  /** Available since Node 22. */
  export const enableCompileCache: (() => unknown) | undefined;
}

const problem = checkNodeVersion();

if (problem !== undefined) {
  // An old Node can't parse the module that usually prints notices.
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

// Node caches the compiled bundle in its directory for temporary files, so that the next start is faster.
if (enableCompileCache) enableCompileCache();

// oxlint-disable-next-line typescript/no-require-imports -- An import would be loaded before the check.
require("./main");
