import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { type Run, Stack } from "./stack";

const { legacyHook, operationsMail } = wellKnown.alertChannels;
const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

let sandbox: Sandbox;
let stack: Stack;

function editChannel(channelId: number, changes: object, config: object = {}): void {
  sandbox.byHand.change(({ accounts: [{ alertChannels }] }) => {
    const channel = alertChannels.find(({ id }) => id === channelId);
    if (channel) Object.assign(channel, changes, { config: { ...channel.config, ...config } });
  });
}

describe("what a stack observes", () => {
  const canary = "canary-credential-7f3a";
  const runs: Record<string, Run> = {};
  const states: string[] = [];
  let outputs: Record<string, unknown>;

  beforeAll(async () => {
    sandbox = await startSandbox();
    const [page] = sandbox.data.accounts[0].statusPages;
    stack = await Stack.create({
      sandbox,
      language: "typescript",
      program: `
        import { AlertChannel, Incident, StatusPage, StatusPageIncident } from "pulumi-monitoring-service";

        const channel = new AlertChannel("hook", {
          channelId: ${legacyHook},
          expect: { sendFailure: true, config: { url: { hostClass: { not: "loopback" } } } },
        });
        const page = new StatusPage("page", { statusPageId: "${page?.id}", expect: { cards: { contains: {} } } });
        const publicIncident = new StatusPageIncident("checkout", { incidentId: "${incidentId}" });
        const incident = new Incident("move", {
          incidentId: "${wellKnown.incidents.warehouseMove}",
          includeAllIncidentUpdates: true,
          expect: { stoppedAt: null },
        });

        export const hostClass = channel.config.apply(({ url }) => Object(url).hostClass);
        export const cards = page.cards.apply((all) => all.map(({ name }) => name));
        export const status = publicIncident.lastUpdateStatus;
        export const moved = incident.stoppedAt.apply((at) => at !== null);
      `,
    });
    const steps: [name: string, run: () => Promise<Run>][] = [
      ["up", () => stack.up()],
      ["preview", () => stack.preview("--expect-no-changes")],
      ["refresh", () => stack.refresh("--expect-no-changes")],
      ["drift", () => stack.refresh("--diff")],
      ["preview after drift", () => stack.preview("--expect-no-changes")],
      ["destroy", () => stack.destroy()],
    ];
    for (const [name, run] of steps) {
      if (name === "drift") {
        outputs = await stack.outputs();
        editChannel(legacyHook, { sslExpiryThreshold: 7 }, { url: `https://hooks.example/${canary}` });
        sandbox.byHand.editIncident(incidentId, { severity: "CRITICAL" });
      }
      if (name === "destroy") sandbox.clearRequests();
      runs[name] = await run();
      states.push(await stack.exported());
    }
  });

  afterAll(async () => {
    stack.remove();
    await sandbox.close();
  });

  it("is read by `pulumi up`, and its outputs are there for the program", () => {
    expect(runs["up"]).toMatchObject({ code: 0 });
    expect(outputs).toMatchObject({ hostClass: "private", status: "IDENTIFIED", moved: false });
    expect(outputs["cards"]).toEqual(sandbox.data.accounts[0].statusPages[0]?.cards.map(({ name }) => name));
  });

  it.each(["preview", "refresh", "preview after drift"])("leaves %s nothing to do", (name) => {
    expect(runs[name]).toMatchObject({ code: 0 });
  });

  it("shows by `pulumi refresh`, field by field, what was changed by hand", () => {
    const { code, output = "" } = runs["drift"] ?? {};
    expect(code).toBe(0);
    expect(output).toMatch(/~ sslExpiryThreshold: 21 => 7/);
    expect(output).toMatch(/~ fingerprint: "[0-9a-f]{12}" => "[0-9a-f]{12}"/);
    expect(output).toMatch(/~ severity +: "MAJOR" => "CRITICAL"/);
    expect(output).toMatch(/~ 2 updated\s+3 unchanged/);
  });

  it("is forgotten by `pulumi destroy`, without a request", () => {
    expect(runs["destroy"]).toMatchObject({ code: 0 });
    expect(runs["destroy"]?.output).toContain("removed from the state; nothing changes on the service");
    expect(sandbox.requests).toEqual([]);
  });

  it("keeps one short constant text of the provider for each kind", () => {
    const texts = new Set([...states.join().matchAll(/"__provider": "(.*)"/g)].map(([, text]) => text));
    expect([...texts].sort()).toEqual(
      ["AlertChannel", "Incident", "StatusPage", "StatusPageIncident"].map(
        (kind) => `exports.handler=()=>require(\\"pulumi-monitoring-service/provider\\").${kind}`,
      ),
    );
  });

  it("never shows a credential, and keeps none", () => {
    const said = [...Object.values(runs).map(({ output }) => output), ...states].join();
    for (const credential of [canary, "not-a-secret-tickets"]) expect(said).not.toContain(credential);
  });
});

