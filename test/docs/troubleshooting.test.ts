/** Every message that the troubleshooting guide quotes is what the code says. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { type ClientOptions, MonitoringClient } from "../../provider/client";
import { Connections } from "../../provider/connection";
import { type Lookup, lookups, runLookup } from "../../provider/lookups";
import { run } from "../../tools/setup/run";
import { connectTo, type FaultInput, wellKnown } from "../../sandbox";
import { IncidentUpdate, OpenIncidentGate } from "../../sdk";
import { nobodyListens } from "../client/services";
import { serveTls } from "../client/transport/tls";
import { repository } from "../engine/stack";
import { create, mistakesIn, phase } from "../lifecycles/phases";
import { failureOf, Service, words } from "../lifecycles/updateProcess";
import { startMocks } from "../sdk/connected";
import { Page } from "./markdown";

const service = new Service();

/** What is quoted, by heading. */
const quoted = new Map(
  [...new Page("docs/guides/troubleshooting.md").text.matchAll(/^### (.*?)\n+```text\n(.*?)```/gms)].map(
    ([, heading = "", message = ""]) => [heading, message.trim()],
  ),
);

const messageOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("Nothing was wrong.");
};

/** What a read of a channel says, by a client that tries once. */
const reading =
  (options: Partial<ClientOptions> = {}, id = 4101, fault?: FaultInput) =>
  async () => {
    const { url: baseUrl, apiKey } = service.sandbox;
    if (fault) service.sandbox.faults.add(fault);
    const all = { baseUrl, apiKey, maxAttempts: 1, ...options };
    const client = new MonitoringClient(all, "monitoring:baseUrl");
    return messageOf(() => client.getAlertChannel(id));
  };

/** What the next run says of an unconfirmed update, after what happens. */
const unconfirmed =
  (happens: () => unknown = () => undefined) =>
  async () => {
    const left = await service.leaveUnconfirmed();
    happens();
    return messageOf(() => service.nextUp(left));
  };

const configured = (environment: Record<string, string>) => () =>
  messageOf(() => new Connections(() => undefined, environment));

/** The mistakes that a provider finds in a declaration. */
const problemsIn = async (provider: Parameters<typeof mistakesIn>[0], args: object): Promise<string> =>
  Object.entries(await mistakesIn(provider, { ...args }))
    .map(([property, reason]) => `${property} ${reason}`)
    .join("\n");

const environment = (): Record<string, string> => {
  const { url, apiKey, accountId } = service.sandbox;
  return { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, MONITORING_ACCOUNT_ID: accountId };
};

/** What a data source says of these arguments. */
const lookupSays =
  <Shape extends z.ZodRawShape>(lookup: Lookup<Shape, object>, args: object) =>
  () => {
    const context = { connections: new Connections(() => undefined, environment()) };
    return messageOf(() => runLookup(lookup, args, context));
  };

