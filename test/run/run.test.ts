/** Tests the parts of a run around a lifecycle: the facts of a preview, the drift of a refresh, and a policy's changes. */
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MonitoringError } from "../../provider/client";
import { type Connection, Connections } from "../../provider/connection";
import { programInput } from "../../provider/engine";
import { computeKeys } from "../../provider/lifecycles/timeline";
import { type Engine, getErrorMessage, Run } from "../../provider/run";
import { formatNoticeText } from "../../provider/texts";
import { words } from "../engine/service";
import "../lifecycles/idleClock";
import { nowhere, unknown } from "../lifecycles/phases";
import { sandboxForEachTest, startTestSandbox } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";

const urn = "urn:pulumi:test::shop::monitoring:index:IncidentUpdate::over";
const notices: string[] = [];

interface Service {
  readonly url: string;
  readonly apiKey?: string;
  readonly source?: Connection["source"];
}

function createRun({ url, apiKey, source = "stack" }: Service, engine: Partial<Engine> = {}): Run {
  const say = (text: string) => void notices.push(text);
  return new Run({
    // The settings are only read when a connection is needed.
    get connections() {
      const environment = { ...process.env, MONITORING_API_KEY: apiKey, MONITORING_BASE_URL: url };
      return new Connections(undefined, environment, { source });
    },
    notice: (text) => say(formatNoticeText(text)),
    warn: say,
    assertAlive: () => Promise.resolve(),
    ...engine,
  });
}

const over = { type: "IncidentUpdate", urn } as const;
const observed = { type: "AlertChannel", urn: "channel" } as const;
const preview = (run: Run, more: object = {}) =>
  run.handle({ ...over, verb: "create", isPreview: true, news: words, ...more });

/** The hidden input of a program that collects the problems of a preview. */
const collectsProblems = { [programInput]: { collectsProblems: true } };

const withoutKey = { url: nowhere.url };
const createState = ({ url }: { url: string }, changes: object = {}) => ({
  ...{ ...words, notifySubscribers: false, incidentUpdateId: "u1", published: words, missing: false },
  ...{ record: { version: 1, posted: { written: "w" } }, origin: { host: new URL(url).host, path: "/" } },
  ...changes,
});
const createSentState = (at: { url: string }) => {
  const { incidentUpdateId, published, ...others } = createState(at);
  return { ...others, record: { version: 1, sent: { ids: [], nonce: "sent", at: 0 } } };
};

