/**
 * Runs programs with `pulumi.runtime.setMocks`, connected to a sandbox. Tests the inputs that a declared resource passes to the engine,
 * and explicit providers.
 */
import { programInput } from "../../provider/engine";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { credentials } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { connectTo, type Sandbox, wellKnown } from "../../sandbox";
import * as sdk from "../../sdk";
import * as native from "../../sdk/native";
import { toWellFormedArgs } from "../../sdk/program";
import { assertPluginDeclared, reportProblem } from "../../sdk/registration";
import { nobodyListens } from "../client/services";
import { startTestSandbox } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { startMocks, readOutput } from "./connected";

const { searchLag } = wellKnown.statusPageIncidents;

let sandbox: Sandbox;
const declared: string[] = [];

async function startSandbox(): Promise<void> {
  sandbox = await startTestSandbox();
  connectTo(sandbox);
}

async function startRun(): Promise<void> {
  declared.splice(0);
  await startMocks(({ type, name }) => declared.push(`${type} ${name}`));
}

beforeEach(startSandbox);
beforeEach(startRun);
afterEach(() => pulumi.runtime.disconnect());

const rename = (name: string) => sandbox.dashboard.editIncident(searchLag, { name });
const nameRead = async () => (await sdk.getStatusPageIncident({ incidentId: searchLag })).name;
const update = (name = "update", options?: pulumi.CustomResourceOptions) =>
  new sdk.IncidentUpdate(
    name,
    { incidentId: searchLag, status: "MONITORING", description: "Better." },
    options,
  );

it("a data source reads from the connected sandbox once in each run", async () => {
  rename("first");
  expect(await nameRead()).toBe("first");
  await startSandbox();
  rename("second");
  expect(await nameRead()).toBe("second");
  rename("third");
  expect(await nameRead()).toBe("second");
  await startRun();
  expect(await nameRead()).toBe("third");
});

it("a preview counts the incidents and updates of a program in the order of their declarations", async () => {
  const orders: unknown[] = [];
  const newResource = ({ name, inputs, id }: pulumi.runtime.MockResourceArgs) => {
    const { [programInput]: call } = inputs as Record<string, { order?: number }>;
    orders.push([name, call?.order]);
    return { id: id ?? "", state: inputs as object };
  };
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "shop", "dev", true);
  const text = { status: "MONITORING", description: "Slow." } as const;
  const [statusPageId, other] = [
    wellKnown.componentPages.shop,
    { ...text, incidentId: searchLag, description: "Slower." },
  ];
  const first = new sdk.IncidentUpdate("first", { ...text, incidentId: searchLag });
  const opened = new sdk.Incident("second", { ...text, statusPageId, name: "Upgrade" });
  const third = new native.IncidentUpdate("third", other);
  await Promise.all([first, opened, third, update("fourth")].map(({ urn }) => readOutput(urn)));
  expect(orders.sort()).toEqual([
    ["first", 1],
    ["fourth", 4],
    ["second", 2],
    ["third", 3],
  ]);
});

it("a program may repeat its declarations in its next run", async () => {
  await readOutput(update().urn);
  await pulumi.runtime.disconnect();
  await startRun();
  await readOutput(update("identical").urn);
});

it("a program declares resources of the native plugin even if Pulumi.yaml doesn't name the plugin", async () => {
  const { urn } = new native.AlertChannel("channel", { channelId: 4101 });
  await readOutput(urn);
  expect(declared).toEqual(["monitoring:index:AlertChannel channel"]);
});

class Vendor extends pulumi.CustomResource {}

