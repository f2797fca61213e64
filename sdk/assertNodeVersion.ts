/** Ends a program with one clear line on a Node that is too old, before it fails in the middle of its work. */
import { nodeProblem } from "../provider/nodeVersion";
import { withoutStack } from "./logErrors";

const problem = nodeProblem();

if (problem !== undefined) throw withoutStack(new Error(problem));
