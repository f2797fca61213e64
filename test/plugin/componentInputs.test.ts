/** How the plugin reads what the engine sends to a component. */
import { unknownValue } from "../../provider/engine/wire";
import { readObjects, readStruct } from "../../plugin/wire";
import { declare, sent } from "./declaration";

const signature = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [signature]: "1b47061264138c4ac30d75fd1eb44270", value });
const output = (state: object) => ({ [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...state });

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

const known = { status: "MONITORING", description: "The canary is well." };
const timeline = (updates: unknown) =>
  declare("IncidentTimeline", { incidentId: "inc_label_printing", updates }, undefined, register);

it.each([[unknownValue], [[unknownValue]], [[known, unknownValue]]])(
  "a timeline of %j registers no update, and its ids are unknown",
  async (updates) => {
    expect((await timeline(updates)).outputs).toEqual({ incidentUpdateIds: unknownValue });
    expect(register).not.toHaveBeenCalled();
  },
);

it("a timeline that has to name its account is told so once", async () => {
  const service = { url: "https://example.com", apiKey: "" };
  const accounts = JSON.stringify({ shop: { apiKey: "key" }, labs: { apiKey: "key" } });
  const inputs = { incidentId: "inc_label_printing", updates: [known, known] };
  await expect(declare("IncidentTimeline", inputs, service, register, { accounts })).rejects.toThrow(
    /^IncidentTimeline "story": account must be given, because [^;]*; one of: shop, labs\.$/,
  );
});

it("a timeline with an invalid entry registers none", async () => {
  await expect(timeline([known, { ...known, status: "FINE" }])).rejects.toThrow(
    'IncidentTimeline "story": updates[1].status must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED',
  );
  expect(register).not.toHaveBeenCalled();
});
