/** Fails a program with a one-line error on an unsupported Node. Throws the error, because a package must not end its user's process. */
import { removeStack } from "../provider/engine";
import { checkNodeVersion } from "../provider/nodeVersion";

const problem = checkNodeVersion();

if (problem !== undefined) throw removeStack(new Error(problem));
