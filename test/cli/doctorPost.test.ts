/** `monitoring doctor` where it waits: posts on services that treat ids and reads differently, and which guarantee follows from each. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import "../lifecycles/idleClock";
import { idTestOf, idTestText, limitLines, type Measures } from "../../cli/idResults";
import { type FaultInput, type Sandbox, type SandboxOptions, wellKnown } from "../../sandbox";
import { send, serve, until } from "../client/services";
import { created, incidentId, latestId, sandboxWith, updatesOf } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { doctor } from "./running";

const found = async (options: SandboxOptions, args?: string) => foundIn(await sandboxWith(options), args);

async function foundIn(sandbox: Sandbox, args = "", on = `--post-to ${incidentId} --yes`) {
  const { code, stdout, stderr } = await doctor(sandbox, `${on} ${args}`);
  const block = stdout.slice(stdout.indexOf("### monitoring doctor, pulumi-monitoring-service "));
  const lines = [...block.matchAll(/^- (.*?): (.*)$/gm)].map(
    ([, name = "", text = ""]) => [name, text] as const,
  );
  const { Service, Shown, Guarantee, ...others } = Object.fromEntries(lines);
  const posts = sandbox.requests.filter(({ method }) => method === "POST").length;
  return { code, sandbox, stdout, stderr, posts, block, Service, Shown, Guarantee, others };
}

const once = /^A declared update exists once, also with two machines/;
const limited = /^A declared update exists once, with the limitations of a service that ignores ids/;
const second = "Second post of the same id";
const used = { "Id of an update": "used", "Public date": "returned to the second", Text: "returned as sent" };

test.each([
  ["honoured", "used", "rejected (HTTP 409)", once, 1],
  ["honoured-idempotent", "used", "returned the first update (HTTP 200)", once, 1],
  ["ignored", "ignored", "created a second update (HTTP 201)", limited, 2],
  ["rejected", "rejected", "not sent", limited, 1],
] as const)("says which guarantee follows where ids are %s", async (ids, use, again, guarantee, lines) => {
  const { code, sandbox, posts, ...block } = await found({ ids });
  expect({ code, posts }).toEqual({ code: 0, posts: 2 });
  expect(block.Service).toBe(sandbox.url);
  expect(block.others).toEqual({ ...used, "Id of an update": use, [second]: again });
  expect(block.Guarantee).toMatch(guarantee);
  expect(block.Shown).toMatch(/ms after the response to the post, at the first read$/);
  for (const secret of [sandbox.apiKey, sandbox.accountId, incidentId])
    expect(block.block).not.toContain(secret);
  expect(updatesOf(sandbox)).toHaveLength(2 + lines);
});

test("a yes is typed before a post with an id, a date and the status of the newest update, which emails nobody", async () => {
  const sandbox = await sandboxWith({ ids: "honoured" });
  const mailed = sandbox.mailed();
  const { code, stderr } = await doctor(sandbox, `--post-to ${incidentId}`, { typed: "yes" });
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /What is posted is public at once, and stays public\. Nobody is emailed\. Use a test incident\.\nPost\? \(yes\/no\) .*Posting, and reading the incident until /s,
  );
  const [posted, ...others] = updatesOf(sandbox);
  expect(others).toHaveLength(2);
  expect(posted?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-5/);
  expect(posted).toMatchObject({ notifySubscribers: false, status: "IDENTIFIED" });
  expect(posted?.description).toMatch(/\nTwo {2}spaces, "quotes", accents \(é, ü\), and an emoji: 🎉$/u);
  expect(Date.now() - Date.parse(posted?.publicIncidentUpdateDate ?? "")).toBeGreaterThan(60_000);
  expect(sandbox.mailed()).toBe(mailed);
});

const { shop } = wellKnown.componentPages;
const { checkoutOutage } = wellKnown.componentPageIncidents;
const onShop = `--post-to ${checkoutOutage} --status-page ${shop} --yes`;

describe("on a page with components", () => {
  const newestOf = (sandbox: Sandbox) => sandbox.incident(checkoutOutage, shop).incidentUpdates[0];
  const postsOf = ({ requests }: Sandbox) => requests.filter(({ method }) => method === "POST");

  test("posts one update without an id, and says which guarantee holds", async () => {
    const sandbox = await sandboxWith({ ids: "honoured" });
    const mailed = sandbox.mailed();
    const { code, block, stderr, others, Guarantee } = await foundIn(sandbox, "", onShop);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^This sends at most one post on .* three minutes ago\. What is posted is public/);
    const id = "not sent, because pages with components take none";
    expect(others).toEqual({ ...used, "Id of an update": id, [second]: "not sent" });
    expect(Guarantee).toMatch(limited);
    expect(block).not.toContain(checkoutOutage);
    expect(postsOf(sandbox).map(({ body }) => body)).toEqual([
      {
        status: "IDENTIFIED",
        description: newestOf(sandbox)?.description,
        publicIncidentUpdateDate: newestOf(sandbox)?.publicIncidentUpdateDate,
        notifySubscribers: false,
      },
    ]);
    expect(sandbox.mailed()).toBe(mailed);
  });

  test("has a value of its own in json", async () => {
    const { stdout } = await doctor(await sandboxWith(), `${onShop} --format json`);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, ids: { ids: "not sent", isConclusive: true } });
  });

  test("sends a date that the page takes for an incident that has just begun", async () => {
    const sandbox = await sandboxWith();
    const created_at = new Date().toISOString();
    sandbox.byHand.editIncident(checkoutOutage, { created_at }, shop);
    const { code, others } = await foundIn(sandbox, "", onShop);
    expect([code, others["Public date"]]).toEqual([0, "returned to the second"]);
  });

  test("says how long reads lack an update whose response is lost", async () => {
    const operation = "createComponentPageIncidentUpdate";
    const lost: FaultInput = { kind: "reset", operation, skip: 1, applied: true };
    const sandbox = await sandboxWith({ faults: [lost, late] });
    const file = join(temporaryFolder(), "transcript.md");
    const { code, stderr, others } = await foundIn(sandbox, `--record ${file}`, onShop);
    expect(code).toBe(0);
    expect(stderr).toContain("This sends at most two posts");
    expect(stderr).toContain("; then another one. ");
    expect(postsOf(sandbox)).toHaveLength(2);
    expect(others["Limit of 16 seconds to find an update whose response is lost"]).toMatch(
      /^NOT KEPT; .* 2\d{4} ms/,
    );
  });
});

const example = join(__dirname, "..", "..", "docs", "transcript.md");

/** A transcript without the times, dates, ids and versions that each run has of its own. */
const stable = (transcript: string): string =>
  transcript
    .replace(/\d+ ms/g, "12 ms")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-11-20T12:00:00.000Z")
    .replace(/\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, "Fri, 20 Nov 2026 12:00:00 GMT")
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "6f1c2f6e-0000-5000-8000-000000000000")
    .replace(/pulumi-monitoring-service \d[\d.]*, Node \d[\d.]*/, "pulumi-monitoring-service 1.0.0, Node 20");