const produced: Readonly<Record<string, () => string | Promise<string>>> = {
  "A setting is missing": configured({ MONITORING_BASE_URL: "https://api.example.com" }),
  "The base URL is rejected": async () => {
    const elsewhere = { ...service.sandbox, url: "http://api.example.com" };
    return problemsIn(await phase("AlertChannel", elsewhere), { channelId: 4101 });
  },
  "The account isn't configured": async () =>
    problemsIn(await service.process(), { ...words, account: "eu" }),
  "A channel isn't found by its name": lookupSays(lookups.getAlertChannel, { name: "on-call" }),
  "Read-only mode is enabled": () => {
    const readOnly = { ...environment(), MONITORING_READ_ONLY: "1" };
    const { client } = new Connections(() => undefined, readOnly).connect();
    return messageOf(() => client.createIncidentUpdate("inc_1", { status: "MONITORING", description: "x" }));
  },
  "The service can't be reached": reading({ baseUrl: nobodyListens }),
  "The certificate isn't trusted": async () =>
    reading({ baseUrl: (await serveTls((response) => response.end())).url })(),
  "The request timed out": reading({}, 4101, { kind: "hang" }),
  "The API key is rejected": reading({ apiKey: "another-key-of-some-length" }),
  "The API key lacks permission": reading({
    apiKey: wellKnown.apiKeys.labs,
    accountId: wellKnown.accounts.quillmarket,
  }),
  "The object isn't found": reading({}, 999),
  "A name or slug matches nothing": lookupSays(lookups.getStatusPage, { name: "Chekout" }),
  "The rate limit is exceeded": reading({}, 4101, { kind: "rateLimit" }),
  "The service redirects": reading({}, 4101, { kind: "redirect", location: "https://login.example.com/" }),
  "The response isn't JSON": reading({}, 4101, { kind: "html" }),
  "The result of the post is unknown": async () => {
    service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
    return (await failureOf(service.declare())).message;
  },
  "The update is still not found": unconfirmed(),
  "The incident was deleted": unconfirmed(() => service.sandbox.byHand.deleteIncident(words.incidentId)),
  "The service doesn't show an earlier update": async () => {
    const { id } = await service.declare();
    service.changeByHand({ id });
    return messageOf(() => service.declare({ __resource: "renamed" }));
  },
  "The incident has more than 100 updates": () => {
    service.fillHistory();
    return messageOf(() => service.declare());
  },
  "The service rejects the update": () => {
    service.sandbox.configure({ ids: "rejected" });
    return messageOf(() => service.declare());
  },
  "The result of the previous update is unknown": async () => {
    service.sandbox.faults.add({ kind: "hang" });
    const process = await service.process();
    const inFront = process.create(words).catch(() => undefined);
    const behind = messageOf(() => process.create({ ...words, description: "Behind it." }));
    await inFront;
    return behind;
  },
  "The deadline is too close to post": () => {
    service.sandbox.faults.add({ kind: "latency", ms: 2_850, operation: "getStatusPageIncident" });
    return messageOf(() => service.declare({}, { "monitoring:deadlineMs": "3000" }));
  },
  "The description changes back to an earlier one": async () => {
    const [first, second] = [
      { ...words, description: "Fixed.", __resource: "update" },
      { ...words, __resource: "update" },
    ];
    const change = async (
      old: { id: string; outs: Record<string, unknown> },
      args: Record<string, unknown>,
    ) => {
      const process = await service.process();
      await process.diff(old.id, old.outs, args);
      return create(process, args);
    };
    const changed = await change(await service.declare(first), second);
    return messageOf(() => change(changed, first));
  },
  "Another resource declares the update": async () => {
    const { id, outs } = await service.declare();
    const process = await service.process();
    await process.diff(id, outs, words);
    return messageOf(() => create(process, words));
  },
  "A public update can't change": async () => {
    const { id, outs } = await service.declare({ onChange: "refuse" });
    const process = await service.process();
    const other = { ...words, onChange: "refuse", description: "Other words." };
    return messageOf(() => process.diff(id, outs, other));
  },
  "The program's folder lacks the package": async () => {
    const program = `const { StatusPage } = require(${JSON.stringify(repository)}); new StatusPage("page", { statusPageId: "1" })`;
    const env = { ...process.env, PULUMI_NODEJS_MONITOR: "127.0.0.1:1" };
    return (await run(process.execPath, ["-e", program], { cwd: tmpdir(), env })).output;
  },
  "An update is declared twice": async () => {
    await startMocks();
    const args = { ...words, status: "MONITORING" as const };
    new IncidentUpdate("first", args);
    return messageOf(() => new IncidentUpdate("second", args));
  },
  "An earlier occurrence is missing": () => messageOf(() => service.declare({ occurrence: 2 })),
  "An update can't be imported": async () => {
    await startMocks();
    const args = { ...words, status: "MONITORING" as const };
    return messageOf(() => new IncidentUpdate("update", args, { import: "x/y" }));
  },
  "The stack's account or base URL changed": async () => {
    const { id, outs } = await service.declare();
    const elsewhere = await service.process({ "monitoring:accountId": wellKnown.accounts.labs });
    return messageOf(() => elsewhere.diff(id, outs, words));
  },
  "An expectation isn't met": async () =>
    messageOf(async () =>
      create(await phase("AlertChannel", service.sandbox), {
        channelId: 4107,
        expect: { sendFailure: true },
      }),
    ),
  "A gate is closed": async () => {
    await startMocks();
    connectTo(service.sandbox);
    return messageOf(() => new OpenIncidentGate("deployments", { atLeast: "MAJOR" })["getData"]());
  },
  "There is nothing to audit": async () => {
    const rules = join(repository, "examples", "reference", "rules.yaml");
    const program = join(repository, "dist", "cli", "monitoring.js");
    const env = { ...process.env, ...environment() };
    return (await run(process.execPath, [program, "audit", "--rules", rules], { env })).output;
  },
};

it("quotes each message that is tested here, and no other", () => {
  expect([...quoted.keys()].sort()).toEqual(Object.keys(produced).sort());
});

it.each([...quoted])("quotes what the code says: %s", async (heading, message) => {
  const said = (await produced[heading]?.()) ?? "nothing";
  const parts = message.split("…").map((part) => part.replace(/\s+/g, " "));
  let rest = said.replace(/\s+/g, " ");
  for (const part of parts) {
    expect({ said, has: rest.includes(part), part }).toEqual({ said, has: true, part });
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
});
