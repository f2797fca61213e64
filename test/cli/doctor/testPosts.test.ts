/** `monitoring doctor` where it waits: posts on services that treat ids and reads differently, and which guarantee follows from each. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import "../../lifecycles/idleClock";
import { idTestOf } from "../../../cli/doctor/idResults";
import { type FaultInput, type Sandbox, type SandboxOptions, wellKnown } from "../../../sandbox";
import { send, serve, until } from "../../client/services";
import { created, incidentId, latestId, sandboxWith, updatesOf } from "../../sandbox/sandboxes";
import { temporaryFolder } from "../../temporaryFolder";
import { doctor } from "../running";

const found = async (options: SandboxOptions, args?: string) => foundIn(await sandboxWith(options), args);

async function foundIn(sandbox: Sandbox, args = "", on = `--post-to ${incidentId} --yes`) {
  const { code, stdout, stderr } = await doctor(sandbox, `${on} ${args}`);
  const block = stdout.slice(stdout.indexOf("### monitoring doctor, pulumi-monitoring-service "));
  const lines = [...block.matchAll(/^- (.*?): (.*)$/gm)].map(
    ([, name = "", text = ""]) => [name, text] as const,
  );
  const [limits, texts] = [true, false].map((isLimit) =>
    lines.filter(([name]) => /^Limit /.test(name) === isLimit),
  );
  const { Service, Page, Posts, Shown, Guarantee, ...others } = Object.fromEntries(texts ?? []);
  const posts = sandbox.requests.filter(({ method }) => method === "POST").length;
  const kept = (limits ?? []).map(([, text]) => text.split(";")[0]);
  return { code, sandbox, stdout, stderr, posts, block, Service, Shown, Guarantee, others, kept };
}

const once = /^A declared update exists once, also with two machines/;
const limited = /^A declared update exists once, with the limitations of a service that ignores ids/;
const second = "Second post of the same id";
const used = { "Id of an update": "used", "Public date": "returned to the second", Text: "returned as sent" };

test("a test says which guarantee follows, where a second post of an id returns the first update", async () => {
  const { code, sandbox, posts, ...block } = await found({ ids: "honoured-idempotent" });
  expect({ code, posts }).toEqual({ code: 0, posts: 2 });
  expect(block.Service).toBe(sandbox.url);
  expect(block.others).toEqual({ ...used, [second]: "returned the first update (HTTP 200)" });
  expect(block.Guarantee).toMatch(once);
  expect(block.Shown).toMatch(/ms after the response to the post, at the first read$/);
  for (const secret of [sandbox.apiKey, sandbox.accountId, incidentId])
    expect(block.block).not.toContain(secret);
  expect(updatesOf(sandbox)).toHaveLength(3);
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

  test("a test on a page with components posts one update without an id, and says which guarantee holds", async () => {
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

  test("a test on a page with components has a value of its own in json", async () => {
    const { stdout } = await doctor(await sandboxWith(), `${onShop} --format json`);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, ids: { ids: "not sent", isConclusive: true } });
  });

  test("a test on a page with components sends a date that the page takes for an incident that has just begun", async () => {
    const sandbox = await sandboxWith();
    const created_at = new Date().toISOString();
    sandbox.byHand.editIncident(checkoutOutage, { created_at }, shop);
    const { code, others } = await foundIn(sandbox, "", onShop);
    expect([code, others["Public date"]]).toEqual([0, "returned to the second"]);
  });

  test("a test on a page with components says how long reads lack an update whose response is lost", async () => {
    const operation = "createComponentPageIncidentUpdate";
    const lost: FaultInput = { kind: "reset", operation, skip: 1, applied: true };
    const sandbox = await sandboxWith({ faults: [lost, late] });
    const file = join(temporaryFolder(), "transcript.md");
    const { code, stderr, kept } = await foundIn(sandbox, `--record ${file}`, onShop);
    expect(code).toBe(1);
    expect(stderr).toContain("This sends at most two posts");
    expect(stderr).toContain("; then another one. ");
    expect(postsOf(sandbox)).toHaveLength(2);
    expect(kept).toEqual(["kept", "NOT KEPT", "unknown"]);
  });
});

const example = join(__dirname, "..", "..", "..", "docs", "transcript.md");

const preface =
  "This page is the record of a run on the sandbox, normalized: each duration is `N ms`, each time of the run `2026-11-20T12:00:00.000Z`, " +
  "each new id `6f1c2f6e-0000-5000-8000-000000000000`, and there are no versions. A record has all of these.\n\n";

/** A transcript without the times, dates, ids and versions that each run has of its own. */
const stable = (transcript: string): string =>
  transcript
    .replace("\n\n", `\n\n${preface}`)
    .replace(/\d+ ms/g, "N ms")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-11-20T12:00:00.000Z")
    .replace(/\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, "Fri, 20 Nov 2026 12:00:00 GMT")
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "6f1c2f6e-0000-5000-8000-000000000000")
    .replace(/(?<=, pulumi-monitoring-service) \d[\d.]*, Node \d[\d.]*/, "");

