/** What `diff` says of a public update, without a request. */
import { incidentUpdate } from "../../provider/lifecycles/incidentUpdate/incidentUpdate";
import { words } from "../engine/service";
import { named } from "./updateProcess";
import { noticesDuring, nowhere, phase, unknown } from "./phases";

const id = "inc/u1";

/** The state, and what the program declares. */
interface Case {
  readonly before?: object;
  /** As a refresh found it. */
  readonly shown?: object;
  readonly after: object;
}

const stateOf = (before: object = {}, shown: object = {}) => {
  const declared = { notifySubscribers: false, occurrence: 1, onChange: "post", ...words, ...before };
  const { status, description } = declared;
  const published = { status, description, ...shown };
  const { url, accountId } = nowhere;
  const origin = { accountId, host: new URL(url).host, path: "/" };
  const outputs = { incidentUpdateId: "u1", published, missing: false, past: [], origin };
  return { ...declared, onUnconfirmed: "fail", ...outputs };
};

const diffOf = async ({ before, shown, after }: Case) =>
  (await phase(incidentUpdate, nowhere)).diff(id, stateOf(before, shown), {
    ...named,
    ...before,
    ...after,
  });

const date = { publicIncidentUpdateDate: "2026-01-31T09:30:00Z" };
const description = "It is over.";
const edited = { shown: { description } };

it.each<[string, Case, replaces: string[]]>([
  ["content", { after: { status: "RESOLVED", description } }, ["status", "description"]],
  ["the incident", { after: { incidentId: "inc_other" } }, ["incidentId"]],
  ["the occurrence", { after: { occurrence: 2 } }, ["occurrence"]],
  ["a date, declared now", { after: date }, ["publicIncidentUpdateDate"]],
  ["a date, no longer declared", { before: date, after: { publicIncidentUpdateDate: undefined } }, []],
  ["the flag", { after: { notifySubscribers: true } }, []],
  ["the number in a timeline", { after: { occurrence: 2, followedBy: [] } }, []],
  ["what was edited by hand, declared now", { ...edited, after: { description } }, []],
  [
    "what was edited by hand, on another incident",
    { ...edited, after: { description, incidentId: "inc_other" } },
    ["incidentId", "description"],
  ],
  [
    "what was edited by hand, in a timeline",
    { ...edited, after: { description, occurrence: 2, followedBy: [] } },
    [],
  ],
  [
    "what was edited by hand, in a timeline whose end is unknown",
    { ...edited, after: { description, occurrence: 2, followedBy: unknown } },
    [],
  ],
  [
    "other words than were edited by hand",
    { ...edited, after: { description: "Other.", followedBy: [] } },
    ["description"],
  ],
  ["in part unknown", { after: { status: "RESOLVED", description: unknown } }, ["status", "description"]],
])("a change of %s", async (_, given, replaces) => {
  expect(await diffOf(given)).toEqual({ changes: true, replaces });
});

it.each<[string, Case]>([
  ["nothing", { after: {} }],
  ["white space", { after: { description: words.description.replaceAll(" ", " \n ") } }],
  ["escapes", { before: { description: "Fish & chips." }, after: { description: "Fish &amp; chips." } }],
  ["milliseconds", { before: date, after: { publicIncidentUpdateDate: "2026-01-31T09:30:00.400Z" } }],
  ["the entries after it", { before: { followedBy: [] }, after: { followedBy: ["0123456789abcdef"] } }],
  ["the entries after it, not known yet", { before: { followedBy: [] }, after: { followedBy: unknown } }],
])("no change of %s", async (_, given) => {
  expect(await diffOf(given)).toEqual({ changes: false, replaces: [] });
});

it("the engine may ask first while the end of the timeline is unknown, and then again", async () => {
  const provider = await phase(incidentUpdate, nowhere);
  for (const followedBy of [unknown, []]) {
    const diff = await provider.diff(id, stateOf(), { ...words, followedBy });
    expect(diff).toEqual({ changes: false, replaces: [] });
  }
});

describe('with onChange "refuse", a change', () => {
  const before = { onChange: "refuse" };
  const reason =
    'must not change: the update is public and onChange is "refuse". Restore the value, and declare the change as a new update';

  it.each<[string[], object]>([
    [["status", "description"], { status: "RESOLVED", description }],
    [["status"], { status: "RESOLVED", description: unknown }],
    [["occurrence"], { occurrence: 2 }],
  ])("of %j is refused, with each field", async (names, after) => {
    const problems = names.map((name) => `${name} ${reason}`).join("; ");
    await expect(diffOf({ before, after })).rejects.toThrow(`IncidentUpdate ${id}: ${problems}.`);
  });

  it("that was edited by hand otherwise is refused", async () => {
    const after = { status: "RESOLVED", description, occurrence: 2 };
    const refused = diffOf({ before, ...edited, after });
    await expect(refused).rejects.toThrow(/status must not change.*occurrence must not change/);
  });

  it.each([[[]], [unknown]])(
    "of an entry doesn't speak of onChange, which its user didn't write",
    async (followedBy) => {
      await expect(diffOf({ before, after: { status: "RESOLVED", followedBy } })).rejects.toThrow(
        "the update is public. Restore the value, and declare the change as a new last entry",
      );
    },
  );
});

describe("a value that isn't known yet", () => {
  const posts = ["incidentId", "status", "description", "publicIncidentUpdateDate", "occurrence"];
  const others = ["notifySubscribers", "onChange", "onUnconfirmed", "account"];

  it.each([
    ...[...posts, ...others].map((name) => [name]),
    ["status", "description", "occurrence", "followedBy"],
  ])("of %s %s %s %s counts as changed, replaces nothing, and is said when it may post", async (...names) => {
    const after = Object.fromEntries(names.map((name) => [name, unknown]));
    const notices = await noticesDuring(async () => {
      const before = { onChange: "refuse" };
      expect(await diffOf({ before, after })).toEqual({ changes: true, replaces: [] });
    });
    const said = posts.filter((name) => names.includes(name)).join(", ");
    const text = `IncidentUpdate ${id}: ${said} not known yet. If the value changes, a new update replaces this one, which stays public.`;
    expect(notices).toEqual(said === "" ? [] : [text]);
  });
});
