/** Fails with one clear line on an unsupported Node.js version. */
import { nodeProblem } from "../provider/machine/nodeVersion";
import { withoutStack } from "./logErrors";

const problem = nodeProblem();

if (problem !== undefined) throw withoutStack(new Error(problem));