it.each<[what: string, answer: unknown, known: string | undefined, isPreview: boolean, error?: string]>([
  ["the problem that the provider found", { problem: "found" }, "known", true, "found"],
  ["its own problem if the provider found none", {}, "known", true, "known"],
  ["its own problem if the provider returned nothing", null, "known", true, "known"],
  ["its own problem if the provider returned a string", "found", "known", true, "known"],
  ["no problem if there is none", { problem: 7 }, undefined, true],
  ["no problem outside a preview", { problem: "found" }, "known", false],
])("a resource reports %s", async (_, answer, known, isPreview, ...[error]) => {
  const newResource = ({ name }: pulumi.runtime.MockResourceArgs) => ({
    id: name,
    state: { [programInput]: answer },
  });
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "shop", "dev", isPreview);
  const resource = new Vendor("vendor:index:Thing", "thing", { [programInput]: {} });
  const logged = jest.spyOn(pulumi.log, "error").mockResolvedValue(undefined);
  const failed = jest.spyOn(Promise, "reject").mockReturnValue(new Promise(() => undefined));
  reportProblem(resource, known);
  await readOutput(pulumi.output(Reflect.get(resource, programInput) as unknown));
  const message = "The preview fails: see the errors of its resources.";
  expect(logged.mock.calls).toEqual(error === undefined ? [] : [[error, resource]]);
  expect(failed.mock.calls).toEqual(error === undefined ? [] : [[new Error(message)]]);
  jest.restoreAllMocks();
});

it.each([
  [false, 1, "warn", /^warning: .*"audit":\nerror .* https-hook/],
  [true, undefined, "log", /^info: .* IDs of the channels aren't known yet/],
] as const)(
  "an audit waits for the ID of a channel that another package creates (preview: %s)",
  async (preview, errors, stream, text) => {
    const printed = jest.spyOn(console, stream).mockReturnValue();
    await pulumi.runtime.disconnect();
    const newResource = () => ({
      id: preview ? undefined : String(wellKnown.alertChannels.legacyHook),
      state: {},
    });
    await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "shop", "dev", preview);
    const { id } = new Vendor("vendor:index:AlertChannel", "hook", {});
    const rules = { rules: { "https-hook": "error" } } as const;
    const audit = new sdk.AlertChannelAudit("audit", { channels: [id], rules, enforcement: "advisory" });
    await audit["getData"]();
    const counts = preview ? undefined : await readOutput(audit.counts);
    expect([counts?.errors, sandbox.requests.length]).toEqual([errors, preview ? 0 : 1]);
    expect(printed.mock.calls).toEqual([[expect.stringMatching(text)]]);
    printed.mockRestore();
  },
);

it("an audit accepts null as its arguments, and an output of undefined as its channels", async () => {
  process.env["MONITORING_ALERT_CHANNELS"] = JSON.stringify({ "on-call": wellKnown.alertChannels.onCall });
  const [none] = JSON.parse("[null]") as [sdk.AlertChannelAuditArgs];
  for (const args of [none, { channels: pulumi.output(undefined) }])
    expect((await readOutput(new sdk.AlertChannelAudit("audit", args).counts)).channels).toBe(1);
});

it("a gate with an invalid argument names itself", async () => {
  const gate = new sdk.OpenIncidentGate("gate", { services: ["Serch index"] });
  await expect(gate["getData"]()).rejects.toThrow('OpenIncidentGate "gate" with services "Serch index"');
  // Pulumi would print the stack of such an error.
  for (const id of ["../x", "../y"])
    await expect(sdk.getIncident({ id })).rejects.toHaveProperty("stack", undefined);
  expect(process.listeners("rejectionHandled")).toHaveLength(1);
});

it.each([
  [false, undefined],
  [true, /^info: .* IDs in `except` aren't known yet/],
])("a gate passes incidents that the program opens (preview: %s)", async (preview, text) => {
  const printed = jest.spyOn(console, "log").mockReturnValue();
  const open = (await sdk.getOpenIncidents()).incidents.map((each) => each.id);
  await pulumi.runtime.disconnect();
  const newResource = ({ name }: pulumi.runtime.MockResourceArgs) => ({
    id: preview ? undefined : name,
    state: {},
  });
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "shop", "dev", preview);
  const except = open.map((id) => new Vendor("vendor:index:Incident", id, {}).id);
  const { length } = sandbox.requests;
  await new sdk.OpenIncidentGate("gate", { except })["getData"]();
  expect(sandbox.requests.length > length).toBe(!preview);
  expect(printed.mock.calls).toEqual(text ? [[expect.stringMatching(text)]] : []);
  printed.mockRestore();
  if (preview) return;
  const gate = new sdk.OpenIncidentGate("other", { except: except.slice(1) });
  await expect(gate["getData"]()).rejects.toThrow('OpenIncidentGate "other": 1 open incident: ');
});

const createAudit = (args: sdk.AlertChannelAuditArgs) =>
  new sdk.AlertChannelAudit("audit", {
    channels: [wellKnown.alertChannels.onCall],
    rules: { rules: { "send-failure": "error" } },
    ...args,
  });
