/** `monitoring audit --all`: every channel that the service lists is audited, or the report says which isn't. */
import { readFileSync } from "node:fs";
import { formatNames } from "../../audit";
import { titleOf } from "../../provider/credentials";
import { drawNoWaits, send, serve, type Respond } from "../client/services";
import { sandboxWith } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { audit, environmentOf, exported, fileWith, linesOf, observed, reportIn, silence } from "./running";

const original = process.cwd();
beforeEach(() => process.chdir(temporaryFolder()));
afterEach(() => process.chdir(original));

const channel = (id: number, more: object = {}) => ({
  ...{ id, type: "EMAIL", config: { address: `ops${id}@acme.io` } },
  ...{ subscriptions: [{ id: 1, checkId: "c1", groupId: null, activated: true }], autoSubscribe: false },
  ...{ sendFailure: true, sendRecovery: true, sendDegraded: false, sslExpiry: true, sslExpiryThreshold: 21 },
  ...{ updated_at: "2026-11-01T00:00:00.000Z", ...more },
});
const channels = (count: number) => Array.from({ length: count }, (_, index) => channel(index + 1));

type Lists = (limit: number, page: number) => unknown[];

/** A service that lists these channels, and reads each by its id. */
async function serviceOf(all: readonly { id: number }[], lists?: Lists, before?: Respond) {
  const service = await serve((response, request, turn) => {
    before?.(response, request, turn);
    if (response.writableEnded) return;
    const { pathname, searchParams } = new URL(request.url, "http://a");
    const id = Number(pathname.split("/")[3]);
    if (id) send(response, channel(id));
    else {
      const [limit, page] = [Number(searchParams.get("limit")), Number(searchParams.get("page"))];
      response.setHeader("content-range", `0-9/${all.length}`);
      send(response, lists?.(limit, page) ?? all.slice((page - 1) * limit, page * limit));
    }
  });
  return { ...service, environment: { MONITORING_BASE_URL: service.url, MONITORING_API_KEY: "mon_key" } };
}

const json = async (args: readonly string[], environment: Record<string, string>) => {
  const { code, stdout, stderr } = await audit([...args, "--format", "json"], environment);
  return { code, stderr, report: stdout === "" ? undefined : reportIn(stdout) };
};

describe("without a rule file", () => {
  test("a key is enough for a report, by the preset recommended", async () => {
    const { environment, requests } = await serviceOf(channels(230));
    const { code, report } = await json(["--all"], environment);
    expect([code, report?.preset, report?.counts.channels]).toEqual([0, "recommended", 230]);
    expect(requests).toHaveLength(5);
  });

  test("--init writes one that names each channel, and reveals no credential", async () => {
    const hook = { url: "https://hooks.slack.com/services/T1/B1/canarycanarycanary" };
    const all = [
      channel(1, { config: { address: "ops@acme.io" } }),
      channel(2, { config: { address: "OPS@acme.io" } }),
      channel(3, { type: "SLACK", config: { ...hook, channel: hook.url } }),
    ];
    const { environment } = await serviceOf(all);
    const written = await audit(["--init"], environment);
    expect(written.stdout).toBe(
      "audit.yaml is written. It names the 3 channels of the account. Run `monitoring audit`.\n",
    );
    const file = readFileSync("audit.yaml", "utf8");
    expect(file).toContain("allChannels: true\n");
    expect(file).toContain("channels:\n  ops-acme-io: 1\n  ops-acme-io-2: 2\n  slack: 3\n");
    const { code, report } = await json([], environment);
    expect([code, report?.counts.channels]).toEqual([expect.any(Number), 3]);
  });

  test("--init gives each channel a name of its own, which is no id", async () => {
    const names = ["foo-2", "foo", "foo", "4106"];
    const ids = [7, 1, 2, 3];
    const all = names.map((name, index) => channel(ids[index] ?? 0, { type: "SMS", config: { name } }));
    await audit(["--init"], (await serviceOf(all)).environment);
    expect(readFileSync("audit.yaml", "utf8")).toContain(
      "channels:\n  foo-2: 7\n  foo: 1\n  foo-2-2: 2\n  sms-4106: 3\n",
    );
  });

  test("--init of a service without a list takes the configured channels", async () => {
    const { environment } = await serviceOf([], undefined, (response) => send(response, {}, 404));
    const { stdout } = await audit(["--init"], { ...environment, MONITORING_ALERT_CHANNELS: '{"ops": 7}' });
    expect(stdout).toContain("The service doesn't list alert channels, unless MONITORING_BASE_URL is wrong.");
    expect(readFileSync("audit.yaml", "utf8")).toContain(
      "# The channels to audit, by name.\nchannels:\n  ops: 7\n",
    );
  });
});

