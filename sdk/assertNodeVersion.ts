/** Fails a program with one line on an unsupported Node. It throws: a package never ends the process of its user. */
import { withoutStack } from "../provider/engine";
import { nodeProblem } from "../provider/nodeVersion";

const problem = nodeProblem();

if (problem !== undefined) throw withoutStack(new Error(problem));