const newGate = () => new sdk.OpenIncidentGate("gate", { services: ["Search index"], atLeast: "MAJOR" });

it.each([
  ["waits", "a gate", newGate],
  ["waits", "an audit", () => createAudit({})],
  ["doesn't wait", "an advisory audit", () => createAudit({ enforcement: "advisory" })],
])("a resource %s for %s that is declared before it", async (waits, _, declareGate) => {
  const gate = declareGate();
  let waitsFor: unknown;
  const transformation = ({ opts }: pulumi.ResourceTransformationArgs): undefined => {
    waitsFor = opts.dependsOn ?? [];
  };
  // The resource is declared, because the gate or the audit passes.
  await readOutput(update("update", { transformations: [transformation] }).urn);
  await gate["getData"]();
  expect(waitsFor).toEqual(waits === "waits" ? [gate] : []);
});

const alreadyReads =
  "can't be imported or read by ID, because its declaration already reads the existing object. Remove the option";
const orNative = ', or import it with the class from "pulumi-monitoring-service/native".';
const channel = { channelId: 4107 };

it.each<
  [what: string, error: string | undefined, declare: (options: object) => pulumi.Resource, id?: string]
>([
  [
    "an observed resource accepts no option import",
    `AlertChannel "a": ${alreadyReads}${orNative}`,
    (options) => new sdk.AlertChannel("a", channel, options),
  ],
  [
    "an observed resource doesn't accept the option id",
    `AlertChannel "a": ${alreadyReads}${orNative}`,
    (options) => new sdk.AlertChannel("a", channel, options),
    "4107",
  ],
  [
    "an observed resource of the plugin doesn't accept the option id",
    `AlertChannel "a": ${alreadyReads}.`,
    (options) => new native.AlertChannel("a", channel, options),
    "4107",
  ],
  [
    "an observed resource of the plugin may be imported",
    undefined,
    (options) => new native.AlertChannel("a", channel, options),
  ],
  [
    "an update can't be imported by the dynamic provider",
    `IncidentUpdate "update": can't be imported by the dynamic provider. Declare an identical update to adopt it${orNative}`,
    (options) => update("update", options),
  ],
  ["an update may be read by its ID", undefined, (options) => update("update", options), "i1/u1"],
])("%s", (_, error, declare, id = "") => {
  const declareIt = () => declare(id === "" ? { import: "4107" } : { id });
  if (error === undefined) expect(declareIt).not.toThrow();
  else expect(declareIt).toThrow(new Error(error));
});

const [dynamicChannel, nativeChannel] = [
  "pulumi-nodejs:dynamic/monitoring:AlertChannel",
  "monitoring:index:AlertChannel",
];
const createParent = (type: string, options?: pulumi.ComponentResourceOptions) =>
  new pulumi.ComponentResource(type, "parent", {}, options);

it.each<[what: string, parents: string | undefined, createParent?: () => pulumi.Resource]>([
  ["without a parent", ""],
  ["of the stack", "", () => createParent("pulumi:pulumi:Stack")],
  ["of a component", "a:b:C$", () => createParent("a:b:C")],
  [
    "of a component in another",
    "a:b:C$a:b:D$",
    () => createParent("a:b:D", { parent: createParent("a:b:C") }),
  ],
  [
    "of a component in another process",
    "a:b:C$a:b:D$",
    () => new pulumi.DependencyResource("urn:pulumi:dev::shop::a:b:C$a:b:D::parent"),
  ],
  ["of the plugin", undefined],
])(
  "a resource %s passes its location in the program to its provider, and has the type of the other class as an alias",
  async (_, parents, ...[create]) => {
    const inputs: Record<string, unknown> = {};
    await startMocks(({ name, inputs: given }) => Object.assign(inputs, { [name]: given as object }), "shop");
    const monitor = pulumi.runtime.getMonitor();
    if (!monitor) throw new Error("There is no monitor.");
    const registering = jest.spyOn(monitor, "registerResource");
    const classes = parents === undefined ? native : sdk;
    const mail = new classes.AlertChannel("mail", channel, { parent: create?.() });
    await readOutput(mail.urn);
    expect(pulumi.Output.isInstance(mail.sslExpiry)).toBe(true);
    const { [programInput]: call, __provider: provider } = Object(inputs["mail"]) as Record<string, unknown>;
    const ofProgram = { collectsProblems: false, order: undefined };
    const urn = `urn:pulumi:${pulumi.getStack()}::shop::${parents}${dynamicChannel}::mail`;
    expect(call).toEqual(parents === undefined ? ofProgram : { ...ofProgram, urn, previews: false });
    const code = 'exports.handler=()=>require("pulumi-monitoring-service/provider").AlertChannel';
    expect(provider).toBe(parents === undefined ? undefined : code);
    const request = registering.mock.calls.map(([each]) => each).find((each) => each.getName() === "mail");
    const types = [request?.getType(), request?.getAliasesList()[0]?.getSpec()?.getType()];
    const expected = [dynamicChannel, nativeChannel];
    expect(types).toEqual(parents === undefined ? expected.toReversed() : expected);
  },
);