const textsIn = (value: unknown): string[] => {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === "string" ? [value] : [];
};

/** The transcript of a test that sends so many posts, which has nothing of keys, accounts, addresses and texts. */
async function recorded(on: string, posts: number): Promise<string> {
  const sandbox = await sandboxWith();
  const before = textsIn(sandbox.data);
  const file = join(temporaryFolder(), "transcript.md");
  const { code, stderr } = await doctor(sandbox, `${on} --history --record ${file}`);
  expect(code).toBe(0);
  expect(stderr).toContain(`This sends at most ${posts} posts on incident`);
  expect(sandbox.requests.filter(({ method }) => method === "POST")).toHaveLength(posts);
  const transcript = readFileSync(file, "utf8");
  const harmless = /^(?:[A-Z_]+|[\d-]+T?[\d:.]*Z?|.{0,6}|content-type|application.json)$/;
  const secrets = [sandbox.apiKey, sandbox.accountId, new URL(sandbox.url).host, incidentId, ...before];
  // The name of a field has the name of a service.
  const searched = transcript.replaceAll("googleAnalyticsTag", "");
  expect(secrets.filter((each) => !harmless.test(each) && searched.includes(each))).toEqual([]);
  return transcript;
}

// Delete the page, and run this, to write it again.
test("--record writes the transcript of docs/transcript.md, and nothing of keys, accounts, addresses and texts", async () => {
  const transcript = await recorded(`--post-to ${incidentId} --yes`, 104);
  if (!existsSync(example)) writeFileSync(example, stable(transcript));
  expect(stable(transcript)).toBe(readFileSync(example, "utf8"));
});