describe("names", () => {
  const rules = `${silence}allChannels: true\nchannels: { ops: 1, gone: 99 }\n`;

  test("are labels, and a named channel that the list lacks is not evaluable", async () => {
    const { environment } = await serviceOf([channel(1, { sendFailure: false }), channel(2)]);
    const { code, stdout } = await audit(["--rules", fileWith(rules)], environment);
    expect(code).toBe(3);
    expect(linesOf(stdout)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^error 1 ops send-failure/),
        expect.stringMatching(/99 gone channel-read channel: the service doesn't list it: it may be deleted/),
      ]),
    );
  });

  test("of channels without one are their addresses or the names in their settings", () => {
    const names = [
      "hooks.slack.com/services/checkout",
      "team/checkout-eu-west-1",
      "KubernetesClusterProductionEurope1",
      "\ud83d\udc69\u200d\ud83d\ude92 Duty (EU/US)",
    ];
    expect(names.map((name) => titleOf({ config: { name } }))).toEqual(names);
    expect(titleOf({ config: { address: "ops@acme.io" } })).toBe("ops@acme.io");
    expect(titleOf({ config: { name: "Duty", number: "+34600145981" } })).toBe("Duty");
  });

  test("aren't what is an address or may be a secret, also beside words", () => {
    const names = [
      "https://hooks.acme.io/T1/B1",
      "xoxb-1234567890-abcdefABCDEF1234567890ab",
      "ops token=hunter2",
      "xmrcUPqw\u200bt0OdPFBj7GM=",
      "Ops {{9f8b2c4d-6e1a-4b7c-8d3e-5a2f1c0b9e7d}}",
      "Ops {{xoxb-1234567890-abcdefABCDEF1234567890ab}}",
      "hooks.slack.com/services/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",
      "webhook/aB3dE6gH9jK2mN5pQ8rS1tU4",
      "deploy-aB3dE6gH9jK2mN5pQ8rS1tU4",
      "production_aB3dE6gH9jK2mN5pQ8rS1tU4",
      "https:\\/\\/hooks.acme.io\\/aB3dE6gH9jK2mN5pQ8rS1tU4",
      "ops aB3dE6gH9jK2\u200bmN5pQ8rS1tU4",
      "ops ghp_aB3dE6gH9jK2\u200bmN5pQ8rS1tU4vW7xY0zA3bC6",
    ];
    expect(names.flatMap((name) => titleOf({ config: { name } }) ?? [])).toEqual([]);
  });
});

