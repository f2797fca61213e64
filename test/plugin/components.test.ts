/** Tests the plugin's components as programs in YAML, Python and Go declare them: how their inputs are read, and their effects. */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { components } from "../../plugin/components";
import { readObjects, readStruct } from "../../plugin/wire";
import { Connections } from "../../provider/connection";
import { programInput, unknownValue } from "../../provider/engine";
import { createContext } from "../lifecycles/phases";
import { startTestSandbox } from "../sandbox/sandboxes";

/** Returns values as the engine sends them. */
function sent(values: object): Struct {
  const plain = JSON.parse(JSON.stringify(values)) as Parameters<typeof Struct.fromJavaScript>[0];
  return Struct.fromJavaScript(plain);
}

const register = jest.fn(() => Promise.resolve({}));
afterEach(() => register.mockClear());

const nowhere = { url: "https://example.com", apiKey: "unused" };

const notices: unknown[] = [];
afterEach(() => notices.splice(0));

/** Declares a component with the name "story". @returns its outputs */
async function declare(
  component: string,
  inputs: object,
  { url, apiKey }: { readonly url: string; readonly apiKey?: string } = nowhere,
  settings: Readonly<Record<string, string>> = {},
) {
  const struct = sent(inputs);
  const environment = { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey };
  return components[component]?.({
    name: "story",
    inputs: readStruct(struct),
    getObjects: (input) => readObjects(struct, input),
    context: {
      ...createContext(new Connections((name) => settings[name], environment)),
      notice: (text) => notices.push(text),
    },
    register,
  });
}