test("--record writes no more of a page with components", async () => {
  const transcript = await recorded(onShop, 103);
  expect(transcript).toMatch(
    /^### POST \/v3\/status-pages\/\(id \d+\)\/incidents\/\(id \d+\)\/incident-updates$/m,
  );
});

test("a service that rejects the post whose response is lost shows no limit", async () => {
  const forbids = { kind: "status", operation: "createIncidentUpdate", skip: 2, code: 403 } as const;
  const file = join(temporaryFolder(), "transcript.md");
  const { others } = await found({ faults: [forbids] }, `--record ${file}`);
  expect(others["Limits of a run"]).toBe("unknown, because a request failed");
});

const post = { operation: "createIncidentUpdate", skip: 1, times: 1 } as const;
const failsToApply = (code: number) => ({ kind: "status", ...post, code }) as const;
const lag: FaultInput = { kind: "lateVisibility", ms: 3_000 };
const twice = "created a second update";
const late: FaultInput = { kind: "lateVisibility", ms: 20_000 };

test.each<[string, SandboxOptions, result: string]>([
  ["429", { ids: "honoured", faults: [{ kind: "rateLimit", ...post, retryAfter: 1 }] }, "unknown (HTTP 429)"],
  ["no response", { ids: "honoured", faults: [{ kind: "reset", ...post }] }, "unknown (no response)"],
  ["504, shown late", { faults: [{ ...failsToApply(504), applied: true }, late] }, `${twice} (HTTP 504)`],
])("a second post with %s isn't sent again, and says what it proves", async (_, options, result) => {
  const { code, posts, others, Guarantee } = await found(options);
  expect({ posts, result: others[second] }).toEqual({ posts: 2, result });
  expect(code).toBe(result.startsWith("unknown") ? 1 : 0);
  expect(Guarantee).toMatch(limited);
});

type Line = Readonly<Record<string, unknown>>;

test.each<[how: string, linesOf: (post: Line, turn: number) => Line[], status: number, result: string]>([
  ["an edited text", (post) => [{ ...post, description: "TEST" }], 201, twice],
  ["another text", (post, turn) => [turn > 1 ? { ...post, id: "a", description: "" } : post], 409, "unknown"],
  ["another id, from one post", (post, turn) => (turn > 1 ? [] : [post, { ...post, id: "a" }]), 409, twice],
])("a second line with %s is not promised to be the first", async (_, linesOf, status, result) => {
  const history: Line[] = [{ id: "old", description: "", status: "MONITORING" }];
  let turn = 0;
  const service = await serve((response, { method, body }) => {
    const post = method === "POST" ? (JSON.parse(body) as Line) : undefined;
    if (post) history.unshift(...linesOf(post, ++turn));
    const incident = { entries: [], id: "inc", name: "Checkout", incidentUpdates: history };
    send(response, post ?? incident, post && turn > 1 ? status : 201);
  });
  const { stdout } = await doctor({ ...service, apiKey: "mon_key", accountId: "a" }, "--post-to inc --yes");
  expect(stdout).toContain(
    `${second}: ${result} (HTTP ${status})\n- Guarantee: A declared update exists once, with the limitations`,
  );
});

test("an update whose id is shown in capitals is the first one", async () => {
  const sandbox = await sandboxWith({ ids: "honoured", faults: [{ ...lag, times: 1 }] });
  const finding = foundIn(sandbox);
  await until(() => created(sandbox) === 1);
  sandbox.byHand.editUpdate(incidentId, latestId(sandbox), { id: latestId(sandbox).toUpperCase() });
  expect((await finding).Shown).toMatch(/ms after the response to the post/);
});

test.each([
  [422, "rejected", 2],
  [415, undefined, 1],
])(
  "a first post that is rejected with %d is sent again without its id, if the id may be why",
  async (code, ids, sent) => {
    const { posts, others } = await found({ faults: [{ ...failsToApply(code), skip: 0 }] });
    expect([others["Id of an update"], posts]).toEqual([ids, sent]);
  },
);

test("says how long reads lack the update", async () => {
  const { Shown } = await found({ faults: [late] });
  expect(Shown).toMatch(/^2[01]\d{3} ms after the response to the post, not yet after 1\d{4} ms$/);
});