describe("what a program expects", () => {
  const expecting = (expected: object): string =>
    `const { AlertChannel } = require("pulumi-monitoring-service");
     new AlertChannel("mail", { channelId: ${operationsMail}, expect: ${JSON.stringify(expected)} });`;
  const met = { sslExpiryThreshold: { atLeast: 14 } };
  const recorded = async () => (await stack.resources()).map(({ outputs }) => outputs["expect"]);

  beforeEach(async () => {
    sandbox = await startSandbox();
    stack = await Stack.create({ sandbox, program: expecting(met) });
  });
  afterEach(async () => {
    stack.remove();
    await sandbox.close();
  });

  it("fails the run that would create, or update, and every run after it, until it is so", async () => {
    const violated = { ...met, sendFailure: true, config: { address: { matches: "@example.com$" } } };
    const complaint = [
      'config.address: expected a string that matches "@example.com$", but it is "operations@quillmarket.example";',
      "sendFailure: expected true, but it is false.",
    ];
    stack.write("index.js", expecting(violated));
    const created = await stack.up();
    expect(created.code).not.toBe(0);
    for (const line of complaint) expect(created.output).toContain(line);
    expect(await recorded()).toEqual([]);

    stack.write("index.js", expecting(met));
    expect(await stack.up()).toMatchObject({ code: 0 });

    stack.write("index.js", expecting(violated));
    for (const attempt of ["first", "second"]) {
      const updated = await stack.up();
      expect([attempt, updated.code]).not.toEqual([attempt, 0]);
      for (const line of complaint) expect(updated.output).toContain(line);
    }
    expect(await recorded()).toEqual([met]);

    editChannel(operationsMail, { sendFailure: true }, { address: "operations@example.com" });
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await recorded()).toEqual([violated]);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });

  it("is told by a refresh that finds it otherwise, and then fails `pulumi up` until it is so", async () => {
    expect(await stack.up()).toMatchObject({ code: 0 });
    editChannel(operationsMail, { sslExpiryThreshold: 3 });
    const refresh = await stack.refresh();
    expect(refresh.code).toBe(0);
    expect(refresh.output).toContain(
      `AlertChannel ${operationsMail}: not as expected: sslExpiryThreshold: expected at least 14, but it is 3.`,
    );

    const up = await stack.up();
    expect(up.code).not.toBe(0);
    expect(up.output).toContain("sslExpiryThreshold: expected at least 14, but it is 3");

    editChannel(operationsMail, { sslExpiryThreshold: 30 });
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });

  it("is no credential, and one that is given is refused without being shown", async () => {
    stack.write(
      "index.js",
      expecting({ config: { url: "https://hooks.example/canary", apiKey: { not: "canary" } } }),
    );
    const { code, output } = await stack.run("up", "--yes", "--diff");
    expect(code).not.toBe(0);
    expect(output).toMatch(/property expect\.config\.url .* is a credential, which is never kept/);
    expect(output).toMatch(/property expect\.config\.apiKey\.not .* is a credential, which is never kept/);
    expect(output).not.toContain("canary");
  });

  it("is not even looked at behind a gate that stays closed", async () => {
    stack.write(
      "index.js",
      `const { OpenIncidentGate } = require("pulumi-monitoring-service");
         new OpenIncidentGate("gate");
         ${expecting(met)}`,
    );
    expect((await stack.up()).code).not.toBe(0);
    expect(sandbox.requests.map(({ path }) => path)).not.toContain(`/v1/alert-channels/${operationsMail}`);
    expect(await recorded()).toEqual([]);
  });

  it.each(["import", "id"])("is declared, and neither needs nor takes the option %s", async (option) => {
    stack.write(
      "index.js",
      `const { AlertChannel } = require("pulumi-monitoring-service");
         new AlertChannel("mail", { channelId: ${operationsMail} }, { ${option}: "${operationsMail}" });`,
    );
    const { code, output } = await stack.up();
    expect(code).not.toBe(0);
    expect(output).toContain(
      'AlertChannel "mail": can\'t be imported or read by id: declaring it reads the existing object.',
    );
  });
});
