/** All results of a post: it is sent once, and again only when it was not applied. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { type FaultInput } from "../../sandbox";
import { listen, nobodyListens } from "../client/services";
import { failureOf, incidentId, Service, words } from "./updateProcess";

const service = new Service();
const fail = (...faults: FaultInput[]): void =>
  service.sandbox.faults.add(
    ...faults.map((fault) => ({ ...fault, operation: "createIncidentUpdate" as const })),
  );

const withoutAnswer: [string, (applied: boolean) => FaultInput][] = [
  ["408", (applied) => ({ kind: "status", code: 408, applied })],
  ["500", (applied) => ({ kind: "status", code: 500, applied })],
  ["502 of a proxy", (applied) => ({ kind: "status", code: 502, body: "html", applied })],
  [
    "503 that asks to come back",
    (applied) => ({ kind: "status", code: 503, headers: { "retry-after": "0" }, applied }),
  ],
  ["504", (applied) => ({ kind: "status", code: 504, applied })],
  ["a reset connection", (applied) => ({ kind: "reset", applied })],
  ["no answer", (applied) => ({ kind: "hang", applied })],
  ["an answer that is cut", (applied) => ({ kind: "cut", applied })],
  ["an answer that never ends", (applied) => ({ kind: "drip", endless: true, everyMs: 1_000, applied })],
  ["an empty answer", (applied) => ({ kind: "empty", applied })],
  ["204", (applied) => ({ kind: "empty", code: 204, applied })],
  ["an answer that is no JSON", (applied) => ({ kind: "wrongJson", wrong: "syntax", applied })],
  ["an answer without an id", (applied) => ({ kind: "wrongJson", applied })],
  ["a page of a captive portal", (applied) => ({ kind: "html", applied })],
  [
    "another protocol",
    (applied) => ({ kind: "answer", code: 101, headers: ["Upgrade: odd", "Connection: Upgrade"], applied }),
  ],
];

describe.each(withoutAnswer)("%s", (_, fault) => {
  it("causes one post, which is found in the history when it was applied", async () => {
    fail(fault(true));
    const { id } = await service.declare();
    expect(service.posts()).toHaveLength(1);
    expect(service.published().map((update) => `${incidentId}/${update.id}`)).toEqual([id]);
  });

  it("causes one post, which is recorded as unconfirmed when it was not applied", async () => {
    fail(fault(false));
    const { id, properties, message } = await failureOf(service.declare());
    expect(service.posts()).toHaveLength(1);
    expect(id).toMatch(/^inc_checkout_latency\/unconfirmed-[0-9a-f]{16}$/);
    expect(properties).toMatchObject({ ...words, missing: false, unconfirmed: { ids: expect.any(Array) } });
    expect(message).toMatch(/sent once, .* so it may or may not have been applied\. It was not sent again/);
    expect(message).toContain(
      "run `pulumi up` again to search for it; nothing is posted until its result is known",
    );
    expect(service.published()).toEqual([]);
  });
});

it.each([401, 402, 403, 404, 405, 410, 413, 415, 418, 451])(
  "HTTP %d is a rejection: one post, no state, and the description is never quoted",
  async (code) => {
    fail({ kind: "status", code, message: `Bad text: ${words.description}` });
    const failed = await failureOf(service.declare());
    expect(failed).not.toHaveProperty("id");
    expect(failed.message).toContain(`HTTP ${code}`);
    expect(failed.message).not.toContain("Capacity");
    expect(service.posts()).toHaveLength(1);
  },
);

it.each([301, 302, 303, 307, 308])("HTTP %d is not followed", async (code) => {
  fail({ kind: "redirect", code, location: `${service.sandbox.url}/elsewhere` });
  const failed = await failureOf(service.declare());
  expect(failed).not.toHaveProperty("id");
  expect(failed.message).toContain("the service redirected the request, and redirects are not followed");
  expect(service.sandbox.requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
});

it("is posted again after 429, and exists once", async () => {
  fail({ kind: "rateLimit", times: 2 });
  const { id } = await service.declare();
  expect(service.posts().map(({ status }) => status)).toEqual([429, 429, 201]);
  expect(service.published().map((update) => `${incidentId}/${update.id}`)).toEqual([id]);
});

it("fails immediately when Retry-After exceeds the remaining time", async () => {
  fail({ kind: "rateLimit", retryAfter: 3_600 });
  const failed = await failureOf(service.declare());
  expect(failed.message).toContain("too many requests (HTTP 429)");
  expect(service.posts()).toHaveLength(1);
});

it("is not repeated when the response is lost after a 429", async () => {
  fail({ kind: "rateLimit", times: 1 }, { kind: "reset", times: 1 });
  const failed = await failureOf(service.declare());
  expect(failed.id).toContain("/unconfirmed-");
  expect(service.posts()).toHaveLength(2);
});

describe("between the provider and the service", () => {
  const { argv } = process;
  afterEach(() => {
    process.argv = argv;
    // To end with its engine, the provider reads what here is the stdin of Jest's worker, which then never ends.
    process.stdin.removeAllListeners("end").removeAllListeners("error").pause();
  });
  const startedBy = (...args: string[]): void => {
    process.argv = [...argv.slice(0, 2), ...args];
  };

  it("is posted again after a failed connection, and exists once", async () => {
    const { hostname: host, port: onward } = new URL(service.sandbox.url);
    const relay = relayTo(new URL(service.sandbox.url));
    const { port, url } = await listen(relay);
    let keeper: Socket | undefined;
    // Takes the connection of the first read, and no other.
    relay.once("connection", () => {
      relay.close();
      // A port that a connection comes from is given to nobody else.
      keeper = connect({ host, port: Number(onward), localAddress: "127.0.0.1", localPort: port });
    });
    let attempts = 0;
    const engine = await listen(
      createServer(() => {
        attempts += 1;
        if (attempts !== 2) return;
        keeper?.destroy();
        relay.listen(port, "127.0.0.1");
      }),
    );
    startedBy(`127.0.0.1:${engine.port}`);
    const { id } = await service.declare({}, { "monitoring:baseUrl": url });
    expect(attempts).toBeGreaterThanOrEqual(2);
    expect(service.posts()).toHaveLength(1);
    expect(service.published().map((update) => `${incidentId}/${update.id}`)).toEqual([id]);
  });

  it.each([
    ["", []],
    [
      ", also with its logs and traces turned on",
      ["--logtostderr", "-v=9", "--tracing", "tcp://127.0.0.1:1"],
    ],
  ])("is not posted after its engine exited%s", async (_, flags) => {
    startedBy(...flags, new URL(nobodyListens).host);
    const failed = await failureOf(service.declare());
    expect(failed).not.toHaveProperty("id");
    expect(failed.message).toBe(
      "The Pulumi engine that requested this update has exited, so nothing was posted.",
    );
    expect(service.posts()).toEqual([]);
  });

  it("is not posted again after 429 when the engine exited", async () => {
    const engine = createServer((socket) => {
      socket.destroy();
      engine.close();
    });
    startedBy(`localhost:${(await listen(engine)).port}`);
    fail({ kind: "rateLimit", times: 1 });
    const failed = await failureOf(service.declare());
    expect(failed.message).toContain("has exited, so nothing was posted");
    expect(service.posts().map(({ status }) => status)).toEqual([429]);
  });
});

function relayTo({ hostname, port }: URL): Server {
  return createServer((socket) => {
    const onward = connect(Number(port), hostname);
    socket.pipe(onward).pipe(socket);
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
}

describe("the time limit of one declaration", () => {
  it("starts with its turn, not while it waits", async () => {
    service.sandbox.faults.add({ kind: "latency", ms: 300 });
    const process = await service.process({ "monitoring:deadlineMs": "2000" });
    const turns = [1, 2, 3, 4].map((turn) => ({ ...words, description: `Turn ${turn}.` }));
    await Promise.all(turns.map((args) => process.create({ ...args, notifySubscribers: false })));
    expect(service.published()).toHaveLength(4);
  });
});