describe("exclude", () => {
  const rules = (exclude: string) => fileWith(`${silence}allChannels: true\nexclude:\n${exclude}`);
  const silent = [channel(1), channel(2, { sendFailure: false }), channel(3, { sendFailure: false })];

  test.each(formatNames)(
    "is counted in %s, which calls a channel without a name by its title",
    async (format) => {
      const { environment } = await serviceOf([channel(1, { sendFailure: false }), ...silent.slice(1)]);
      const file = rules(
        "  - { channel: 2, reason: A test }\n  - { select: { ids: [3] }, reason: Retired }\n",
      );
      const { code, stdout } = await audit(["--rules", file, "--format", format], environment);
      expect([code, stdout]).toEqual([1, expect.stringContaining("ops1@acme.io")]);
      const counted = { json: '"excluded":2,', junit: "excluded: Retired", sarif: '"reason":"Retired"' };
      expect(stdout).toContain(
        Object.entries(counted).find(([name]) => name === format)?.[1] ?? "2 excluded",
      );
    },
  );

  test.each([
    ["9", ""],
    ["old", "channels: { old: 9 }\n"],
  ])("of a channel that doesn't exist is a warning, and counts none: %s", async (gone, names) => {
    const { environment } = await serviceOf([channel(1)]);
    const file = rules(`  - { channel: ${gone}, reason: Gone }\n${names}`);
    const { code, report } = await json(["--rules", file], environment);
    expect([code, report?.counts.excluded]).toEqual([0, 0]);
    const actual = `0 channels for ${gone}`;
    expect(report?.findings).toMatchObject([
      { rule: "select-unused", severity: "warning", field: "exclude[0]", actual },
    ]);
  });

  const all = () => ["--all", "--rules", fileWith(silence)];
  /** What is said of the baseline of all silent channels. */
  const saidOf = async (listed: Parameters<typeof serviceOf>[0], args: string[], status?: number) => {
    await audit([...all(), "--write-baseline", "known.json"], (await serviceOf(silent)).environment);
    const { environment } = await serviceOf(listed, undefined, (response) => {
      if (status !== undefined) send(response, {}, status);
    });
    const { code, stderr } = await audit([...args, "--baseline", "known.json"], environment);
    return [code, stderr];
  };

  test("is no deletion, which the baseline's findings of a channel are told once", async () => {
    const excluding = ["--rules", rules("  - { channel: 2, reason: A test }\n")];
    expect(await saidOf(silent, excluding)).toEqual([0, ""]);
    const gone =
      "2 channels with known findings are gone (2, 3): write the file again with --write-baseline.";
    expect(await saidOf([channel(1)], all())).toEqual([0, `known.json: ${gone}\n`]);
    expect(await saidOf([channel(1)], all(), 403)).toEqual([3, ""]);
    const byId = ["--rules", fileWith(`${silence}channels: { one: 1 }\n`)];
    expect(await saidOf([channel(1)], byId)).toEqual([0, ""]);
  });

  test("of every channel is said", async () => {
    const { environment } = await serviceOf(silent);
    const file = rules("  - { select: { types: [EMAIL] }, reason: All }\n");
    const { code, report } = await json(["--rules", file, "--fail-on", "not-evaluable"], environment);
    expect([code, report?.notEvaluable[0]?.reason]).toEqual([1, "the rules exclude every channel"]);
  });
});

describe("a list that isn't whole", () => {
  const failing =
    (status: number, path = ""): Respond =>
    (response, { url }) => {
      if (url.includes(path)) send(response, {}, status);
    };

  test("of a service without one is exit code 2, with the way out", async () => {
    const { environment } = await serviceOf([], undefined, failing(404));
    const { code, stdout, stderr } = await audit(["--all"], environment);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(
      "This service doesn't list alert channels (GET /v1/alert-channels): name them under",
    );
  });

  const page2 = [404, 500, 403].map((status): [string, Parameters<typeof serviceOf>, string] => [
    `with HTTP ${status} on a later page`,
    [channels(230), undefined, failing(status, "page=2")],
    "the list couldn't be read whole: 100 channels were read. listAlertChannels",
  ]);

  test.each([
    ...page2,
    [
      "that keeps changing",
      [channels(230), () => channels(99)],
      "the list kept changing while it was read 3 times",
    ],
    ["with a wrong key", [[], undefined, failing(401)], "couldn't be read whole: 0 channels were read"],
  ] satisfies typeof page2)("%s is exit code 3, with the reason", async (_, listed, reason) => {
    drawNoWaits();
    const { code, report } = await json(["--all"], (await serviceOf(...listed)).environment);
    expect([code, report?.counts.blocking]).toEqual([3, 1]);
    expect(report?.notEvaluable[0]?.reason).toContain(reason);
    expect(report?.notEvaluable[0]?.reason).not.toContain("doesn't list");
  });

  test("keeps what doesn't match the API on the pages before the error", async () => {
    const unknown = () => channels(100).map(({ id }) => ({ id }));
    const { environment } = await serviceOf(channels(230), unknown, failing(404, "page=2"));
    const { code, report } = await json(["--all"], environment);
    expect([code, report?.notEvaluable.length]).toEqual([3, 101]);
  });

  test("of an account without channels is exit code 3, as is one of a wrong account", async () => {
    const { environment } = await serviceOf([]);
    const rules = fileWith("extends: strict\n");
    const { code, report } = await json(["--all", "--rules", rules, "--fail-on", "never"], environment);
    expect([code, report?.notEvaluable[0]?.reason]).toEqual([
      3,
      "the account has no alert channels; correct the account id or the API key",
    ]);
  });
});

test("a channel that doesn't match the API isn't evaluable, and hides no other", async () => {
  const all = [
    channel(1),
    { ...channel(2), type: 5 },
    channel(3, { config: { address: ["x"] } }),
    channel(4),
  ];
  const { environment } = await serviceOf(all);
  const { code, report } = await json(["--all", "--rules", fileWith(silence)], environment);
  expect([code, report?.counts.channels]).toEqual([3, 2]);
  expect(report?.notEvaluable.map(({ channel, reason }) => [channel?.id, reason.split(";")[0]])).toEqual([
    [2, "these fields don't match the API: type"],
    [3, "these fields don't match the API: config.address"],
  ]);
});

