/** Fails a program with one clear line on an unsupported Node. It throws: a package never ends the process of its user. */
import { nodeProblem } from "../provider/nodeVersion";
import { withoutStack } from "../provider/engine";

const problem = nodeProblem();

if (problem !== undefined) throw withoutStack(new Error(problem));