// Pulumi would record a stack trace for each property of a resource, in a third of a large program's time.
it.each([
  ["IncidentUpdate", "", 0],
  ["AlertChannel", "", 0],
  ["AlertChannel", "1", Error.stackTraceLimit],
] as const)("%s with PULUMI_DEBUG_PROMISE_LEAKS=%s has %d frames in a stack trace", (type, leaks, during) => {
  if (leaks) process.env["PULUMI_DEBUG_PROMISE_LEAKS"] = leaks;
  const usual = Error.stackTraceLimit;
  let frames = NaN;
  const transformation = (): undefined => {
    frames = Error.stackTraceLimit;
  };
  const options = { transformations: [transformation] };
  if (type === "IncidentUpdate") update("update", options);
  else new sdk.AlertChannel("channel", { channelId: 4107 }, options);
  expect([frames, Error.stackTraceLimit]).toEqual([during, usual]);
});

class OfProgram extends native.IncidentUpdate {}
const better = { status: "MONITORING", description: "Better." } as const;
const story = { incidentId: searchLag, updates: [{ ...better, key: "better" }] };
const ofPlugin = { incidentId: searchLag, ...better };

// Pulumi skips the source lines of anonymous functions.
const declarations = {
  "an update": () => update(),
  "an update of the plugin": () => new native.IncidentUpdate("update", ofPlugin),
  "an update of a class of the program": () => new OfProgram("update", ofPlugin),
  "a channel": () => new sdk.AlertChannel("channel", { channelId: 4107 }),
  "a status page of the plugin": () => new native.StatusPage("page", { statusPageId: "page" }),
  "a timeline": () => new sdk.IncidentTimeline("story", story),
  "a timeline of the plugin and its entry": () => new native.IncidentTimeline("story", story),
  "a provider": () => new native.Provider("eu", { apiKey: "mon_key" }),
} satisfies Record<string, () => pulumi.Resource>;

it.each(Object.entries(declarations))(
  "%s is recorded with the line of the program that declares it",
  async (_, declare) => {
    const monitor = pulumi.runtime.getMonitor();
    if (!monitor) throw new Error("There is no monitor.");
    const registering = jest.spyOn(monitor, "registerResource");
    const resource = declare();
    await readOutput(resource.urn);
    if (resource instanceof sdk.IncidentTimeline) await readOutput(resource.incidentUpdateIds);
    const uris = registering.mock.calls.map(([request]) => request.getSourceposition()?.getUri());
    expect(new Set(uris)).toEqual(new Set([pathToFileURL(__filename).href]));
  },
);