test("says that reads never have the update", async () => {
  const block = await found({ faults: [{ kind: "lateVisibility", ms: 3_600_000 }] });
  expect(block.Shown).toMatch(/^not within 6[0-2]\d{3} ms/);
  expect(block.others).toMatchObject({ "Public date": "unknown", Text: "unknown", [second]: "not sent" });
});

type Observation = Parameters<typeof idTestOf>[1];

const sent = "2026-01-02T10:30:37.000Z";
const statuses = [undefined, 200, 201, 302, 303, 400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 504];
const lineCounts = [undefined, 0, 1, 2, 3];
const seconds = statuses.flatMap((httpStatus) =>
  [true, false].flatMap((isFirst) => lineCounts.map((lines) => ({ httpStatus, isFirst, lines }))),
);
/** Kept, changed, dropped and unknown. */
const dates = ["2026-01-02T10:30:37Z", "2026-01-02T10:30:38Z", null, undefined];
const observations: Observation[] = [undefined, ...seconds].flatMap((second) =>
  (["used", "ignored", "rejected", "not sent"] as const).flatMap((ids) =>
    dates.map((shown) => {
      const shownMs = shown === undefined ? undefined : 12;
      return { ids, shownMs, hiddenMs: undefined, date: { sent, shown }, isTextKept: true, second };
    }),
  ),
);

test("the whole guarantee is promised only if one line and the response prove it, for every observation", () => {
  const promises = observations.map((observation) => {
    const { ids, second } = observation;
    const { isConclusive, guarantee } = idTestOf("https://service.example", observation);
    const text = guarantee.join(" ");
    const isRejection = [400, 409, 422].includes(second?.httpStatus ?? 0);
    const isProven = ids === "used" && second?.lines === 1 && (second.isFirst || isRejection);
    const isDisproven = ids !== "used" || (second?.lines ?? 0) > 1;
    const isInDoubt = isProven && [400, 422].includes(second.httpStatus ?? 0);
    const expected = { isOnce: isProven, isConclusive: isProven || isDisproven, isInDoubt };
    return {
      promised: {
        observation,
        ...{ isOnce: once.test(text), isConclusive, isInDoubt: text.includes("keep `monitoring:clientIds`") },
        isRepeated: text.includes("run this again"),
      },
      proven: { observation, ...expected, isRepeated: !expected.isConclusive },
    };
  });
  expect(promises.map(({ promised }) => promised)).toEqual(promises.map(({ proven }) => proven));
});

const firstSeen: Observation = {
  ids: "rejected",
  shownMs: 12,
  hiddenMs: undefined,
  date: { sent, shown: sent },
  isTextKept: true,
  second: undefined,
};

test("says a sentence of its own for what an observation shows", () => {
  const few = observations.filter(({ second }) => [undefined, 200, 422, 429].includes(second?.httpStatus));
  const late = [999, 1_000].map((hiddenMs) => ({ ...firstSeen, hiddenMs, shownMs: 1_200 }));
  const observed = [...few, ...late, { ...firstSeen, isTextKept: false }];
  const sentences = new Set(observed.flatMap((observation) => idTestOf("", observation).guarantee));
  expect([...sentences].sort()).toMatchSnapshot();
  const never = { ...firstSeen, hiddenMs: 61_000, shownMs: undefined };
  const text = idTestText(idTestOf("https://service.example", never));
  expect(text.replace(/^###.*/, "")).toMatchSnapshot();
});

test.each<[measured: Partial<Measures>, twoMinutes: string, search: string, history: string]>([
  [{}, "kept", "kept", "kept"],
  [{ shownMs: 15_501 }, "kept", "NOT KEPT", "kept"],
  [{ shownMs: 60_001 }, "NOT KEPT", "NOT KEPT", "kept"],
  [{ shownMs: undefined }, "NOT KEPT", "NOT KEPT", "kept"],
  [{ postMs: 60_001 }, "NOT KEPT", "kept", "kept"],
  [{ updates: 99 }, "kept", "kept", "NOT KEPT"],
  [{ updates: 99, isFull: false }, "kept", "kept", "unknown"],
  [{ updates: 100, isFull: false }, "kept", "kept", "kept"],
  [{ updates: undefined }, "kept", "kept", "unknown"],
])("says which limits a service keeps that shows %j", (measured, ...kept) => {
  const lines = limitLines({ shownMs: 15_500, postMs: 60_000, updates: 101, isFull: true, ...measured });
  expect(lines.map((line) => /: (.*?);/.exec(line)?.[1])).toEqual(kept);
});
