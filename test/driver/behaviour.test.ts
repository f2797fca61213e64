/**
 * Previews, edits, secrets and adoptions, tested with runs, because both adapters make the same calls (wire.test.ts). Rejected changes:
 * rejections.test.ts.
 */
import { Connections } from "../../provider/connection";
import { Run } from "../../provider/run";
import { formatNoticeText } from "../../provider/texts";
import { seedData, wellKnown } from "../../sandbox";
import { incidentId, words } from "../engine/service";
// Waits take no time.
import "../lifecycles/idleClock";
import { sandboxForEachTest } from "../lifecycles/phases";
import { secret } from "./adapters";
import { createTimeline, outage, play, saying, type Scenario } from "./expecting";
import { removeMachines } from "./provider";
import { ProviderRun } from "./runs";
import type { Begin } from "./scenario";

const { legacyHook, operationsMail } = wellKnown.alertChannels;
const { searchLag } = wellKnown.statusPageIncidents;

const violated = { channelId: operationsMail, expect: { sslExpiry: false } };
const absent = { channelId: 999_999 };
const resolved = { status: "RESOLVED", description: "All good." };
const observed = {
  mail: { channelId: operationsMail, expect: { sslExpiry: true } },
  hook: { channelId: legacyHook, expect: { sendFailure: true } },
  page: { statusPageId: seedData().accounts[0].statusPages[0]?.id, expect: { cards: { contains: {} } } },
};
const onLag = { incidentId: searchLag };
const story = (texts: Parameters<typeof createTimeline>[1]) => createTimeline("story", texts);

const pageId =
  seedData().accounts[0].statusPageIncidents.find(({ id }) => id === incidentId)?.statusPageIds[0] ?? "";
const migrated = { ...words, statusPageId: pageId };

const scenarios: Record<string, Scenario> = {
  "a preview reports all errors of the up, without any value": [
    { up: createTimeline("earlier", { end: "End." }, onLag) },
    {
      preview: {
        ...{ kept: words, twin: words, violated, absent },
        invalid: {
          ...{ incidentId: "a/b", status: "FINE", account: "eu", descripton: "typo" },
          description: "Canary \ud83d",
        },
        published: saying("Use `postgres://canary:Winter2026x@db.example.com/prod` until then."),
        mistaken: saying(`[object Canary] npm_${"cAnary9".repeat(5)}: ${wellKnown.apiKeys.quillmarket}`),
        ...createTimeline("inserted", { first: "Inserted.", end: "End." }, onLag),
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
    { up: { ...story({ cause: "One." }), ...observed } },
    {
      preview: {
        ...story({ cause: "One and two.", over: resolved }),
        ...{ mail: violated, hook: absent, page: observed.page },
      },
      says: [
        /edits a public update on .*\n {2}MONITORING, no subscriber is emailed:\n {2}\| One and two\./,
        /posts to .*\n.*\n {2}Newest .*\n {2}RESOLVED, every subscriber is emailed:\n {2}\| All good\./,
        "sslExpiry: expected false, but it is true.\nFix",
        "AlertChannel 999999: not found",
      ],
      ...{ fails: 2, plans: ["create", "update"] },
    },
    {
      up: story({ cause: "One and two.", over: resolved }),
      ...{ writes: ["PUT One and two.", "POST All good."], page: ["All good.", "One and two."] },
    },
  ],
  "a text that was secret stays hidden, even after an edit with an unknown result": [
    {
      up: story({ hidden: { description: secret("Canary.") } }),
      ...{ hides: /Canary/, posts: ["Canary."] },
    },
    {
      preview: story({ hidden: "Plain.", second: "Second." }),
      ...{ plans: ["create", "update"], hides: /Canary/, says: ["(secret text)", "| Plain."] },
    },
    {
      preview: story({ hidden: { description: secret("Other.") } }),
      ...{ says: ["MONITORING, no subscriber is emailed: (secret text)"], hides: /Canary|Other/ },
    },
    {
      faults: [{ kind: "reset", operation: "editComponentPageIncidentUpdate" }],
      ...{ up: story({ hidden: "Plain." }), fails: 1, hides: /Canary/ },
      keeps: { "story-hidden": { outputs: { published: secret(expect.anything()) } } },
    },
    { up: story({ hidden: "Plain." }), keeps: { "story-hidden": { outputs: { description: "Plain." } } } },
  ],
  "a timeline edits entries, posts at its end, and drops removed entries": [
    { up: story({ "01": "One.", "02": "Two." }) },
    {
      up: story({ "01": "One!", "02": "Two.", "03": "Three." }),
      ...{ writes: ["PUT One!", "POST Three."], page: ["Three.", "Two.", "One!"] },
    },
    { up: story({ "01": "One!", "03": "Three." }), writes: [], says: ["stays public"] },
    // The docstring of `IncidentTimeline` contains this sentence: a move of public entries changes nothing on the page.
    { up: story({ "03": "Three.", "01": "One!" }), writes: [] },
    {
      up: story({ "03": "Three:\n- orders\nR&D", "01": "One!" }),
      writes: ["PUT Three:\n- orders\nR&D"],
    },
    { up: story({ "03": "Three: - orders R&amp;D", "01": "One!" }), writes: ["PUT Three: - orders R&amp;D"] },
  ],
  "an entry with a similar text under a different key is posted with a code": [
    { up: story({ cause: "The writer is replaced, and all is well." }) },
    {
      ...{ up: story({ reason: "The writer was replaced, and all is well." }), fails: 1, writes: [] },
      says: ["has nearly the same text", "restore its key", "If not, run `pulumi config set"],
    },
    {
      answers: true,
      up: story({ reason: "The writer was replaced, and all is well." }),
      writes: ["POST The writer was replaced, and all is well."],
    },
  ],
  "the name of a removed update can be used for another update at once": [
    { up: { a: { ...saying("One."), ...outage } } },
    { up: {} },
    { up: { a: { ...saying("Two."), ...outage } }, writes: ["POST Two."], page: ["Two.", "One."] },
  ],
  "a renamed resource, an alias, a lost state and a replacement adopt the public update": [
    { up: { a: words }, posts: [words.description] },
    { up: { b: words }, posts: [], says: ["adopted the identical update"] },
    { renamed: { b: "c" }, up: { c: words }, posts: [] },
    // The engine makes the same calls for a lost state and for `--replace`.
    {
      calls: [
        { verb: "check", name: "c", args: words, isNew: true },
        { verb: "create", name: "c" },
      ],
      ...{ posts: [], says: ["adopted the identical update"] },
    },
  ],
  "an update and a timeline of a migrated page are adopted under new names": [
    { up: { a: words, ...createTimeline("story", { one: "One." }, { incidentId }) } },
    {
      migrates: { page: pageId, updateIds: "new" },
      up: { a: migrated, ...createTimeline("story", { one: "One." }, migrated) },
      ...{ fails: 1, posts: [], says: ["give the resource a new name. It adopts what is public there"] },
    },
    {
      up: { moved: migrated, ...createTimeline("told", { one: "One." }, migrated) },
      ...{ posts: [], says: [/adopted the identical [^]*adopted the identical /] },
    },
    { up: { moved: migrated, ...createTimeline("told", { one: "One." }, migrated) }, posts: [], reads: [] },
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