describe("the facts of a preview", () => {
  let file = "";
  beforeEach(() => {
    notices.length = 0;
    file = join(temporaryFolder(), "facts");
    writeFileSync(file, "");
    process.env["MONITORING_PREVIEW_FACTS"] = file;
  });
  const facts = () =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const sandbox = sandboxForEachTest();

  it("the facts of a preview name no property that the engine would print, because the dynamic adapter misses some secrets", async () => {
    const news = { ...words, status: "closed", account: "key" };
    const { problems = [] } = await createRun(nowhere).handle({
      ...over,
      verb: "check",
      news,
      secrets: new Set(),
    });
    expect(problems.map(({ property }) => property)).toEqual(["", ""]);
    const said = problems.map(({ reason }) => ({ format: 3, is: "problem", text: reason }));
    expect(facts()).toEqual(said);
    // The SDK records the problems that it collects.
    await createRun(nowhere).handle({ ...over, verb: "check", news: { ...news, ...collectsProblems } });
    expect(facts()).toEqual(said);
  });

  it("the facts of a preview and the classification of changes don't require a known account", async () => {
    const run = createRun(withoutKey);
    const olds = { channelId: 1 };
    const news = { channelId: 1, account: unknown };
    const inputs = { channelId: "1", account: unknown };
    expect(await run.handle({ ...observed, verb: "check", olds, news })).toMatchObject({
      problems: [],
      inputs,
    });
    const declared = { ...words, account: unknown };
    const checked = await run.handle({ ...over, verb: "check", olds: words, news: declared });
    expect(checked).toMatchObject({ problems: [], inputs: declared });
    const { problems } = await run.handle({ ...over, verb: "check", news: { ...declared, typo: unknown } });
    expect(problems).toHaveLength(1);
    const changed = { verb: "diff", id: "inc/u1", olds: createState(nowhere), news: declared } as const;
    expect(await createRun(withoutKey).handle({ ...over, ...changed })).toEqual({
      changes: true,
      replaces: [],
    });
    const other = { channelId: unknown, account: unknown };
    const ofChannel = { verb: "diff", id: "1", olds: { channelId: "1" }, news: other } as const;
    expect(await run.handle({ ...observed, ...ofChannel })).toMatchObject({ changes: true });
  });

  it("the facts of a preview contain its result, and not the reason for its failure", async () => {
    await preview(createRun(sandbox()));
    // Only Linux lists the open files of a process.
    const descriptors = "/proc/self/fd";
    const isOpen = (descriptor: string) =>
      existsSync(join(descriptors, descriptor)) && readlinkSync(join(descriptors, descriptor)) === file;
    expect(existsSync(descriptors) ? readdirSync(descriptors).filter(isOpen) : []).toEqual([]);
    const gone = await preview(createRun(sandbox()), { news: { ...words, incidentId: "gone" } });
    expect(gone.failure?.text).toContain("not found (HTTP 404)");
    expect((await preview(createRun(withoutKey))).failure?.text).toContain("MONITORING_API_KEY is missing");
    const said = facts().filter(({ is }) => is === undefined);
    expect(said).toEqual([expect.objectContaining({ urn, posts: "will" })]);
    // Facts that were written to the file aren't printed as well.
    expect(notices).toEqual([]);
    Reflect.deleteProperty(process.env, "MONITORING_PREVIEW_FACTS");
    await preview(createRun(sandbox()));
    await preview(createRun(sandbox()), { secrets: new Set() });
    expect(notices).toEqual([
      expect.stringMatching(/^IncidentUpdate "over" posts to .*: [(]secret text[)]$/s),
      expect.stringMatching(/\n {2}[|] We are watching it\.$/),
    ]);
  });

  it("the facts of a preview contain the reason why an unchanged object stops the preview", async () => {
    const run = createRun(sandbox());
    const news = { channelId: "999", [programInput]: { collectsProblems: true, previews: true } };
    const { inputs = {} } = await run.handle({
      ...observed,
      verb: "check",
      olds: { channelId: "999" },
      news,
    });
    expect(sandbox().requests).toEqual([]);
    const olds = { channelId: "999", missing: true };
    const { failure } = await run.handle({ ...observed, verb: "diff", id: "999", olds, news: inputs });
    expect(failure?.text).toContain("999: not found in ");
    expect(facts()).toEqual([{ format: 3, is: "error", text: failure?.text }]);
  });

  it("the facts and warnings of a preview are written only to an existing file, and are printed otherwise", async () => {
    const folder = temporaryFolder();
    const context = createRun(nowhere).createContext(urn);
    context.warn(`${context.label("inc/u1")}: why.`);
    expect(facts()).toEqual([{ format: 3, is: "warning", text: "IncidentUpdate inc/u1: why." }]);
    for (const name of ["", folder, join(folder, "missing")]) {
      process.env["MONITORING_PREVIEW_FACTS"] = name;
      await preview(createRun(sandbox()));
      context.warn("why");
    }
    expect([readdirSync(folder), notices.length]).toEqual([[], 6]);
  });
});

it("a program that collects problems receives invalid inputs, even from each later operation of the preview", async () => {
  const run = createRun(nowhere);
  const news = { ...words, status: "FINE", account: "eu" };
  const problem = expect.stringMatching(
    /^IncidentUpdate "over" \(2 of 2\):\n {2}- status must be one of .*RESOLVED\.\n {2}- account must be .*\.$/,
  ) as string;
  const place = { keys: computeKeys([words, words]), index: 1 };
  const declared = { ...news, [programInput]: { collectsProblems: true, previews: true, place } };
  expect(await run.handle({ ...over, verb: "check", news: declared })).toMatchObject({
    problem,
    problems: [],
  });
  const diff = { verb: "diff", id: "inc/u1", olds: createState(nowhere), news } as const;
  expect(await run.handle({ ...over, ...diff })).toEqual({ changes: true, replaces: [] });
  expect(await preview(run, { news })).toMatchObject({ outputs: { ...news, [programInput]: { problem } } });
  // Each check collects the problems again.
  const later = { ...news, [programInput]: { place: unknown, previews: true } };
  const { problems } = await run.handle({ ...over, verb: "check", news: later });
  expect(problems).toHaveLength(2);
  const { failure } = await run.handle({ ...over, ...diff });
  expect(failure?.text).toContain("account");
  const typo = { channelId: 1, typo: 1, ...collectsProblems };
  const named = { ...observed, urn: urn.replace("IncidentUpdate", "AlertChannel") };
  const { problem: ofChannel } = await run.handle({ ...named, verb: "check", news: typo });
  expect(ofChannel).toMatch(/^AlertChannel "over": typo is not known/);
});

