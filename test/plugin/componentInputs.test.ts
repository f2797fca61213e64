/** How the plugin reads what the engine sends to a component. */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Connections } from "../../provider/connection/connections";
import { Publishing } from "../../provider/publishing/publishing";
import { unknownValue } from "../../provider/adapter/unknown";
import { components } from "../../plugin/components";
import { readObjects, readStruct } from "../../plugin/values";

const signature = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [signature]: "1b47061264138c4ac30d75fd1eb44270", value });
const output = (state: object) => ({ [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...state });
const sent = (values: object): Struct => {
  const plain = JSON.parse(JSON.stringify(values)) as Parameters<typeof Struct.fromJavaScript>[0];
  return Struct.fromJavaScript(plain);
};

it("an output is the value that it holds, its secrets are secrets, and without a value it is unknown", () => {
  const hidden = output({ value: ["b"], secret: true });
  expect(readStruct(sent({ plain: output({ value: "a" }), hidden, later: output({}) }))).toEqual({
    values: { plain: "a", hidden: ["b"], later: unknownValue },
    secrets: new Set(["hidden"]),
  });
});

const entry = { status: "RESOLVED", description: secret("hush") };
const all = ["description", "status"];
it.each<[string, unknown, string[][]]>([
  ["an object with a secret, and a secret object", [entry, secret(entry)], [["description"], all]],
  ["a secret list", output({ value: [entry], secret: true }), [all]],
])("the secrets of %s in a list", (_, list, expected) => {
  const objects = readObjects(sent({ list }), "list") ?? [];
  expect(objects.map(({ secrets }) => [...secrets].sort())).toEqual(expected);
  expect(objects.map(({ values }) => values["description"])).toEqual(expected.map(() => "hush"));
});

it.each([undefined, "text", {}, [[]], ["text"], [null]])("%j is no list of objects", (list) => {
  expect(readObjects(sent({ list }), "list")).toBeUndefined();
});

const register = jest.fn(() => Promise.resolve({}));
afterEach(() => register.mockClear());

/** Declares a component with the sandbox, or with a service that it doesn't ask. */
async function declare(component: string, inputs: Struct, url = "https://example.com", apiKey = "unused") {
  const environment = { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey };
  return components[component]?.({
    name: "story",
    inputs: readStruct(inputs),
    objectsOf: (input) => readObjects(inputs, input),
    context: {
      connections: new Connections(() => undefined, environment),
      publishing: new Publishing(),
      notice: () => undefined,
      assertEngineAlive: () => Promise.resolve(),
    },
    warn: () => undefined,
    register,
  });
}

const known = { status: "MONITORING", description: "The canary is well." };
const timeline = (updates: unknown): Struct => sent({ incidentId: "inc_label_printing", updates });

it.each([[unknownValue], [[unknownValue]], [[known, unknownValue]]])(
  "a timeline of %j registers no update, and its ids are unknown",
  async (updates) => {
    expect(await declare("IncidentTimeline", timeline(updates))).toEqual({ incidentUpdateIds: unknownValue });
    expect(register).not.toHaveBeenCalled();
  },
);

it("a timeline with an invalid entry registers none", async () => {
  await expect(declare("IncidentTimeline", timeline([known, { ...known, status: "FINE" }]))).rejects.toThrow(
    'IncidentTimeline "story": updates[1].status must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED',
  );
  expect(register).not.toHaveBeenCalled();
});
