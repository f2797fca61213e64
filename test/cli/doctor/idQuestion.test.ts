/** `monitoring doctor --post-to`: posts on services that treat ids differently, and which guarantee follows from each. */
import "../../lifecycles/idleClock";
import { guaranteeOf, resultOf } from "../../../cli/doctor/idQuestion";
import { type FaultInput, type Sandbox, type SandboxOptions } from "../../../sandbox";
import { send, serve, until } from "../../client/services";
import { created, incidentId, sandboxWith, updatesOf } from "../../sandbox/sandboxes";
import { doctor } from "../running";

const found = async (options: SandboxOptions, args?: string) => foundIn(await sandboxWith(options), args);

async function foundIn(sandbox: Sandbox, args = "") {
  const { code, stdout, stderr } = await doctor(sandbox, `--post-to ${incidentId} --yes ${args}`);
  const block = stdout.slice(stdout.indexOf("### monitoring doctor, pulumi-monitoring-service "));
  const lines = [...block.matchAll(/^- (.*?): (.*)$/gm)].map(([, name = "", text = ""]) => [name, text]);
  const { Service, Guarantee, ...others } = Object.fromEntries(lines) as Record<string, string>;
  const posts = sandbox.requests.filter(({ method }) => method === "POST").length;
  return { code, sandbox, stdout, stderr, posts, block, Service, Guarantee, others };
}

const once = /^A declared update exists once, also with two machines/;
const limited = /^A declared update exists once, with the limitations of a service that ignores ids/;
const second = "Second post of the same id";
const used = { "Id of an update": "used", "Public date": "kept; text: kept" };

test("a test says which guarantee follows, where a second post of an id returns the first update", async () => {
  const { code, sandbox, posts, ...block } = await found({ ids: "honoured-idempotent" });
  expect({ code, posts }).toEqual({ code: 0, posts: 2 });
  expect(block.Service).toBe(sandbox.url);
  expect(block.others).toEqual({ ...used, [second]: "returned the first (HTTP 200)" });
  expect(block.Guarantee).toMatch(once);
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

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends the test, and says what is public",
  async (signal) => {
    const sandbox = await sandboxWith({ faults: [late] });
    const listeners = process.listenerCount(signal);
    const finding = foundIn(sandbox);
    await until(() => created(sandbox) === 1);
    process.emit(signal, signal);
    // `npx` passes on what a terminal sends to both: the second one must not end the process before the line is printed.
    expect(process.listenerCount(signal)).toBe(listeners + 1);
    process.emit(signal, signal);
    const { code, stdout, posts } = await finding;
    expect({ code, posts }).toEqual({ code: 1, posts: 1 });
    expect(stdout).toContain(`What the service does with an id is unknown. Interrupted by ${signal}.\n`);
    const line =
      'Public: at most 1 update of this test, with texts that begin with "Test of pulumi-monitoring-service:".';
    expect(stdout).toContain(`\n${line}\n`);
    expect(process.listenerCount(signal)).toBe(listeners);
  },
);

const secondOne = { operation: "createIncidentUpdate", skip: 1, times: 1 } as const;
const failsToApply = (code: number) => ({ kind: "status", ...secondOne, code }) as const;
const honoured = (...faults: FaultInput[]): SandboxOptions => ({ ids: "honoured", faults });
const twice = "created another";
const late: FaultInput = { kind: "lateVisibility", ms: 20_000 };

test.each<[string, SandboxOptions, result: string, exitCode?: number]>([
  [
    "429",
    honoured({ kind: "status", code: 429, ...secondOne, headers: { "retry-after": "1" } }),
    "unknown (HTTP 429)",
  ],
  ["no response", honoured({ kind: "reset", ...secondOne }), "unknown (no response)"],
  ["504, shown late", { faults: [{ ...failsToApply(504), applied: true }, late] }, `${twice} (HTTP 504)`, 0],
])(
  "a second post with %s isn't sent again, and says what it proves",
  async (_, options, result, exitCode = 1) => {
    const { code, posts, others, Guarantee } = await found(options);
    expect({ posts, result: others[second] }).toEqual({ posts: 2, result });
    expect(code).toBe(exitCode);
    expect(Guarantee).toMatch(limited);
  },
);

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
  expect(stdout).toContain(`${second}: ${result} (HTTP ${status})\n`);
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

test("a test of posts says that reads never have the update", async () => {
  const { code, others, Guarantee } = await found({
    ids: "honoured",
    faults: [{ kind: "lateVisibility", ms: 3_600_000 }],
  });
  expect([code, others[second], others["Public date"]]).toEqual([1, "not sent", "unknown; text: unknown"]);
  expect(Guarantee).toContain("No read that shows the first post proves nothing.");
});

test.each<[string, (json: string) => string, string]>([
  [
    "cuts dates",
    (json) => json.replace(/(?<="publicIncidentUpdateDate":"[\d-]+)T[^"]*/g, ""),
    "changed; text: kept",
  ],
  ["changes texts", (json) => json.replaceAll("🎉", "?"), "kept; text: changed"],
])("a service that %s is said to", async (_, change, kept) => {
  const { code, others } = await foundIn(await behind(change));
  expect([code, others["Public date"]]).toEqual([0, kept]);
});

test("a page with components gets no post, because it takes no ids", async () => {
  const sandbox = await sandboxWith();
  const { code, stdout } = await doctor(sandbox, "--post-to inc_checkout_outage --yes");
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining("Nothing was posted: pages with components take no ids."),
  ]);
  expect(created(sandbox)).toBe(0);
});

const statuses = [undefined, 200, 201, 302, 303, 400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 504];
const observations = statuses.flatMap((httpStatus) =>
  [true, false].flatMap((isFirst) =>
    [0, 1, 2, 3].flatMap((lines) =>
      (["used", "ignored", "rejected"] as const).map((ids) => ({ httpStatus, isFirst, lines, ids })),
    ),
  ),
);

test("the whole guarantee is promised only if one line and the response prove it, for every observation", () => {
  const promised = observations.map(({ httpStatus, isFirst, lines, ids }) => {
    const result = resultOf(httpStatus, isFirst, lines);
    const answer = { service: "", ids, second: { httpStatus, result }, isDateKept: true, isTextKept: true };
    const text = guaranteeOf({ ...answer, isConclusive: true }).join(" ");
    return {
      isOnce: once.test(text),
      isLimited: limited.test(text),
      isRepeated: text.includes("run this again"),
    };
  });
  expect(promised).toEqual(
    observations.map(({ httpStatus, isFirst, lines, ids }) => {
      const isRejection = [400, 409, 422].includes(httpStatus ?? 0);
      const isProven = lines === 1 && (isFirst || isRejection);
      const isOnce = ids === "used" && isProven;
      return { isOnce, isLimited: !isOnce, isRepeated: ids === "used" && !isProven && lines < 2 };
    }),
  );
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