const readsIn = (requests: readonly { url: string }[]) =>
  requests.flatMap(({ url }) => (url.includes("?") ? [] : url));

describe("what the list leaves out", () => {
  const without = (field: string, left?: null) => [
    channel(1),
    channel(2, { subscriptions: [{ id: 2, checkId: "c2", activated: true }], [field]: left }),
  ];

  test.each([
    ["subscriptions", "subscribed: error"],
    ["sendFailure", "send-failure: error"],
    ["updated_at", "stale: error"],
    ["sslExpiry", "ssl-expiry: { options: { each: true } }"],
    ["sslExpiryThreshold", "ssl-expiry-threshold: { options: { each: true } }"],
    ["sslExpiry", "ssl-expiry-threshold: { options: { each: true } }"],
    ["sendFailure", "checks-covered: { options: { checks: [c1, c2] } }"],
    [
      "sendDegraded",
      "mine: error }\ncustomRules: [{ id: mine, title: Mine, expect: { sendDegraded: false } }]\n#",
    ],
  ])("such as %s is read by the id of that channel, for a rule that needs it: %s", async (field, rule) => {
    for (const left of [undefined, null]) {
      const { environment, requests } = await serviceOf(without(field, left));
      const { report } = await json(["--all", "--rules", fileWith(`rules: { ${rule} }\n`)], environment);
      expect(report?.notEvaluable).toEqual([]);
      expect(readsIn(requests)).toEqual(["/v1/alert-channels/2"]);
    }
  });

  test("is read, too, where a rule needs it only because of what was read before", async () => {
    const listed = [channel(1, { sendFailure: undefined }), channel(2, { subscriptions: undefined })];
    const { environment } = await serviceOf(listed, undefined, (response, { url }) => {
      if (url.endsWith("/1")) send(response, channel(1, { sendFailure: false }));
      if (url.endsWith("/2")) send(response, channel(2, { subscriptions: [] }));
    });
    const rules = fileWith("rules: { checks-covered: { options: { checks: [c1] }, severity: error } }\n");
    const { code, report } = await json(["--all", "--rules", rules], environment);
    expect([code, report?.notEvaluable]).toEqual([1, []]);
  });

  test("is read, too, where the list has no settings at all", async () => {
    const listed = [channel(1), channel(2, { config: undefined })];
    const { environment, requests } = await serviceOf(listed, undefined, (response, { url }) => {
      if (url.endsWith("/2")) send(response, channel(2, { config: { address: "" } }));
    });
    const rules = fileWith("rules: { empty-target: error }\n");
    const { code, report } = await json(["--all", "--rules", rules], environment);
    expect([code, report?.notEvaluable, readsIn(requests)]).toEqual([1, [], ["/v1/alert-channels/2"]]);
  });

  test("isn't read for other rules", async () => {
    const { environment, requests } = await serviceOf(without("subscriptions"));
    await json(["--all", "--rules", fileWith(silence)], environment);
    expect(readsIn(requests)).toEqual([]);
  });

  const url = "https://acme.example/in";
  const whole = {
    url,
    template: '{"token": "aB3dE6gH9jK2mN5p"}',
    headers: [],
    queryParameters: [],
    webhookSecret: "",
  };
  const { template: _, ...untemplated } = whole;

  test.each<[what: string, rules: string, config: object, reads: number[]]>([
    ["is masked in its URL", "credential-reference", { ...whole, url: "https://acme.example/***" }, [1, 2]],
    ["lacks its URL", "empty-target", { ...whole, url: undefined }, [1, 2]],
    [
      "has a masked header",
      "credential-reference",
      { ...whole, headers: [{ key: "X", value: "***" }] },
      [1, 2],
    ],
    ["lacks its template", "credential-reference", untemplated, [1, 2]],
    ["lacks its template, which no rule needs", "send-failure", untemplated, []],
    ["has all settings", "credential-reference", whole, []],
  ])("such as a webhook that %s is read for %s", async (_, rule, config, reads) => {
    const hook = { type: "WEBHOOK", config };
    const all = [channel(1, hook), channel(2, hook), channel(3)];
    const { environment, requests } = await serviceOf(all, undefined, (response, request) => {
      const [, id] = /\/([12])$/.exec(request.url) ?? [];
      if (id !== undefined) send(response, channel(Number(id), { type: "WEBHOOK", config: whole }));
    });
    const rules = fileWith(`rules: { ${rule}: error }\n`);
    const { report } = await json(["--all", "--rules", rules], environment);
    expect(readsIn(requests)).toEqual(reads.map((id) => `/v1/alert-channels/${id}`));
    const found = rule === "credential-reference" ? [1, 2] : [];
    expect(report?.findings.map(({ channel }) => channel?.id)).toEqual(found);
    expect(report?.notEvaluable).toEqual([]);
  });

  test("such as a template that another webhook of the list has was never there", async () => {
    const hooks = [whole, untemplated].map((config, index) =>
      channel(index + 1, { type: "WEBHOOK", config }),
    );
    const { environment, requests } = await serviceOf(hooks);
    await json(["--all"], environment);
    expect(readsIn(requests)).toEqual([]);
  });
});

