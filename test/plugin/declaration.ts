/** Declares components of the plugin as the engine does for programs in any language. */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Connections } from "../../provider/connection/connections";
import { Publishing } from "../../provider/publishing/publishing";
import { components } from "../../plugin/components";
import { readObjects, readStruct } from "../../plugin/wire";

/** Values as the engine sends them. */
export function sent(values: object): Struct {
  const plain = JSON.parse(JSON.stringify(values)) as Parameters<typeof Struct.fromJavaScript>[0];
  return Struct.fromJavaScript(plain);
}

/**
 * Declares a component called "story".
 *
 * @param service Default: one that it doesn't ask.
 * @param register Registers a child.
 * @param settings Of the stack.
 */
export async function declare(
  component: string,
  inputs: object,
  { url, apiKey }: { url: string; apiKey: string } = { url: "https://example.com", apiKey: "unused" },
  register = () => Promise.resolve({}),
  settings: Readonly<Record<string, string>> = {},
) {
  const warnings: string[] = [];
  const environment = { MONITORING_BASE_URL: url, ...(apiKey !== "" && { MONITORING_API_KEY: apiKey }) };
  const struct = sent(inputs);
  const outputs = await components[component]?.({
    name: "story",
    inputs: readStruct(struct),
    objectsOf: (input) => readObjects(struct, input),
    context: {
      connections: new Connections((name) => settings[name], environment),
      publishing: new Publishing(),
      notice: () => undefined,
      assertEngineAlive: () => Promise.resolve(),
    },
    warn: (text) => warnings.push(text),
    register,
  });
  return { outputs, warnings };
}
