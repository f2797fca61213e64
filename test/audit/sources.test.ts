/** Tests the channels that an audit reads from the service, and the reasons for channels that it can't read or evaluate. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  auditCheckedChannels,
  listIncompleteChannels,
  checkReadChannel,
  readRules,
  type Rules,
} from "../../audit";
import { auditPlanned, planAudit } from "../../audit/sources/service";
import type { AlertChannel } from "../../provider/api/objects";
import { MonitoringError } from "../../provider/client";
import { redactConfig } from "../../provider/credentials";
import { toRepositoryPath } from "../../provider/files";
import { createClient, send, serve } from "../client/services";
import { temporaryFolder } from "../temporaryFolder";
import { channel, silence } from "./channels";
import { cases } from "./table";

const rules = readRules(silence);
const unlisted = () => Promise.resolve(undefined);
const ids = Array.from({ length: 40 }, (_, index) => index + 1);

/** @param getStatus Returns the status of a response; undefined to close the connection. */
async function readWhere(getStatus: (id: number) => number | undefined) {
  const service = await serve((response, { url }) => {
    const id = Number(url.split("/").at(-1));
    const status = getStatus(id);
    if (status === undefined) response.destroy();
    else send(response, { id, type: "EMAIL", config: {} }, status);
  });
  const { client } = createClient(service, { maxAttempts: 1 });
  const connection = { client, origin: { host: "service.example", path: "/" } };
  const list = () => Promise.resolve([]);
  const plan = await planAudit({ isOfAll: false, channels: ids }, rules, {}, unlisted);
  const { notEvaluable } = await auditPlanned(plan, { connection, list });
  const unread = notEvaluable.filter(({ rule }) => rule === "channel-read");
  return { reasons: unread.map(({ reason }) => reason), requests: service.requests.length };
}

test("an unreadable channel doesn't affect others, but a rejected key or a missing network ends all reads", async () => {
  for (const status of [403, undefined]) {
    const { requests, reasons } = await readWhere((id) => (id === 15 ? status : 200));
    expect(reasons).toEqual([expect.stringContaining(`getAlertChannel 15: `)]);
    expect(requests).toBe(ids.length);
  }
  // Any response proves that the network works.
  expect((await readWhere((id) => (id === 15 ? undefined : 403))).requests).toBe(ids.length);
  for (const getStatus of [(id: number) => (id === 1 ? 401 : 200), () => undefined]) {
    const { requests, reasons } = await readWhere(getStatus);
    expect(requests).toBeLessThan(ids.length);
    expect(new Set(reasons.map((reason) => reason.slice(0, 45))).size).toBe(1);
  }
});

test.each([
  [0, "is neither an ID nor a name (no channel has a name)"],
  [10, "is neither an ID nor a name (names: n1, n2, n3, n4, n5, n6, n7, n8, n9, n10)"],
  [12, "is neither an ID nor a name (names: n1, n2, n3, n4, n5, n6, n7, n8, n9, n10 and 2 more)"],
])("an error about %i names suggests as many valid names as a message can hold", async (count, reason) => {
  const names = Object.fromEntries(ids.slice(0, count).map((id) => [`n${id}`, id]));
  const plan = await planAudit({ isOfAll: false, channels: ["elsewhere"] }, rules, names, unlisted);
  expect(plan).toMatchObject({ isEmpty: false, unknown: [{ requested: "elsewhere", reason }] });
});

