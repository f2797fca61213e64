/** What a user does to a stack, and what happens: by runs, whose calls both adapters make. That they do, an `up`, a refresh and a destroy: wire.test.ts. */
import { Connections } from "../../provider/connection";
import { Run } from "../../provider/run";
import { formatNoticeText } from "../../provider/texts";
import { seedData, wellKnown } from "../../sandbox";
import { incidentId, words } from "../engine/service";
// Waits take no time.
import "../lifecycles/idleClock";
import { sandboxForEachTest } from "../lifecycles/phases";
import { secret } from "./adapters";
import { play, saying, type Scenario, createTimeline } from "./expecting";
import { removeMachines } from "./provider";
import { ProviderRun } from "./runs";
import type { Begin } from "./scenario";

const { legacyHook, operationsMail } = wellKnown.alertChannels;
const { searchLag } = wellKnown.statusPageIncidents;

const violated = { channelId: operationsMail, expect: { sslExpiry: false } };
const absent = { channelId: 999_999 };
const changed = { ...saying("We know the cause."), notifySubscribers: true };
const resolved = { ...words, status: "RESOLVED", description: "All good.", notifySubscribers: true };
const observed = {
  mail: { channelId: operationsMail, expect: { sslExpiry: true } },
  hook: { channelId: legacyHook, expect: { sendFailure: true } },
  page: { statusPageId: seedData().accounts[0].statusPages[0]?.id, expect: { cards: { contains: {} } } },
};
const [one, two] = [saying("One."), saying("Two.")];

/** Changed content is posted as a new update. */
const posting = (declared: object) => ({ ...declared, onChange: "post" });

/** An incident that two pages with cards show, and a page that it has alone. */
const { cardDeclines } = wellKnown.statusPageIncidents;
const getPageId = (incident: string) =>
  seedData().accounts[0].statusPageIncidents.find(({ id }) => id === incident)?.statusPageIds[0] ?? "";
const onCards = { ...words, incidentId: cardDeclines };
const newIds = (incident: string) => ({ page: getPageId(incident), updateIds: "new" }) as const;
const alone = { ...words, statusPageId: getPageId(incidentId) };
const onPage = { ...onCards, statusPageId: getPageId(cardDeclines) };
const again = { occurrence: 2 };

const scenarios: Record<string, Scenario> = {
  "a preview reports all errors of the up, without any value": [
    { up: createTimeline("earlier", searchLag, "End.") },
    {
      preview: {
        ...{ kept: words, twin: words, violated, absent },
        invalid: {
          ...{ incidentId: "a/b", status: "FINE", account: "eu", descripton: "typo" },
          description: "Canary \ud83d",
        },
        published: saying("Use `postgres://canary:Winter2026x@db.example.com/prod` until then."),
        mistaken: saying(`[object Canary] npm_${"cAnary9".repeat(5)}: ${wellKnown.apiKeys.quillmarket}`),
        ...createTimeline("inserted", searchLag, "Inserted.", "End."),
      },
      says: [
        "already declares this update",
        "sslExpiry: expected false, but it is true",
        "AlertChannel 999999: not found",
        "incidentId must be an ID without",
        "description contains the API key from monitoring:apiKey. Remove the key.",
        "description contains a password in a URL. Remove the credential.",
        "would be posted after a later entry of this timeline",
      ],
      hides: /canary/i,
      fails: 7,
      posts: [],
    },
  ],
  "a preview reports the changes, reads only their incidents, and fails in the same way as the up": [
    { up: { changed, one, two, ...observed } },
    {
      preview: {
        changed: posting(resolved),
        one: posting(two),
        two: posting(one),
        mail: violated,
        hook: absent,
        page: observed.page,
      },
      says: [
        /posts to .*\n {2}MAJOR, .*\n {2}Newest .*\n {2}RESOLVED, every subscriber is emailed:\n {2}\| All good\./,
        "sslExpiry: expected false, but it is true.\nFix",
        "AlertChannel 999999: not found",
      ],
      fails: 2,
      plans: ["replace", "replace", "replace"],
      reads: [operationsMail, absent.channelId, incidentId],
    },
    {
      up: { changed: posting(resolved), one: posting(two), two: posting(one) },
      posts: ["All good."],
      tracks: { changed: "All good.", one: "Two.", two: "One." },
    },
  ],
  "a text that was secret stays hidden": [
    {
      up: { hidden: { ...words, description: secret("Canary.") } },
      hides: /Canary/,
      posts: ["Canary."],
    },
    {
      preview: { hidden: posting(saying("Plain.")), one },
      ...{ plans: ["create", "replace"], hides: /Canary/ },
      says: ["Newest update, now, MONITORING: (secret text)\n", "| Plain."],
    },
    {
      preview: { hidden: posting({ ...words, description: secret("Other.") }) },
      says: ["MONITORING: (secret text)"],
      hides: /Canary|Other/,
    },
  ],
  "a migrated update is recognized by its new ID, so that its text can be published again": [
    { up: { a: words } },
    { migrates: newIds(incidentId), up: { a: alone }, posts: [], says: ["on the migrated incident"] },
    {
      preview: { a: alone, b: { ...alone, ...again } },
      ...{ plans: ["create"], says: ["posts to"] },
    },
    { up: { a: alone, b: { ...alone, ...again } }, posts: [words.description] },
  ],
  "one of an incident's two pages is migrated, and each location has its own history": [
    { up: { a: onCards } },
    {
      ...{ migrates: newIds(cardDeclines), up: { a: onCards, b: { ...onPage, ...again } } },
      posts: [words.description],
    },
    { up: { a: onCards, b: { ...onPage, ...again }, c: onPage }, posts: [], says: ["adopted"] },
  ],
};

const beginRun: Begin = (config, { machine }) => {
  const host = { said: "", cancel: () => undefined, end: () => undefined };
  const say = (text: string): void => void (host.said += `${text}\n`);
  const run = new Run({
    connections: new Connections((key) => config[`monitoring:${key}`], {
      MONITORING_LOCK_DIRECTORY: machine,
    }),
    notice: (text) => say(formatNoticeText(text)),
    warn: say,
    assertAlive: () => Promise.resolve(),
  });
  return Promise.resolve(new ProviderRun((call) => run.handle(call), host));
};

const sandbox = sandboxForEachTest();
// Jest doesn't tell the end of its process.
afterAll(removeMachines);

it.each(Object.entries(scenarios))("%s", async (_, scenario) => play(scenario, beginRun, sandbox()));
