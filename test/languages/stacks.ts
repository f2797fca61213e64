/** Stacks whose programs are in another language, and use the native plugin. */
import { stringify } from "yaml";
import type { Sandbox } from "../../sandbox";
import { createStack, type Stack } from "../engine/stack";

/** @param more what else Pulumi.yaml says: of a YAML program, all of it. */
export async function createStackOf(
  runtime: "python" | "yaml",
  sandbox: Sandbox,
  more: object = {},
): Promise<Stack> {
  const stack = await createStack({ sandbox });
  stack.write("Pulumi.yaml", stringify({ name: "test", runtime, ...more }));
  stack.declarePlugin();
  return stack;
}