test("a channel is read by its ID, by a name, or by the name in its settings, and only the last one needs the list", async () => {
  const titles = ["Ops", "Ops 2", "Twin", "Twin"].map((title, index) => ({ id: index + 5, title }));
  const plan = (channels: (string | number)[], list: () => Promise<typeof titles>) =>
    planAudit({ isOfAll: false, channels }, rules, { n1: 1 }, list);
  const fails = (error: Error) => () => Promise.reject(error);
  const found = await plan([3, "n1", "Ops", "Twin", "x"], () => Promise.resolve(titles));
  expect(found).toMatchObject({ ids: [3, 1, 5, 7, 8], isPartial: true, unread: [] });
  expect(found.unknown).toEqual([
    { requested: "Twin", reason: expect.stringContaining("is the name of 2 channels") as string },
    { requested: "x", reason: "is neither an ID nor a name (names: n1, Ops, Ops 2, Twin, Twin)" },
  ]);
  expect(await plan([3, "n1"], fails(new TypeError("It isn't read.")))).toMatchObject({ ids: [3, 1] });
  expect(await plan(["n1", 1.5, "Ops"], fails(new MonitoringError("HTTP 503.")))).toMatchObject({
    ...{
      ids: [1, 1.5],
      unknown: [{ requested: 1.5 }],
      unread: [{ id: "Ops", name: "Ops", reason: "HTTP 503." }],
    },
  });
  await expect(plan(["Ops"], fails(new TypeError("Ours.")))).rejects.toThrow(TypeError);
});

const { createdAt: _, updatedAt: __, ...fields } = channel();
const subscriptions = [{ checkId: "check-1", groupId: null, activated: true }];
const returned: AlertChannel = { ...fields, id: 1, subscriptions, updated_at: "2026-11-01T00:00:00Z" };
const judged = (changes: Partial<AlertChannel>) =>
  checkReadChannel({ ...returned, ...changes }, undefined, undefined);

test.each(
  cases<Partial<AlertChannel>>(`
  { config: { address: [thief@x] } } → config.address
  { type: SMS, config: { number: 4930123456 } } → config.number
  { type: WEBHOOK, config: { url: [https://thief.example] } } → config.url
  { type: WEBHOOK, config: { url: https://acme.example, webhookUrl: https://thief.example } } → config.webhookUrl`),
)("a channel with %s isn't evaluable, because it may deliver elsewhere", (_, changes, [field]) => {
  expect(judged(changes)).toMatchObject({ reason: expect.stringContaining(`: ${field}. Save`) as string });
});

test("a secret in a name is hidden in the same way as in the state of a stack", () => {
  const type = "SMS";
  const config = { name: "deploy-aB3dE6gH9jK2mN5pQ8rS1tU4", number: "+34600145981" };
  const read = checkReadChannel({ ...returned, type, config }, undefined, "acme");
  expect(read).toMatchObject({ config: redactConfig({ type, config }, "acme") });
});

const mine = [{ id: "mine", title: "Mine", expect: { sendDegraded: false } }];
const days: Rules = { rules: { "ssl-expiry-threshold": "error" } };
const daysOfHooks: Rules = {
  exceptions: [{ select: { types: ["WEBHOOK"] }, rules: { ...days.rules }, reason: "Hooks" }],
};
const targets: Rules = { rules: { "empty-target": "error" } };
const stale: Rules = { rules: { stale: "error" } };
const created = { created_at: "2025-01-01T00:00:00Z" };
const webhook = (more: object = {}): Partial<AlertChannel> => ({
  type: "WEBHOOK",
  config: { url: "https://acme.example/in", ...more },
});
const daysToo: Rules = { rules: { ...silence.rules, ...days.rules } };
const exceptions = [{ select: { types: ["EMAIL"] }, rules: "off" as const, reason: "All" }];

// test/audit/rules.test.ts checks this for each rule, and test/cli/audit/all.test.ts for webhooks whose settings no list entry contains.
test.each<[what: string, rules: Rules, without: Partial<AlertChannel>, isRead: boolean]>([
  ["isn't read alone for what it has", targets, {}, false],
  ["is read alone for a target that it lacks", targets, { config: {} }, true],
  ["is read alone if its type is unknown", targets, { type: "PIGEON", config: {} }, true],
  ["isn't read alone for a target that is secret", targets, webhook(), false],
  ["is read alone for what is masked", targets, webhook({ webhookSecret: "***masked***" }), true],
  ["isn't read alone if it was never changed", stale, { ...created, updated_at: null }, false],
  ["is read alone for a change that may be later", stale, { ...created, updated_at: undefined }, true],
  ["is read alone for what one of the rules needs", daysToo, { sslExpiryThreshold: null }, true],
  ["isn't read alone for a rule of others", daysOfHooks, { sslExpiryThreshold: null }, false],
  ["isn't read alone if its entry is wrong", days, { config: { address: ["ops@acme.example"] } }, false],
  ["isn't read alone for days of no use", days, { sslExpiryThreshold: null, sslExpiry: false }, false],
  ["is read alone for what a custom rule expects", { customRules: mine }, { sendDegraded: null }, true],
])("a listed channel without some of its fields %s", (_, set, without, isRead) => {
  expect(listIncompleteChannels([judged(without)], readRules(set), false, new Date())).toHaveLength(
    Number(isRead),
  );
});

