/** How the plugin reads what the engine sends to a component. */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { unknownValue } from "../../provider/engine/unknown";
import { readObjects, readStruct } from "../../provider/plugin/values";

const signature = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [signature]: "1b47061264138c4ac30d75fd1eb44270", value });
const output = (state: object) => ({ [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...state });
const sent = (values: object): Struct => {
  const plain = JSON.parse(JSON.stringify(values)) as Parameters<typeof Struct.fromJavaScript>[0];
  return Struct.fromJavaScript(plain);
};

it("an output is the value that it holds, its secrets are secrets, and without a value it is unknown", () => {
  const inputs = {
    plain: output({ value: "a" }),
    hidden: output({ value: ["b"], secret: true }),
    later: output({}),
  };
  expect(readStruct(sent(inputs))).toEqual({
    values: { plain: "a", hidden: ["b"], later: unknownValue },
    secrets: new Set(["hidden"]),
  });
});

it("only the secret fields of a list's objects are secrets, or all fields when the list or the object is a secret", () => {
  const entry = { status: "RESOLVED", description: secret("hush") };
  const secretsIn = (list: unknown) =>
    readObjects(sent({ list }), "list")?.map(({ values, secrets }) => [
      values["description"],
      [...secrets].sort(),
    ]);
  const all = ["description", "status"];
  expect(secretsIn([entry, secret(entry)])).toEqual([
    ["hush", ["description"]],
    ["hush", all],
  ]);
  expect(secretsIn(output({ value: [entry], secret: true }))).toEqual([["hush", all]]);
});

it.each([undefined, "text", {}, [[]], ["text"], [null]])("%j is no list of objects", (list) => {
  expect(readObjects(sent({ list }), "list")).toBeUndefined();
});
