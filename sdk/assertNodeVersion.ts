/** Fails a program with one clear line on an unsupported Node. It throws: a package never ends the process of its user. */
import { nodeProblem } from "../provider/machine/nodeVersion";
import { withoutStack } from "../provider/engine/withoutStack";

const problem = nodeProblem();

if (problem !== undefined) throw withoutStack(new Error(problem));