describe("arguments", () => {
  const half = "Half \ud83d";
  const repaired = "Half \ufffd";

  it("arguments have each lone surrogate replaced by U+FFFD at any depth, and are otherwise unchanged", async () => {
    const others = { emoji: "👩‍👧", nothing: null, missing: undefined, count: 1.5, date: new Date(0) };
    const list = ["\udc00", { text: pulumi.output(half) }];
    const args = { output: pulumi.output([half]), promise: Promise.resolve(half), list, [half]: 1 };
    expect(await readOutput(pulumi.output(toWellFormedArgs(args)))).toEqual({
      output: [repaired],
      promise: repaired,
      list: ["\ufffd", { text: repaired }],
      [repaired]: 1,
    });
    expect(toWellFormedArgs(others)).toEqual(others);
    const { description } = toWellFormedArgs({ description: pulumi.secret(half) });
    expect(await pulumi.isSecret(pulumi.output(description))).toBe(true);
  });

  it("arguments of an update, including those that a preview may show, reach the engine without lone surrogates", async () => {
    let inputs: object = {};
    await startMocks((resource) => (inputs = resource.inputs as object));
    const args = { incidentId: "i1", status: "MONITORING", description: half } as const;
    await readOutput(new sdk.IncidentUpdate("update", args).urn);
    const shown = { description: repaired };
    expect(inputs).toMatchObject({ description: repaired, [programInput]: { shown } });
    const hidden = { ...args, description: pulumi.secret(half) };
    await readOutput(new sdk.IncidentUpdate("hidden", hidden).urn);
    expect(inputs).toHaveProperty(programInput, expect.objectContaining({ shown: {} }));
  });

  it("a preview may show only the text of an incident that isn't secret", async () => {
    let inputs: object = {};
    await startMocks((resource) => (inputs = resource.inputs as object));
    const texts = { name: pulumi.secret("Canary"), description: "Soon." };
    const args = { statusPageId: "page", status: "MONITORING", ...texts } as const;
    await readOutput(new sdk.Incident("incident", args).urn);
    expect(inputs).toHaveProperty(programInput, expect.objectContaining({ shown: { description: "Soon." } }));
  });
});

it.each([
  ["the dynamic provider", sdk],
  ["the native plugin", native],
])("an optional argument of %s that is an output of undefined is treated as absent", async (_, classes) => {
  const readInputs = async (value?: pulumi.Output<undefined>): Promise<object> => {
    const inputs: Record<string, object> = {};
    await startMocks(({ name, inputs: given }) => Object.assign(inputs, { [name]: given as object }));
    const entry = { ...better, notifySubscribers: value, publicIncidentUpdateDate: value };
    const ofUpdate = { incidentId: "i1", account: value, statusPageId: value };
    const timeline = { incidentId: "i2", account: value, updates: [{ ...entry, key: "better" }] };
    const declared = [
      ...new classes.IncidentTimeline("story", timeline).updates,
      new classes.IncidentUpdate("update", { ...entry, ...ofUpdate }),
      new classes.AlertChannel("channel", { channelId: 4107, account: value, expect: value }),
      new classes.StatusPage("page", { statusPageId: "1", expect: { name: value, cards: value } }),
    ];
    await Promise.all(declared.map(({ urn }) => readOutput(urn)));
    return inputs;
  };
  expect(await readInputs(pulumi.output(undefined))).toEqual(await readInputs());
});

const [unknown, plain] = ["monitoring:incidentID", "monitoring:apiKey"];
const isUnknown = new RegExp(
  `^${unknown} is not a known setting and has no effect\\. Known settings: apiKey, .*, accounts\\.$`,
);
const isMisspelled = /^monitoring:apikey is not .* effect \(did you mean "apiKey"\?\)\. Known/;
const isPlain =
  /^monitoring:apiKey is stored in plain text\. Run `pulumi config set --secret monitoring:apiKey`, and rotate the key\.$/;

it.each<[keys: string, secrets: string | undefined, project: string, warning?: RegExp]>([
  [unknown, undefined, "shop", isUnknown],
  ["monitoring:apikey", "[]", "shop", isMisspelled],
  [unknown, undefined, "monitoring"],
  ["shop:incidentId monitoring:timeoutMs", "[]", "shop"],
  [plain, "[]", "shop", isPlain],
  [plain, "[]", "monitoring", isPlain],
  [plain, `["${plain}"]`, "shop"],
  // The engine didn't start this program.
  [plain, undefined, "shop"],
  [plain, "null", "shop"],
])(
  "a program with the keys %s, of which %s are secret, in the project %s has the right warning",
  async (keys, secrets, project, ...[warning]) => {
    const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
    if (secrets !== undefined) process.env["PULUMI_CONFIG_SECRET_KEYS"] = secrets;
    await startMocks(undefined, project);
    pulumi.runtime.setAllConfig(Object.fromEntries(keys.split(" ").map((key) => [key, "1"])));
    new sdk.AlertChannel("mail", channel);
    await pulumi.runtime.disconnect();
    delete process.env["PULUMI_CONFIG_SECRET_KEYS"];
    expect(warn.mock.calls).toEqual(warning ? [[expect.stringMatching(warning)]] : []);
    warn.mockRestore();
  },
);