test("a run reports rules that exclude every channel of an account, and doesn't block", () => {
  const set = readRules({ ...silence, exceptions });
  const listing = { named: new Set<string>(), absent: [] };
  const said = (channels: Parameters<typeof auditCheckedChannels>[0], more = {}) =>
    auditCheckedChannels(channels, set, {}, { ...listing, ...more }).notEvaluable;
  expect(said([judged({})])).toMatchObject([{ reason: "the rules exclude every channel", blocks: false }]);
  const wrong = "the account has no alert channels. Correct the account ID or the API key";
  expect(said([])).toMatchObject([{ reason: wrong, blocks: true }]);
  expect(said([judged({ type: "SMS", config: {} })])).toEqual([]);
  const unread = { id: 9, reason: "HTTP 503" };
  expect(said([unread])).toMatchObject([{ channel: { id: 9 }, reason: "HTTP 503", blocks: true }]);
  expect(said([], { problem: "HTTP 503." })).toMatchObject([{ reason: "HTTP 503", blocks: true }]);
});

test("a channel that the list lacks isn't evaluable unless the rules exclude it, and the lowest ID comes first", () => {
  const set = readRules({ ...silence, exceptions: [{ channel: 9, rules: "off", reason: "x" }] });
  const absent = [30, 9, 8].map((id) => ({ id, reason: "gone" }));
  const { notEvaluable } = auditCheckedChannels([judged({})], set, {}, { named: new Set(), absent });
  expect(notEvaluable.map(({ channel: each }) => each?.id)).toEqual([8, 30]);
});

test("an exception for a name of two channels is rejected, in any Unicode form", () => {
  const name = "caf\u00e9";
  const named = (id: number, of = name) =>
    judged({ id, type: "SMS", config: { name: of, number: "+12025550143" } });
  const all = [named(1), named(3), named(5, "bar")];
  const reason = "is the name of 2 channels. Use an ID instead: 1, 3";
  for (const channel of [name, name.normalize("NFD")]) {
    const set = readRules({ ...silence, exceptions: [{ channel, rules: "off", reason: "x" }] });
    expect(() => auditCheckedChannels(all, set)).toThrow(`exceptions[0].channel ${reason}`);
    expect(() => auditCheckedChannels(all.slice(1), set)).not.toThrow();
  }
});

describe("a finding is placed in SARIF", () => {
  const original = process.cwd();
  let root: string;
  beforeEach(() => {
    root = temporaryFolder();
    for (const name of [".git", "infra"]) mkdirSync(join(root, name));
  });

  test("a finding is placed in SARIF in the rule file, as a path from the root of the repository, wherever the command runs", () => {
    const infra = join(root, "infra");
    writeFileSync(join(infra, "audit.yaml"), "");
    const link = join(temporaryFolder(), "link");
    symlinkSync(infra, link);
    for (const [from, file] of [
      [root, "infra/audit.yaml"],
      [infra, "audit.yaml"],
      [original, join(infra, "audit.yaml")],
      [original, join(link, "audit.yaml")],
    ] as const) {
      process.chdir(from);
      expect(toRepositoryPath(file)).toBe("infra/audit.yaml");
    }
  });

  test("a finding is placed in SARIF in the project, if it has no line in a rule file", () => {
    process.chdir(join(root, "infra"));
    expect(toRepositoryPath()).toBe("infra/Pulumi.yaml");
  });
});
