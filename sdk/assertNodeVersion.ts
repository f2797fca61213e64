/** Fails a program with a one-line error on an unsupported Node. Throws the error, because a package must not end its user's process. */
import { withoutStack } from "../provider/engine";
import { nodeProblem } from "../provider/nodeVersion";

const problem = nodeProblem();

if (problem !== undefined) throw withoutStack(new Error(problem));