const textsIn = (value: unknown): string[] => {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return typeof value === "string" ? [value] : [];
};

/** The transcript of a test that sends so many posts, which has nothing of keys, accounts, addresses and texts. */
async function recorded(on: string, posts: "two" | "three"): Promise<string> {
  const sandbox = await sandboxWith();
  const before = textsIn(sandbox.data);
  const file = join(temporaryFolder(), "transcript.md");
  const { code, stderr } = await doctor(sandbox, `${on} --record ${file}`);
  expect(code).toBe(0);
  expect(stderr).toContain(`This sends at most ${posts} posts on incident`);
  expect(sandbox.requests.filter(({ method }) => method === "POST")).toHaveLength(posts === "two" ? 2 : 3);
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
  const transcript = await recorded(`--post-to ${incidentId} --yes`, "three");
  expect(transcript.split("\n").length).toBeLessThanOrEqual(300);
  if (!existsSync(example)) writeFileSync(example, stable(transcript));
  expect(stable(transcript)).toBe(readFileSync(example, "utf8"));
});

test("--record writes no more of a page with components", async () => {
  const transcript = await recorded(onShop, "two");
  expect(transcript).toMatch(
    /^### POST \/v3\/status-pages\/\(id \d+\)\/incidents\/\(id \d+\)\/incident-updates$/m,
  );
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends the test, and says what is public, also in the record",
  async (signal) => {
    const sandbox = await sandboxWith({ faults: [late] });
    const file = join(temporaryFolder(), "transcript.md");
    const listeners = process.listenerCount(signal);
    const finding = foundIn(sandbox, `--record ${file}`);
    await until(() => created(sandbox) === 1);
    process.emit(signal, signal);
    // `npx` passes on what a terminal sends to both: the second one must not end the process before the record is written.
    expect(process.listenerCount(signal)).toBe(listeners + 1);
    process.emit(signal, signal);
    const { code, stdout, posts } = await finding;
    expect({ code, posts }).toEqual({ code: 1, posts: 1 });
    expect(stdout).toContain(`What the service does with an update is unknown. Interrupted by ${signal}.\n`);
    const line =
      'Public: at most 1 update of this test, with texts that begin with "Test of pulumi-monitoring-service:".';
    expect(stdout).toContain(`\n${line}\n`);
    const transcript = readFileSync(file, "utf8");
    expect(transcript).toContain(`The use of ids is unknown. ${line}`);
    expect(transcript).toContain("### POST /v1/status-pages/incidents/(id ");
    expect(process.listenerCount(signal)).toBe(listeners);
  },
);

test("a service that rejects the post whose response is lost keeps no limit for certain", async () => {
  const forbids = { kind: "status", operation: "createIncidentUpdate", skip: 2, code: 403 } as const;
  const file = join(temporaryFolder(), "transcript.md");
  const { code, block, kept } = await found({ faults: [forbids] }, `--record ${file}`);
  expect(code).toBe(1);
  expect(kept).toEqual(["unknown", "unknown", "unknown"]);
  expect(block).toContain("\n- A post that measures these limits failed: run this again");
});

const secondOne = { operation: "createIncidentUpdate", skip: 1, times: 1 } as const;
const failsToApply = (code: number) => ({ kind: "status", ...secondOne, code }) as const;
const honoured = (...faults: FaultInput[]): SandboxOptions => ({ ids: "honoured", faults });
const lag: FaultInput = { kind: "lateVisibility", ms: 3_000 };
const twice = "created a second update";
const late: FaultInput = { kind: "lateVisibility", ms: 20_000 };

test.each<[string, SandboxOptions, result: string]>([
  ["429", honoured({ kind: "rateLimit", ...secondOne, retryAfter: 1 }), "unknown (HTTP 429)"],
  ["no response", honoured({ kind: "reset", ...secondOne }), "unknown (no response)"],
  ["504, shown late", { faults: [{ ...failsToApply(504), applied: true }, late] }, `${twice} (HTTP 504)`],
])("a second post with %s isn't sent again, and says what it proves", async (_, options, result) => {
  const { code, posts, others, Guarantee } = await found(options);
  expect({ posts, result: others[second] }).toEqual({ posts: 2, result });
  expect(code).toBe(1);
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
  const sandbox = await sandboxWith(honoured({ ...lag, times: 1 }));
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

test("a test of posts says how long reads lack the update", async () => {
  const { Shown } = await found({ faults: [late] });
  expect(Shown).toMatch(/^2[01]\d{3} ms after the response to the post, not yet after 1\d{4} ms$/);
});

test("a test of posts says that reads never have the update", async () => {
  const block = await found({ faults: [{ kind: "lateVisibility", ms: 3_600_000 }] });
  expect(block.Shown).toMatch(/^not within 6[0-2]\d{3} ms/);
  expect(block.block).toContain("reads showed 0 of 1 update in time, and one was never shown\n");
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
const description = "Test";
const observed: Observation = {
  page: "cards",
  ids: "rejected",
  shown: [{ shownMs: 12, hiddenMs: undefined }],
  sent: { description, publicIncidentUpdateDate: sent },
  updates: [{ description, publicIncidentUpdateDate: sent }],
  second: undefined,
  postMs: [12],
  history: { updates: 6, isCut: false },
  isComplete: true,
};
const never = { shownMs: undefined, hiddenMs: 61_000 };

const observations: Observation[] = [undefined, ...seconds].flatMap((second) =>
  (["used", "ignored", "rejected", "not sent"] as const).flatMap((ids) =>
    dates.map((date) => ({
      ...observed,
      ids,
      shown: date === undefined ? [never] : observed.shown,
      updates: date === undefined ? [] : [{ description, publicIncidentUpdateDate: date }],
      second,
    })),
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

test("a test of posts says a sentence of its own for what an observation shows", () => {
  const few = observations.filter(({ second }) => [undefined, 200, 422, 429].includes(second?.httpStatus));
  const late = [999, 1_000].map((hiddenMs) => ({ ...observed, shown: [{ hiddenMs, shownMs: 1_200 }] }));
  const edited = { ...observed, updates: [{ description: "TEST", publicIncidentUpdateDate: sent }] };
  const sentences = new Set(
    [...few, ...late, edited].flatMap((observation) => idTestOf("", observation).guarantee),
  );
  expect([...sentences].sort()).toMatchSnapshot();
});

test.each<[measured: Partial<Observation>, ...kept: string[]]>([
  [{}, "kept", "kept", "unknown"],
  [{ shown: [{ shownMs: 15_500, hiddenMs: 13_500 }] }, "kept", "kept", "unknown"],
  [{ shown: [{ shownMs: 15_501, hiddenMs: 13_500 }, ...observed.shown] }, "kept", "not kept", "unknown"],
  [{ shown: [...observed.shown, { shownMs: 60_001, hiddenMs: 1 }] }, "not kept", "not kept", "unknown"],
  [{ shown: [...observed.shown, never, ...observed.shown] }, "not kept", "not kept", "unknown"],
  [{ postMs: [12, 60_000] }, "kept", "kept", "unknown"],
  [{ postMs: [60_001, 12] }, "not kept", "kept", "unknown"],
  [{ history: { updates: 99, isCut: true } }, "kept", "kept", "not kept"],
  [{ history: { updates: 100, isCut: true } }, "kept", "kept", "kept"],
  [{ history: { updates: 100, isCut: false } }, "kept", "kept", "kept"],
  [{ isComplete: false }, "unknown", "unknown", "unknown"],
  [{ isComplete: false, shown: [never] }, "not kept", "not kept", "unknown"],
])("a test of posts says which limits a service keeps of which all posts show %j", (measured, ...kept) => {
  const { limits } = idTestOf("", { ...observed, ...measured });
  expect(limits.map(({ result }) => result)).toEqual(kept);
});

/** A sandbox behind a service that changes what reads return. */
async function behind(change: (json: string) => string): Promise<Sandbox> {
  const sandbox = await sandboxWith();
  const { url } = await serve((response, { method, url, headers, body }) => {
    const sent = { authorization: String(headers.authorization), "content-type": "application/json" };
    const account = { "x-service-account": String(headers["x-service-account"]) };
    const init = { method, headers: { ...sent, ...account }, ...(body !== "" && { body }) };
    void fetch(sandbox.url + url, init).then(async (inner) =>
      response
        .writeHead(inner.status, { "content-type": "application/json" })
        .end(change(await inner.text())),
    );
  });
  return { ...sandbox, url };
}

/** A sandbox whose incident has so many updates, and returns so many. */
async function cutAt(latest: number, count: number): Promise<Sandbox> {
  const sandbox = await sandboxWith({ faults: [{ kind: "cutHistory", latest }] });
  const incidentUpdates = updatesOf(sandbox)
    .slice(0, 1)
    .flatMap((update) => Array.from({ length: count }, (_, index) => ({ ...update, id: `u${index}` })));
  sandbox.byHand.editIncident(incidentId, { incidentUpdates });
  return sandbox;
}

describe("the table of services in the reference", () => {
  const lateOnce: FaultInput = { ...late, operation: "createIncidentUpdate", skip: 1, times: 1 };
  const lost: FaultInput = { kind: "reset", operation: "createIncidentUpdate", applied: true };
  const services: Readonly<Record<string, () => Promise<Sandbox>>> = {
    "shows one update late": () => sandboxWith({ faults: [lateOnce] }),
    "shows all updates late": () => sandboxWith({ faults: [late] }),
    "cuts dates": () => behind((json) => json.replace(/(?<="publicIncidentUpdateDate":"[\d-]+)T[^"]*/g, "")),
    "changes texts": () => behind((json) => json.replaceAll("🎉", "?")),
    "uses ids": () => sandboxWith({ ids: "honoured" }),
    "ignores ids": () => sandboxWith({ ids: "ignored" }),
    "rejects ids": () => sandboxWith({ ids: "rejected" }),
    "returns 50 updates at most": () => cutAt(50, 60),
    "returns 100 updates at most": () => cutAt(100, 110),
    "returns 200 updates at most": () => cutAt(200, 210),
    "loses responses": () => sandboxWith({ faults: [lost] }),
    "takes 5 s for each response": () => sandboxWith({ faults: [{ kind: "latency", ms: 5_000 }] }),
    "has a page with components": () => sandboxWith(),
  };
  const table = readFileSync(
    join(__dirname, "..", "..", "..", "docs", "reference", "monitoring-doctor.md"),
    "utf8",
  );
  const rows = [...table.matchAll(/^\| (.*?) +\| (.*?) +\| (\d) +\|$/gm)].map(([, ...cells]) => cells);

  test("the table of services in the reference has these services", () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(services));
  });

  test.each(rows)("a service of the table that %s", async (name = "", cell = "", exitCode) => {
    const sandbox = await services[name]?.();
    if (!sandbox) throw new Error(name);
    const on = name.includes("components") ? onShop : undefined;
    const { code, stdout } = await foundIn(sandbox, "", on);
    const said = stdout.replace(/\d+ ms/g, "N ms").replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, "DATE");
    for (const part of cell.split("<br>")) expect(said).toContain(part.replaceAll("`", ""));
    expect(String(code)).toBe(exitCode);
  });
});