it("a program that collects problems receives a rejected change from the preview of the update", async () => {
  const run = createRun(nowhere);
  const changed = { ...words, description: "Else.", ...collectsProblems };
  const { inputs: news = {} } = await run.handle({ ...over, verb: "check", olds: words, news: changed });
  const call = { ...over, id: "inc/u1", olds: createState(nowhere), news } as const;
  expect(await run.handle({ ...call, verb: "diff" })).toEqual({ changes: true, replaces: [] });
  const problem: unknown = expect.stringContaining("description must not change");
  const outputs: unknown = expect.objectContaining({ [programInput]: { problem } });
  expect(await run.handle({ ...call, verb: "update", isPreview: true })).toMatchObject({ outputs });
});

it.each([
  ["set", urn, { [programInput]: "set" }],
  ["removed", "", {}],
])("an input that only the SDK passes is rejected if it was %s by something else", async (_, of, given) => {
  const news = { ...words, ...given };
  const { problems } = await createRun(nowhere).handle({ ...over, urn: of, verb: "check", news });
  const reason: unknown = expect.stringContaining("a transformation");
  expect(problems).toEqual([{ property: "", reason }]);
});

describe("an object that a program reads", () => {
  const sandbox = sandboxForEachTest();

  it("an object that a program reads is read in a preview, unless its ID or account is unknown", async () => {
    const previewed = (news: object, of: { url: string; apiKey?: string }) =>
      createRun(of).handle({ ...observed, verb: "create", isPreview: true, news: { ...news } });
    notices.length = 0;
    expect((await previewed({ channelId: unknown }, nowhere)).failure).toBeUndefined();
    expect((await previewed({ channelId: 1, account: unknown }, nowhere)).failure).toBeUndefined();
    const { outputs } = await previewed({ channelId: 4101 }, sandbox());
    expect(outputs).toMatchObject({ type: "PAGERDUTY" });
    expect(notices).toEqual([]);
    expect((await previewed({ channelId: 1 }, nowhere)).failure?.text).toContain("could not be reached");
    expect((await previewed({ channelId: 999 }, sandbox())).failure?.text).toContain("not found");
  });

  it("an object that a program reads causes a failure, unless the program collects the problems of a preview and receives it", async () => {
    const run = createRun(sandbox());
    const news = { channelId: 999 };
    await run.handle({ ...observed, verb: "check", news: { ...news, ...collectsProblems } });
    const problem = expect.stringContaining("999: not found in ") as string;
    expect(await run.handle({ ...observed, verb: "create", isPreview: true, news })).toMatchObject({
      id: "",
      outputs: { ...news, [programInput]: { problem } },
    });
    expect(await run.handle({ ...observed, verb: "create", news })).toEqual({ failure: { text: problem } });
    // For a changed resource of a dynamic provider, the engine only calls `check` and `diff` in a preview.
    const changed = { ...news, [programInput]: { collectsProblems: true, previews: true } };
    const checked = run.handle({ ...observed, verb: "check", olds: { channelId: 1 }, news: changed });
    expect(await checked).toMatchObject({ problem });
  });

  it("an object that a program reads is written again if the other adapter wrote its state", async () => {
    const olds = { channelId: 1, origin: undefined, type: "EMAIL" };
    const diff = async (of: object, by: object) => {
      const call = {
        verb: "diff",
        id: "1",
        olds: { ...olds, ...of },
        news: { channelId: 1, ...by },
      } as const;
      return (await createRun(nowhere).handle({ ...observed, ...call })).changes;
    };
    const dynamic = { __provider: "code" };
    const changes = [diff({}, {}), diff(dynamic, dynamic), diff(dynamic, {}), diff({}, dynamic)];
    expect(await Promise.all(changes)).toEqual([false, false, true, true]);
  });

  it("an object that a program reads in two resources isn't affected by a refresh of the other resource", async () => {
    const run = createRun(sandbox());
    const news = { channelId: "4101" };
    const a = { ...observed, urn: "a", id: "4101" } as const;
    const { outputs } = await run.handle({ ...a, verb: "create", news });
    notices.length = 0;
    const olds = { ...outputs, sslExpiryThreshold: 99 };
    const { outputs: drifted = {} } = await run.handle({ ...a, verb: "read", olds });
    const changes: unknown[] = [];
    for (const of of ["b", "a", "a"])
      changes.push((await run.handle({ ...a, urn: of, verb: "diff", olds: drifted, news })).changes);
    expect([changes, notices]).toEqual([[false, true, false], []]);
    // A dynamic provider doesn't receive the URN. The problem is reported once.
    const of = { ...observed, id: "999" } as const;
    const known = { channelId: "999" };
    const { outputs: gone = {} } = await run.handle({ ...of, urn: "", verb: "read", olds: known });
    await run.handle({ ...of, urn: "b", verb: "diff", olds: gone, news: known });
    expect(notices).toEqual([expect.stringContaining("not found")]);
  });
});

