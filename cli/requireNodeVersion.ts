/**
 * Exits with an error on an unsupported version of Node. `monitoring.ts` imports this file first, because an old Node may not load other
 * modules.
 */
import { checkNodeVersion } from "../provider/nodeVersion";
import { exitCodes } from "./exitCodes";

const problem = checkNodeVersion();

if (problem !== undefined) {
  console.error(problem);
  process.exit(exitCodes.invalid);
}