describe("unlisted-channel", () => {
  const vendors = {
    urn: "urn:pulumi:p::p::vendor:index/alertChannel:AlertChannel::v",
    type: "vendor:index/alertChannel:AlertChannel",
    custom: true,
    id: "3",
  };
  const stated = (id: number, more?: object) =>
    observed(`c${id}`, { ...channel(id), id: undefined, channelId: id, ...more }, { id: String(id) });
  const elsewhere = stated(7, { origin: { host: "elsewhere.acme.io", path: "/" } });

  /** Compares the listed channels with those of a stack. */
  async function compared(count: number, resources: readonly object[], ...args: string[]) {
    const { environment } = await serviceOf(channels(count));
    const file = fileWith(exported(...resources), "stack.json");
    const { report, ...ended } = await json(["--all", "--state", file, ...args], environment);
    const unlisted = report?.findings.filter(({ rule }) => rule === "unlisted-channel");
    return { ...ended, report, unlisted: unlisted?.map(({ channel }) => channel?.id) };
  }

  test("finds a channel that neither the rules nor the stack name, and says which of the stack is gone", async () => {
    const rules = "rules: { unlisted-channel: warning }\nallChannels: true\nchannels: { ops: 1 }\n";
    const resources = [stated(2), stated(8), vendors];
    const { code, report, unlisted } = await compared(4, resources, "--rules", fileWith(rules));
    expect({ code, unlisted }).toEqual({ code: 3, unlisted: [4] });
    expect(report?.notEvaluable).toMatchObject([{ rule: "channel-read", channel: { id: "8" } }]);
  });

  test("is on for --all with --state, without a rule file", async () => {
    expect((await compared(4, [vendors])).unlisted).toEqual([1, 2, 4]);
  });

  test.each([
    ["that declares nothing", 2, [], "contains no alert channels of 127.0.0.1"],
    ["that declares nothing in this account", 2, [elsewhere], "contains no alert channels of 127.0.0.1"],
    ["that also declares others", 0, [vendors, elsewhere], "1 channel isn't of 127.0.0.1"],
  ])("says what it doesn't compare with a stack %s", async (_, code, resources, said) => {
    expect(await compared(3, resources)).toMatchObject({
      code,
      stderr: expect.stringContaining(said) as unknown,
    });
  });

  test("is a warning in strict, and doesn't apply to an audit by ids", async () => {
    const { environment } = await serviceOf([channel(5)]);
    const strict = fileWith("extends: strict\nrules: { stale: off }\n");
    const severities = async (...args: string[]) => {
      const { report } = await json([...args, "--rules", strict], environment);
      return report?.findings.flatMap(({ rule, severity }) => (rule === "unlisted-channel" ? severity : []));
    };
    expect(await severities("--all")).toEqual(["warning"]);
    expect(await severities("--channel", "5")).toEqual([]);
  });
});

test("--channel narrows a rule file of all channels", async () => {
  const { environment, requests } = await serviceOf(channels(3));
  await audit(["--rules", fileWith(`${silence}allChannels: true\n`), "--channel", "2"], environment);
  expect(requests.map(({ url }) => url)).toEqual(["/v1/alert-channels/2"]);
});

test("a list of each type of channel", async () => {
  const sandbox = await sandboxWith();
  const { code, report } = await json(["--all"], environmentOf(sandbox));
  expect(code).toBe(1);
  expect(report?.counts).toMatchObject({
    channels: sandbox.data.accounts[0].alertChannels.length,
    blocking: 0,
  });
});