it("an update is neither created nor changed before its check, which receives the later entries", async () => {
  const early = {
    failure: { text: expect.stringContaining("create or update was called before check. Nothing") },
  };
  const run = createRun(nowhere);
  expect(await run.handle({ ...over, verb: "create", news: words })).toEqual(early);
  const call = { id: "inc/u1", olds: createState(nowhere), news: words } as const;
  await run.handle({ ...over, verb: "diff", ...call });
  expect(await run.handle({ ...over, verb: "update", ...call })).toEqual(early);
});

it.each<[string, (why: MonitoringError) => Partial<Engine>]>([
  ["has exited", (why) => ({ assertAlive: () => Promise.reject(why) })],
  ["cancels the run", (why) => ({ signal: AbortSignal.abort(why) })],
])("no update is posted if the engine %s", async (_, engine) => {
  const sandbox = await startTestSandbox();
  const run = createRun(sandbox, engine(new MonitoringError("It is over.")));
  const { inputs = {} } = await run.handle({ ...over, verb: "check", news: words });
  const text = 'IncidentUpdate "over": It is over.';
  expect(await run.handle({ ...over, verb: "create", news: inputs })).toEqual({ failure: { text } });
  expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

it("an import returns the inputs of a program that keeps the object", async () => {
  const run = createRun(await startTestSandbox());
  const { inputs } = await run.handle({ ...observed, verb: "import", id: "4101" });
  expect(inputs).toMatchObject({ channelId: "4101" });
});

it("the time limit of an operation ends a read, and for a write starts with its turn", async () => {
  const sandbox = await startTestSandbox();
  sandbox.faults.add({ kind: "hang", operation: "getAlertChannel" });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const run = createRun(sandbox, { assertAlive: () => held });
  const created = async (name: string, news: object, more: object = {}) => {
    const of = { type: "IncidentUpdate", urn: `${urn}-${name}` } as const;
    const { inputs = {} } = await run.handle({ ...of, verb: "check", news: { ...news } });
    return run.handle({ ...of, verb: "create", news: inputs, ...more });
  };
  const first = created("first", words);
  const second = created("second", { ...words, status: "RESOLVED" }, { limitMs: 1_000 });
  const news = { channelId: 4101 };
  const { failure } = await run.handle({ ...observed, verb: "create", news, limitMs: 5_000 });
  expect(failure?.text).toBe(
    "The service did not respond within 5 s, the limit in customTimeouts. Run again, or raise the limit.",
  );
  release();
  const ended = await Promise.all([first, second]);
  expect(ended.map((each) => each.failure?.text)).toEqual([undefined, undefined]);
  sandbox.faults.add({ kind: "hang", operation: "createIncidentUpdate" });
  const began = Date.now();
  const third = await created("third", { ...words, description: "Third." }, { limitMs: 1_000 });
  expect(third.failure?.text).toMatch(/: timed out waiting for the response, so the update may have been/);
  expect(Date.now() - began).toBeLessThanOrEqual(1_000);
});

it.each<[Connection["source"], advice: RegExp]>([
  ["stack", /, run `pulumi config set monitoring:resend [0-9a-f]{8}` \(/],
  ["provider", /, pass resend "[0-9a-f]{8}" to its Provider, then run/],
])("the code of a lost post is set where its connection is configured: %s", async (source, advice) => {
  const { url, apiKey, faults } = await startTestSandbox();
  faults.add({ kind: "reset", operation: "createIncidentUpdate", applied: false, times: 1 });
  const service = { url, apiKey, source };
  const check = async (run: Run) => (await run.handle({ ...over, verb: "check", news: words })).inputs ?? {};
  const first = createRun(service);
  const { failure } = await first.handle({ ...over, verb: "create", news: await check(first) });
  expect(failure?.text).toMatch(advice);
  const { id = "", outputs: olds = {} } = failure?.stateToRecord ?? {};
  expect(id).toMatch(/^inc_checkout_latency\/update-[0-9a-f]+$/);
  notices.length = 0;
  const next = createRun(service);
  const news = await check(next);
  await next.handle({ ...over, verb: "update", isPreview: true, id, olds, news });
  expect(notices.join()).toMatch(advice);
});

describe("a secret description", () => {
  const sandbox = sandboxForEachTest();
  const hidden = new Set(["description"]);
  const everywhere = new Set(["description", "published"]);

  it("a secret description includes any text that the program doesn't pass as public, once the text is known", async () => {
    const { description } = words;
    const said = async (more: object, shown = {}) => {
      const run = createRun(sandbox());
      const news = { ...words, ...more, [programInput]: { shown } };
      const { inputs, hidden: told } = await run.handle({ ...over, verb: "check", news });
      notices.length = 0;
      await preview(run, { news: inputs });
      return [told, notices.some((text) => text.endsWith("(secret text)"))];
    };
    expect(await said({})).toEqual([["description"], true]);
    expect(await said({}, { description })).toEqual([[], false]);
    expect(await said({ description: unknown })).toEqual([["description"], false]);
    const { hidden: ofChannel } = await createRun(nowhere).handle({ ...observed, verb: "check", news: {} });
    expect(ofChannel).toBeUndefined();
  });

  it("a secret description is secret in each response that contains it, even if the service repeats it", async () => {
    const run = createRun(sandbox());
    const { inputs: news = {} } = await run.handle({ ...over, verb: "check", news: words, secrets: hidden });
    notices.length = 0;
    // A dynamic provider only receives the secrets in `check`.
    await preview(run, { news });
    expect(notices).toEqual([expect.stringMatching(/: [(]secret text[)]$/)]);
    const previewed = await preview(run, { news, secrets: hidden });
    const outputs = { ...news, incidentUpdateId: unknown, published: unknown };
    expect(previewed).toMatchObject({ id: "", outputs });
    const created = await run.handle({ ...over, verb: "create", news, secrets: hidden });
    const { id = "", outputs: olds = {} } = created;
    const call = { verb: "update", id, olds, news, secrets: hidden } as const;
    const [kept, shown] = [
      await run.handle({ ...over, ...call }),
      await run.handle({ ...over, ...call, isPreview: true }),
    ];
    expect(shown.outputs).toEqual(olds);
    const read = await run.handle({ ...over, verb: "read", id, olds, oldSecrets: hidden });
    const answers = [previewed, created, kept, shown, read];
    expect(answers.map(({ secrets }) => secrets)).toEqual(answers.map(() => everywhere));
  });

  it.each([
    ["was", { secrets: new Set<string>(), oldSecrets: hidden }],
    ["is", { secrets: hidden, oldSecrets: new Set<string>() }],
  ])("a description that %s secret is secret in the recorded state of a failure", async (_, marks) => {
    // A short deadline ends the search for the update early.
    process.env["MONITORING_DEADLINE_MS"] = "100";
    const olds = createSentState(sandbox());
    sandbox().faults.add({ kind: "status", code: 403 });
    const run = createRun(sandbox());
    await run.handle({ ...over, verb: "check", olds: words, news: words, ...marks });
    const { failure } = await run.handle({
      ...over,
      ...{ verb: "update", id: "inc/u1", olds, news: words },
      ...marks,
    });
    const { record } = olds;
    expect(failure).toMatchObject({
      text: expect.stringContaining("a previous run sent this update"),
      stateToRecord: { outputs: { record }, secrets: everywhere },
    });
  });

  it.each([
    ["was secret", "hidden", hidden, "(MONITORING, a secret text)"],
    ["may have been secret", "hidden", undefined, "(MONITORING, a secret text)"],
    ["was public", "quoted", new Set<string>(), `(MONITORING: "${words.description}")`],
  ])("a description that %s is %s if its change is rejected", async (_, __, oldSecrets, quoted) => {
    const run = createRun(sandbox());
    const { inputs: olds = {} } = await run.handle({ ...over, verb: "check", news: words });
    const { id = "", outputs = {} } = await run.handle({ ...over, verb: "create", news: olds });
    const next = createRun(sandbox());
    const marks = { secrets: new Set<string>(), oldSecrets };
    const changed = { ...words, description: "It is over." };
    const { inputs: news = {} } = await next.handle({
      ...over,
      verb: "check",
      olds,
      news: changed,
      ...marks,
    });
    const { failure } = await next.handle({ ...over, verb: "diff", id, olds: outputs, news, ...marks });
    const reason = `: description must not change, because the update is public ${quoted}. Nothing was posted.`;
    expect(failure?.text).toContain(reason);
    // In a preview, a dynamic provider rejects the change in `check`.
    const previews = { ...changed, [programInput]: { collectsProblems: true, previews: true } };
    const checking = { ...over, verb: "check", olds, news: previews, ...marks } as const;
    expect((await createRun(sandbox()).handle(checking)).problem).toContain(reason);
  });
});

it("a preview warns about a possible error, and about an incident that it couldn't read", async () => {
  const sandbox = await startTestSandbox();
  notices.length = 0;
  await preview(createRun(sandbox), { news: { ...words, publicIncidentUpdateDate: "2199-01-01T00:00:00Z" } });
  expect(notices).toContain(
    'IncidentUpdate "over": publicIncidentUpdateDate is in the future. The page will show this date.',
  );
  process.env["MONITORING_DEADLINE_MS"] = "100";
  sandbox.faults.add({ kind: "status", code: 503 });
  notices.length = 0;
  await preview(createRun(sandbox));
  expect(notices[0]).toContain("getStatusPageIncident");
});

describe("a policy that remediates", () => {
  it.each([
    ["causes an error if it changes a resource that the engine replaces", { notifySubscribers: true }, 1],
    ["causes no error if it changes no part of a resource that the engine replaces", {}, 0],
    ["causes no error if it changes only its own property", { tags: ["on-call"] }, 0],
  ])("a policy that remediates %s", async (_, changes, count) => {
    const run = createRun(nowhere);
    const { inputs } = await run.handle({ ...over, verb: "check", olds: words, news: words });
    const call = {
      verb: "diff",
      id: "inc/u1",
      olds: createState(nowhere),
      news: { ...inputs, ...changes },
    } as const;
    await run.handle({ ...over, ...call });
    // The engine checks the replacement without the policy's changes.
    const reason =
      "notifySubscribers was changed after validation, probably by a remediation policy. Nothing was posted. Make the change in the program";
    const { problems } = await run.handle({ ...over, verb: "check", news: words });
    expect(problems).toEqual(Array(count).fill({ property: "", reason }));
  });

  it("a policy that remediates changes only the state of a public update, and nothing of an update that may become public", async () => {
    const run = createRun(nowhere);
    const declared = { ...words, [programInput]: { previews: true } };
    const { inputs } = await run.handle({ ...over, verb: "check", olds: words, news: declared });
    const of = { ...over, id: "inc/u1", news: { ...inputs, notifySubscribers: true } } as const;
    const diff = (olds: object) => run.handle({ ...of, verb: "diff", olds: { ...olds } });
    const olds = createState(nowhere);
    notices.length = 0;
    expect(await diff(olds)).toEqual({ changes: true, replaces: [] });
    expect(notices).toEqual([expect.stringContaining("changes only in the state")]);
    for (const isPreview of [true, false]) {
      const { failure } = await run.handle({ ...of, verb: "update", olds, isPreview });
      expect(failure?.text ?? "").not.toContain("policy");
    }
    const { failure } = await diff(createSentState(nowhere));
    expect(failure?.text).toMatch(
      /"over": notifySubscribers was changed after validation, probably by a remediation policy/,
    );
  });

  it("a policy that remediates can't change an edit", async () => {
    const run = createRun(nowhere);
    const onPage = { statusPageId: "page" };
    const declared = { ...words, ...onPage, description: "Sorry.", [programInput]: { key: "k" } };
    const { inputs } = await run.handle({ ...over, verb: "check", olds: words, news: declared });
    const diff = (changes: object) =>
      run.handle({
        ...over,
        ...{ verb: "diff", id: "page/inc/u1", olds: createState(nowhere, onPage) },
        news: { ...inputs, ...changes },
      });
    expect(await diff({})).toEqual({ changes: true, replaces: [] });
    const { failure } = await diff({ description: "Over." });
    expect(failure?.text).toMatch(
      /"over": description was changed after validation, probably by a remediation policy/,
    );
  });

  it.each([{}, { place: { keys: computeKeys([words]), index: 0 }, order: 1 }])(
    "a policy that remediates causes an error for posts that it changes, and no other errors, in a program with the input %j",
    async (program) => {
      const run = createRun(nowhere);
      const { inputs } = await run.handle({
        ...over,
        verb: "check",
        news: { ...words, [programInput]: program },
      });
      const refused = expect.stringMatching(
        /^IncidentUpdate "over".*: status, description were changed after validation, probably by a remediation policy\. Nothing was posted\. Make the/,
      ) as string;
      const news = { ...inputs, tags: ["on-call"], status: "RESOLVED", description: "Sorry." };
      for (const isPreview of [true, false])
        expect(await run.handle({ ...over, verb: "create", isPreview, news })).toEqual({
          failure: { text: refused },
        });
      notices.length = 0;
      await preview(run, { news: { ...inputs, tags: ["on-call"] } });
      expect(notices.at(-1)).toMatch(/^IncidentUpdate "over".* posts to /);
    },
  );
});

const namesNoResources = { namesNoResources: true };
const known = { incidentId: "inc", incidentUpdateId: "u2" };
const lost = { incidentId: "inc", record: {} };
it.each<[string, object, name: string, visibility: string, engine?: Partial<Engine>, of?: string]>([
  ["whose incident isn't a string", { ...known, incidentId: 7 }, " inc/u1", "stays public"],
  ["of a lost post", lost, " on incident inc", "may be public"],
  ["of a public update", known, " inc/u2", "stays public"],
  ["of a lost post under the stack", lost, ' "over" on incident inc', "may be public", namesNoResources],
  ["of a public update under the stack", known, ' "over", inc/u2', "stays public", namesNoResources],
  ["of an unknown resource", known, " inc/u2", "stays public", namesNoResources, ""],
])("the removal of a state %s, even a damaged one, names it", async (...row) => {
  const [, olds, name, visibility, engine, of = urn] = row;
  notices.length = 0;
  await createRun(nowhere, engine).handle({
    ...over,
    ...{ urn: of, verb: "delete", id: "inc/u1", olds: { ...olds } },
  });
  const said = `IncidentUpdate${name}: removed from the state. The update ${visibility}. To take it off the page, delete it in the dashboard.`;
  expect(notices).toEqual([said]);
});

it.each([
  ["of this package", new MonitoringError("Why."), "Why."],
  ["of the code", new TypeError("x is undefined"), /please report it: TypeError: x is undefined$/],
  ["that isn't an Error", "x", /please report it: an unknown failure$/],
])("an error %s has a message for the user", (_, error, message) => {
  expect(getErrorMessage(error)).toEqual(
    typeof message === "string" ? message : expect.stringMatching(message),
  );
});