const signature = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [signature]: "1b47061264138c4ac30d75fd1eb44270", value });
const output = (state: object) => ({ [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...state });

it("an output becomes its value, stays secret if it contains secrets, and is unknown without a value", () => {
  const hidden = output({ value: ["b"], secret: true });
  const struct = sent({ plain: output({ value: "a" }), hidden, later: output({}), list: ["c", secret("d")] });
  expect(readStruct(struct)).toEqual({
    values: { plain: "a", hidden: ["b"], later: unknownValue, list: ["c", "d"] },
    secrets: new Set(["hidden", "list"]),
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

it.each([undefined, "text", {}, [[]], ["text"], [null]])("%j isn't a list of objects", (list) => {
  expect(readObjects(sent({ list }), "list")).toBeUndefined();
});

const known = { status: "MONITORING", description: "The canary is well." };
const timeline = (updates: unknown) =>
  declare("IncidentTimeline", { incidentId: "inc_label_printing", updates });
const withKeys = (...entries: object[]) =>
  entries.map((entry, index) => ({ key: `0${index + 1}`, ...entry }));

it.each([[unknownValue], [[unknownValue]], [[known, unknownValue]]])(
  "a timeline of %j registers no update, and its IDs are unknown",
  async (updates) => {
    expect(await timeline(updates)).toEqual({ incidentUpdateIds: unknownValue });
    expect(register).not.toHaveBeenCalled();
  },
);

const cause = { key: "cause", status: "IDENTIFIED", description: "A node is down." };
const ofPage = (updates: unknown, more: object = {}) =>
  declare("IncidentTimeline", { incidentId: "i", statusPageId: "p", updates, ...more });

it("a timeline names its entries by their keys", async () => {
  await ofPage([cause, { ...known, key: "02" }]);
  const calls = register.mock.calls as unknown as [string, { values: object }][];
  expect(calls.map(([name]) => name)).toEqual(["story-cause", "story-02"]);
  expect(calls.map(([, { values }]) => values)).toEqual([
    expect.objectContaining({ [programInput]: { place: expect.anything() as unknown, key: "cause" } }),
    expect.not.objectContaining({ key: "02" }),
  ]);
});

it.each<[string, unknown[], string]>([
  [
    "keys for only some",
    [cause, known],
    'must have a key on each entry, such as key: "cause", but entry 2 has no key',
  ],
  [
    "a repeated key for one",
    [cause, { ...known, key: "cause" }],
    "must not use a key twice, but entries 1 and 2 have",
  ],
  ["a space in the key of one", [{ ...known, key: "the cause" }], 'must have keys such as "cause" or "02"'],
  ["a secret key for one", [{ ...known, key: secret("cause") }], "must have plain string keys"],
  ["an unknown key for one", [{ ...known, key: unknownValue }], "must have plain string keys"],
])("a timeline with %s of its entries registers no update", async (_, updates, reason) => {
  await expect(ofPage(updates)).rejects.toThrow(reason);
  expect(register).not.toHaveBeenCalled();
});

it.each([
  [{ onChange: "edit" }, {}, "onChange is not known; expected one of incidentId, "],
  [{}, { occurrence: 2 }, "updates[0].occurrence is not known; expected one of incidentId, "],
])("a timeline with the removed arguments %j and %j registers no update", async (common, entry, reason) => {
  await expect(ofPage([{ ...cause, ...entry }], common)).rejects.toThrow(reason);
  expect(register).not.toHaveBeenCalled();
});

it("a timeline that must name its account fails with one error", async () => {
  const accounts = JSON.stringify({ shop: { apiKey: "key" }, labs: { apiKey: "key" } });
  const inputs = { incidentId: "inc_label_printing", updates: withKeys(known, known) };
  await expect(declare("IncidentTimeline", inputs, { url: nowhere.url }, { accounts })).rejects.toThrow(
    /^IncidentTimeline "story": account is required, because [^;]* is not set\. Use one of: shop, labs\.$/,
  );
});

it.each([
  ["known", known, true],
  ["unknown", { ...known, description: unknownValue }, false],
])(
  "a timeline that repeats an entry with %s text and its date registers no update",
  async (_, content, isRejected) => {
    const entry = { ...content, publicIncidentUpdateDate: "2026-01-31T12:00:00Z" };
    const registered = timeline(withKeys(entry, entry));
    if (!isRejected) {
      expect(await registered).toBeDefined();
      return;
    }
    await expect(registered).rejects.toThrow(
      'IncidentTimeline "story": updates must not repeat an entry with the same date, but entries 1 and 2 have the same status',
    );
    expect(register).not.toHaveBeenCalled();
  },
);

it("a timeline with an invalid entry registers no update", async () => {
  await expect(timeline(withKeys(known, { ...known, status: "FINE" }))).rejects.toThrow(
    'IncidentTimeline "story": updates[1].status must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED',
  );
  expect(register).not.toHaveBeenCalled();
});

// test/audit/ruleFile tests that a rule file can't contain code, because other users of this machine could run it.
it.each([
  ["AlertChannelAudit", { channels: [unknownValue] }, { findings: unknownValue, counts: unknownValue }],
  ["OpenIncidentGate", { except: [unknownValue] }, {}],
])(
  "a preview of %s with unknown arguments reports that it checks nothing",
  async (component, inputs, outputs) => {
    expect(await declare(component, inputs)).toEqual(outputs);
    expect(notices).toEqual([expect.stringMatching(/^Some arguments aren't known yet\. `pulumi up` /)]);
  },
);

// test/lookups tests which incidents close a gate, and data that can't be read. test/journeys/native.test.ts tests that the engine then
// changes nothing.
it("a gate with an invalid argument names itself", async () => {
  const gate = declare("OpenIncidentGate", { atLeast: "HIGH" });
  await expect(gate).rejects.toThrow('OpenIncidentGate "story": atLeast must be one of ');
});

it("a gate ignores excluded incidents, which may be outputs", async () => {
  const sandbox = await startTestSandbox();
  const message = await declare("OpenIncidentGate", {}, sandbox).then(() => "", String);
  const ids = [...message.matchAll(/\((\w+), on /g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(1);
  const except = ids.map((id) => output({ value: id }));
  expect(await declare("OpenIncidentGate", { except }, sandbox)).toEqual({});
  const gate = declare("OpenIncidentGate", { except: except.slice(1) }, sandbox);
  await expect(gate).rejects.toThrow('OpenIncidentGate "story": 1 open incident: ');
});
