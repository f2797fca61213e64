/** What `diff` says of a public update, without a request. What counts as which change: test/protocol/diff.test.ts. */
import { incidentUpdate } from "../../../provider/lifecycles/incidentUpdate";
import { words } from "../../engine/service";
import { failureOf, named } from "../updateProcess";
import { noticesDuring, nowhere, phase, unknown } from "../phases";

const id = "inc/u1";

/** The state as declared, as a refresh found it. */
const stateOf = (before: object = {}, shown: object = {}) => {
  const declared = { notifySubscribers: false, occurrence: 1, onChange: "post", ...words, ...before };
  const { status, description } = declared;
  const published = { status, description, ...shown };
  const { url, accountId } = nowhere;
  const origin = { accountId, host: new URL(url).host, path: "/" };
  const outputs = { incidentUpdateId: "u1", published, missing: false, past: [], origin };
  return { ...declared, ...outputs };
};

const diffOf = async (after: object, before: object = {}, shown: object = {}) =>
  (await phase(incidentUpdate, nowhere)).diff(id, stateOf(before, shown), { ...named, ...before, ...after });

const date = { publicIncidentUpdateDate: "2026-01-31T09:30:00Z" };
const description = "It is over.";
const elsewhere = { incidentId: "inc_other" };

it.each<[string, after: object, replaces: string[], before?: object]>([
  ["content", { status: "RESOLVED", description }, ["status", "description"]],
  ["a date, declared now", date, ["publicIncidentUpdateDate"]],
  ["a date, no longer declared", { publicIncidentUpdateDate: undefined }, [], date],
  ["the flag", { notifySubscribers: true }, []],
  ["in part unknown", { status: "RESOLVED", description: unknown }, ["status", "description"]],
])("a change of %s", async (_, after, replaces, before = {}) => {
  expect(await diffOf(after, before)).toEqual({ changes: true, replaces });
});

it.each<[string, after: object, replaces: string[]]>([
  ["declared now", { description }, []],
  ["on another incident", { description, ...elsewhere }, ["incidentId", "description"]],
])("what was edited by hand, %s", async (_, after, replaces) => {
  expect(await diffOf(after, {}, { description })).toEqual({ changes: true, replaces });
});

it.each<[string, after: object, before?: object]>([
  ["nothing", {}],
  ["milliseconds", { publicIncidentUpdateDate: "2026-01-31T09:30:00.400Z" }, date],
  ["the entries after it", { followedBy: ["0123456789abcdef"] }, { followedBy: [] }],
  ["the entries after it, not known yet", { followedBy: unknown }, { followedBy: [] }],
])("no change of %s", async (_, after, before = {}) => {
  expect(await diffOf(after, before)).toEqual({ changes: false, replaces: [] });
});

it.each<[string, after: object, before?: object]>([
  ["white space", { description: words.description.replaceAll(" ", " \n ") }],
  ["escapes", { description: "Fish &amp; chips." }, { description: "Fish & chips." }],
])("a change of %s is recorded, and posts nothing", async (_, after, before = {}) => {
  expect(await diffOf(after, before)).toEqual({ changes: true, replaces: [] });
});

it.each<[names: string, after: object]>([
  ["status, description", { status: "RESOLVED", description }],
  // Its user didn't write onChange.
  ["status", { status: "RESOLVED", followedBy: [] }],
  ["status", { status: "RESOLVED", followedBy: unknown }],
])('with onChange "refuse", a change of %s is refused: %j', async (names, after) => {
  const { message } = await failureOf(diffOf(after, { onChange: "refuse" }));
  expect([...message.matchAll(/(\w+) must not change/g)].map(([, name]) => name).join(", ")).toBe(names);
  expect(message.includes("onChange")).toBe(!("followedBy" in after));
});

const posts = ["incidentId", "status", "description", "publicIncidentUpdateDate", "occurrence"];
const others = ["notifySubscribers", "onChange", "account"];

it.each([
  ...[...posts, ...others].map((name) => [name]),
  ["status", "description", "occurrence", "followedBy"],
])(
  "a value of %s %s %s %s that isn't known yet counts as changed, replaces nothing, and is said when it may post",
  async (...names) => {
    const after = Object.fromEntries(names.map((name) => [name, unknown]));
    const notices = await noticesDuring(async () => {
      expect(await diffOf(after, { onChange: "refuse" })).toEqual({ changes: true, replaces: [] });
    });
    const said = posts.filter((name) => names.includes(name)).join(", ");
    const notice: unknown = expect.stringContaining(`IncidentUpdate ${id}: ${said} not known yet. `);
    expect(notices).toEqual(said === "" ? [] : [notice]);
  },
);