describe("an explicit provider", () => {
  let inputs: Record<string, unknown> = {};
  const variables = ["MONITORING_READ_ONLY", "MONITORING_LOCK_DIRECTORY", "MONITORING_RESEND"];

  beforeEach(async () => {
    for (const name of variables) Reflect.deleteProperty(process.env, name);
    await startMocks((resource) => (inputs = resource.inputs as Record<string, unknown>));
  });

  it("an explicit provider uses only read-only mode, locks and codes from the stack, after arguments and the environment", async () => {
    async function readInputs(args: native.ProviderArgs): Promise<object> {
      await readOutput(new native.Provider("shop", args).urn);
      return inputs;
    }
    const ofStack = { readOnly: "true", lockDirectory: "/locks", resend: "7f3a1c20" };
    const settings = Object.entries({ ...ofStack, apiKey: "key", timeoutMs: "9000" });
    pulumi.runtime.setAllConfig(
      Object.fromEntries(settings.map(([name, value]) => [`monitoring:${name}`, value])),
    );
    const absent = { readOnly: undefined, lockDirectory: pulumi.output(undefined) };
    expect(await readInputs({ accountId: "a", ...absent })).toEqual({ accountId: "a", ...ofStack });
    const args = { readOnly: false, lockDirectory: "/given", resend: "0badcafe" };
    expect(await readInputs(args)).toEqual({ ...args, readOnly: "false" });
    for (const name of variables) process.env[name] = "0badcafe";
    expect(await readInputs({})).toEqual({});
  });

  const newProvider = () =>
    new native.Provider("shop", { apiKey: "key", baseUrl: "https://api.example.com" });
  const createComponent = (options: pulumi.ComponentResourceOptions) =>
    new pulumi.ComponentResource("test:index:Component", "component", {}, options);

  const ways: [string, () => pulumi.ComponentResourceOptions][] = [
    ["the option provider", () => ({ provider: newProvider() })],
    ["a list of providers", () => ({ providers: [newProvider()] })],
    ["providers by package", () => ({ providers: { monitoring: newProvider() } })],
    ["a parent with providers", () => ({ parent: createComponent({ providers: [newProvider()] }) })],
  ];
  it.each(ways)("a read with an option that would be ignored is rejected with %s", (_, options) => {
    const reason = (wayOut: string) =>
      ' "a": uses the stack\'s configuration and would ignore the explicit provider in its options or of its ' +
      `parent. ${wayOut} without an explicit provider, and set the argument \`account\`.`;
    expect(() => new native.OpenIncidentGate("a", {}, options())).toThrow(
      `OpenIncidentGate${reason("Declare it")}`,
    );
    expect(() => new native.AlertChannelAudit("a", {}, options())).toThrow(
      `AlertChannelAudit${reason("Declare it")}`,
    );
    const way = 'Import the class from "pulumi-monitoring-service/native", or declare it';
    expect(() => new sdk.AlertChannel("a", { channelId: 1 }, options())).toThrow(
      `AlertChannel${reason(way)}`,
    );
  });

  it("a read through a gate with the provider of another package is allowed", async () => {
    class Cloud extends pulumi.ProviderResource {}
    const providers = [new Cloud("cloud", "cloud", {})];
    const gate = new native.OpenIncidentGate("a", { services: ["Product pages"] }, { providers });
    await expect(gate["getData"]()).resolves.toBeUndefined();
  });

  it.each([
    ["provider", () => ({ provider: newProvider() })],
    ["parent", () => ({ parent: createComponent({ providers: [newProvider()] }) })],
  ])("a read through a data source uses the provider in the option %s", async (_, options) => {
    const called = { token: "monitoring:index:getIncident", id: "8ab1" };
    expect(await native.getIncident({ id: "8ab1" }, options())).toEqual(called);
    expect(await readOutput(native.getIncidentOutput({ id: "8ab1" }, options()))).toEqual(called);
  });

  function folderWith(files: readonly string[], text: string): string {
    const folder = temporaryFolder();
    for (const path of files.map((each) => join(folder, each))) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    return folder;
  }

  const notDeclared =
    "The native plugin of pulumi-monitoring-service is not declared. Add this to Pulumi.yaml:\n\n";
  const addPath = (path: string) =>
    `${notDeclared}plugins:\n  providers:\n    - name: monitoring\n      path: ${path}\n`;
  const installed = "node_modules/pulumi-monitoring-service/plugin";
  const other = "name: shop";
  const ofAws = "home/plugins/resource-aws-v7.1.0/PulumiPlugin.yaml";

  it.each<[text: string, files: string[], error?: string]>([
    ["config:\n  monitoring:baseUrl: https://api.example.com", ["Pulumi.yaml"], notDeclared],
    ["plugins:\n  providers:\n    - name: monitoring-of-others", ["Pulumi.yaml"], notDeclared],
    ["plugins:\n  providers:\n  - path: plugin\n    name: 'monitoring'", ["Pulumi.yaml"]],
    ["plugins: {providers: [{path: plugin, name: monitoring}]}", ["Pulumi.yaml"]],
    ["packages: {monitoring: plugin}", ["Pulumi.yaml"]],
    ["packages:\n  monitoring: plugin", ["Pulumi.yml"]],
    ["packages:\n  monitoring: plugin", ["program/Pulumi.yaml"]],
    [other, ["other.yaml"]],
    [other, ["Pulumi.yaml", ofAws, "home/plugins/resource-monitoring-v0.1.0/PulumiPlugin.yaml"]],
    [other, ["Pulumi.yaml", ofAws], notDeclared],
    [other, ["Pulumi.yaml", "second/pulumi-resource-monitoring"]],
    [other, ["Pulumi.yaml", "second/pulumi-resource-monitoring.cmd"]],
    [other, ["Pulumi.yaml", "second/pulumi-resource-aws"], notDeclared],
    [other, ["program/Pulumi.yaml", `program/${installed}/index.js`], addPath(installed)],
    [other, ["program/Pulumi.yaml", `${installed}/index.js`], addPath(`../${installed}`)],
  ])(
    "a program finds its plugin or fails, with the project %j in the first of the files %j",
    (text, files, ...[error]) => {
      const folder = folderWith(files, text);
      const PATH = [join(folder, "first"), join(folder, "second")].join(delimiter);
      jest.replaceProperty(process, "env", { PULUMI_HOME: join(folder, "home"), PATH });
      jest.spyOn(process, "cwd").mockReturnValue(join(folder, "program"));
      // The result is cached for each run, so this test needs a separate run with a monitor that isn't the monitor of a unit test.
      const monitor = new ResourceMonitorClient(nobodyListens, credentials.createInsecure());
      const ofRun = jest.spyOn(pulumi.runtime, "getMonitor").mockReturnValue(monitor);
      if (error === undefined) expect(assertPluginDeclared).not.toThrow();
      else expect(assertPluginDeclared).toThrow(error);
      expect(ofRun).toHaveBeenCalled();
      jest.restoreAllMocks();
    },
  );

  const ofPackage = "node_modules/pulumi-monitoring-service/provider.js";
  it.each<[where: string, files: string[], manifest?: string]>([
    ["the folder of the program", [`program/${ofPackage}`]],
    ["a folder above", [ofPackage]],
    ["no folder, and there is no manifest", [], "program/package.json"],
    ["no folder, and a manifest is above", ["package.json"], "package.json"],
    [
      "another folder, and the program has a manifest",
      ["package.json", "program/package.json", `lib/${ofPackage}`],
      "program/package.json",
    ],
  ])("a program that Pulumi runs can load the provider from %s", (_, files, ...[manifest]) => {
    const folder = folderWith(files, "{}");
    jest.replaceProperty(process, "env", { ...process.env, PULUMI_NODEJS_MONITOR: nobodyListens });
    jest.spyOn(process, "cwd").mockReturnValue(join(folder, "program"));
    const declare = () => new sdk.AlertChannel("mail", { channelId: 4107 });
    if (manifest === undefined) expect(declare).not.toThrow();
    else
      expect(declare).toThrow(
        new Error(
          "pulumi-monitoring-service can't be loaded from the folder of the program, where Pulumi loads its provider. Add the package " +
            `to the dependencies in ${join(folder, manifest)}, even if a different package or a bundle contains it, and install the dependencies.`,
        ),
      );
    jest.restoreAllMocks();
  });
});
