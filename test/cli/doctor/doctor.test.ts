import { type ServerResponse } from "node:http";
import { cases } from "../../audit/table";
import { nobodyListens, notFound, send, serve } from "../../client/services";
import { startTestSandbox } from "../../sandbox/sandboxes";
import { createPulumi, doctor, ids } from "../running";

test("monitoring doctor shows the resulting connection, and only reads", async () => {
  const sandbox = await startTestSandbox();
  const names = JSON.stringify({ "on-call": ids.onCall, mail: ids.operationsMail });
  const variables = { MONITORING_ALERT_CHANNELS: names };
  const { code, stderr, lines } = await doctor(sandbox, "", { variables });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(lines).toEqual([
    "ok  settings  MONITORING_API_KEY, MONITORING_ACCOUNT_ID, MONITORING_BASE_URL, MONITORING_ALERT_CHANNELS",
    "ok  proxy  none",
    `ok  service  ${sandbox.url} responds`,
    "ok  key  is accepted",
    `ok  account  ${sandbox.accountId}, in the header x-service-account`,
    "ok  status pages  22 with cards, 2 with components",
    "ok  open incidents  7",
    "ok  alert channels  12 listed by the service; 2 of 2 in MONITORING_ALERT_CHANNELS can be read",
    "ok  clock  matches the service's clock",
    "",
    "Status pages with components:",
    '  statusPageId: "page_shop"',
    "  Shop: Checkout, Cart, Search, Images",
    '  statusPageId: "page_developers"',
    "  Developers: API, Webhooks",
    "",
    "Open incidents, each with the arguments for an update or a timeline:",
    '  incidentId: "inc_checkout_latency"',
    "  Checkout is slow for shoppers in Europe (IDENTIFIED), on Checkout Europe",
    '  incidentId: "inc_card_declines"',
    "  Some card payments are declined (IDENTIFIED), on Checkout North America",
    "  and 1 other",
    ...Array<unknown>(7).fill(expect.anything()),
    '  statusPageId: "page_shop", incidentId: "inc_checkout_outage"',
    "  Orders can't be placed (IDENTIFIED), on Shop",
    '  statusPageId: "page_developers", incidentId: "inc_api_maintenance"',
    "  Maintenance of the API (IDENTIFIED), on Developers",
    "",
  ]);
  expect(sandbox.requests.every(({ method }) => method === "GET")).toBe(true);
});

test("monitoring doctor without an account and channels reports that in an aligned table", async () => {
  const { code, stdout } = await doctor(await servePages([]));
  expect(code).toBe(0);
  expect(stdout.split("\n").slice(4, 8)).toEqual([
    "ok      account         the account of the key",
    "ok      status pages    0 with cards, 0 with components",
    "ok      open incidents  0",
    "ok      alert channels  0 listed by the service; no names, because MONITORING_ALERT_CHANNELS is not set",
  ]);
  expect(stdout).toMatch(/\nok {6}clock {11}matches the service's clock\n+$/);
});

test("an empty list of alert channels is shown as no channels", async () => {
  const sandbox = await startTestSandbox();
  sandbox.faults.add({ kind: "status", code: 404, operation: "listAlertChannels" });
  const { code, stdout } = await doctor(sandbox);
  expect([code, stdout]).toEqual([0, expect.stringContaining("not listed by this service")]);
});

// The guide on exactly-once posting reads a stack with the real engine.
test.each([
  ["dev", /the command `pulumi` isn't on the PATH/],
  ["dev;reboot", /the name can contain only letters/],
])("a stack that can't be read causes a failed line: %s", async (stack, reason) => {
  const { code, lines } = await doctor(await startTestSandbox(), `--stack ${stack}`, {
    variables: { PATH: "" },
  });
  expect(code).toBe(1);
  expect(lines[0]).toMatch(/^FAILED {2}settings {2}--stack dev\S* can't be read: /);
  expect(lines[0]).toMatch(reason);
});

test.each<[string, Record<string, string>, string]>([
  [
    "page_shop",
    { "shop:statusPageId": "page_shop" },
    "ok  status pages  22 with cards, 2 with components; statusPageId is page_shop (Shop)",
  ],
  [
    "https://status.example.com",
    { "shop:statusPageId": "https://status.example.com" },
    "FAILED  status pages  22 with cards, 2 with components; statusPageId is https://status.example.com, which isn't the ID of a page with components",
  ],
  ["", {}, "  npx pulumi config set statusPageId page_shop --stack dev"],
])(
  "the statusPageId %j of a stack is checked, and for a stack without one the command is shown",
  async (id, settings, line) => {
    const { lines, stdout } = await doctor(
      await startTestSandbox(),
      `--stack dev --pulumi ${createPulumi(settings)}`,
    );
    expect(lines).toContain(line);
    expect(stdout.includes("config set statusPageId")).toBe(id === "");
  },
);

describe("the open incidents", () => {
  const name = `::error::\u001b[2J${"a ".repeat(40)}::error::b`;
  const incidents = Array.from({ length: 22 }, (_, index) => ({ id: `inc_${index}`, name }));
  const page = { id: "p", name: "Status", incidents };
  const examined = async (args: string) => doctor(await servePages([page]), args);

  test("at most 20 open incidents are listed, and their names can't control the terminal or run a command in a job", async () => {
    const { stdout } = await examined("");
    expect(stdout.match(/^ {2}incidentId: "inc_\d+"$/gm)).toHaveLength(20);
    expect(stdout).toContain("\n  and 2 more (list all with --format json)\n");
    expect(stdout).toContain("(no status), on Status\n");
    expect(stdout).not.toMatch(/^ *::/m);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("1 with cards, 0 with components");
  });

  test("the list of open incidents is complete in JSON, including the page with components", async () => {
    const statusPages = ["Status"];
    const { openIncidents } = JSON.parse((await examined("--format json")).stdout) as {
      openIncidents: unknown;
    };
    expect(openIncidents).toEqual(incidents.map(({ id }) => ({ incidentId: id, name, statusPages })));
    const { stdout } = await doctor(await startTestSandbox(), "--format json");
    expect(JSON.parse(stdout)).toMatchObject({
      openIncidents: expect.arrayContaining([
        {
          statusPageId: "page_shop",
          incidentId: "inc_checkout_outage",
          name: "Orders can't be placed",
          status: "IDENTIFIED",
          statusPages: ["Shop"],
        },
      ]),
    });
  });
});

/** Serves these status pages with cards, and no alert channels. */
async function servePages(
  entries: readonly object[],
  accountId = "",
  before?: (response: ServerResponse) => void,
) {
  const lists = await serve((response, { url }) => {
    before?.(response);
    if (url.startsWith("/v3")) send(response, notFound, 404);
    else
      send(response, url.includes("alert-channels") ? [] : { length: entries.length, entries, nextId: null });
  });
  return { ...lists, apiKey: "mon_key", accountId };
}

const unread = "status pages, open incidents, alert channels, clock";
const isReached = "ok  settings ; ok  proxy  none ; ok  service";

test.each(
  cases<Record<string, string>>(`
  { MONITORING_API_KEY: mon_nobodys_key } → ${isReached} ; FAILED  key  listStatusPages: the API key was rejected (HTTP 401) ; To use a different key, run \`export MONITORING_API_KEY=…\`. ; --  not checked: account, ${unread}
  { MONITORING_ACCOUNT_ID: nobody } → ${isReached} ; FAILED  account  listStatusPages: permission denied (HTTP 403) ; Check MONITORING_ACCOUNT_ID and MONITORING_ACCOUNT_HEADER (the header that contains the account ID). ; --  not checked: key, ${unread}
  { MONITORING_ACCOUNT_HEADER: x-checkly-account } → ${isReached} ; FAILED  account  listStatusPages: the service rejected the request (HTTP 400) ; Check MONITORING_ACCOUNT_ID and MONITORING_ACCOUNT_HEADER (the header that contains the account ID). ; --  not checked: key, ${unread}
  { MONITORING_BASE_URL: SANDBOX/v2 } → ok  settings ; ok  proxy  none ; FAILED  service  listStatusPages: not found (HTTP 404) ; Check the path in MONITORING_BASE_URL. ; --  not checked: key, account, ${unread}
  { MONITORING_ALERT_CHANNELS: '{"on-call": ${ids.onCall}, "gone": 999}' } → ${isReached} ; ok  key ; ok  account ; ok  status pages ; ok  open incidents ; FAILED  alert channels  getAlertChannel 999: not found (HTTP 404) ; Correct the ID in MONITORING_ALERT_CHANNELS. ; ok  clock
  { MONITORING_API_KEY: "", MONITORING_TIMEOUT_MS: soon, MONITORING_BASE_URL: "http://api.example.com" } → FAILED  settings  MONITORING_API_KEY is missing: run \`export MONITORING_API_KEY=…\`. ; FAILED  settings  MONITORING_BASE_URL must start with https: ; FAILED  settings  MONITORING_TIMEOUT_MS must be a whole number ; --  not checked: proxy, service, key, account, ${unread}
  { MONITORING_LOG: debug } → FAILED  settings  MONITORING_LOG must be "requests" or unset. ; --  not checked: proxy, service, key, account, ${unread}
  { MONITORING_BASE_URL: "https://service.example", HTTPS_PROXY: "http://user:hidden#password@127.0.0.1:9" } → FAILED  settings  HTTPS_PROXY must be a URL, such as ; --  not checked: proxy, service, key, account, ${unread}`),
)(
  "a problem causes a failed line with a remedy below it: %s",
  async (_, { HTTPS_PROXY, MONITORING_LOG, ...settings }, expected) => {
    Object.assign(process.env, HTTPS_PROXY && { HTTPS_PROXY }, MONITORING_LOG && { MONITORING_LOG });
    const sandbox = await startTestSandbox();
    const texts = JSON.stringify(settings).replace("SANDBOX", sandbox.url);
    const variables = JSON.parse(texts) as typeof settings;
    const { code, lines, stdout } = await doctor(sandbox, "", { variables });
    expect(code).toBe(1);
    const checked = lines.slice(0, lines.indexOf(""));
    expect(checked.map((line, index) => line.trim().slice(0, expected[index]?.length))).toEqual(expected);
    expect(stdout).toContain("\n\nFix the failed checks, then run this command again.\n");
    expect(stdout).not.toMatch(/mon_nobodys_key|hidden/);
    expect(stdout.match(/^ +/gm) ?? [" ".repeat(24)]).toEqual([" ".repeat(24)]);
  },
);

test("a service that ignores the account causes a failure", async () => {
  const page = { id: "p", name: "Status", accountId: "b", incidents: [] };
  const service = await servePages([page], "a");
  const { code, lines } = await doctor(service);
  expect(code).toBe(1);
  expect(lines).toContain("FAILED  account  the status pages belong to b, not to a");
  expect((await doctor({ ...service, accountId: "B" })).code).toBe(0);
});

test("a proxy that can't be reached causes a failed line with a remedy, and is shown without its password", async () => {
  process.env["HTTPS_PROXY"] = nobodyListens.replace("//", "//user:hidden-password@");
  const variables = { MONITORING_BASE_URL: "https://service.example", MONITORING_DEADLINE_MS: "1000" };
  const { code, lines, stdout } = await doctor(await startTestSandbox(), "", { variables });
  expect([code, ...lines.slice(1, 3)]).toEqual([
    1,
    `FAILED  proxy  listStatusPages: the proxy in HTTPS_PROXY (${nobodyListens}) failed (ECONNREFUSED). Nothing was sent to the service. Check HTTPS_PROXY, the network and the proxy.`,
    `--  not checked: service, key, account, ${unread}`,
  ]);
  expect(stdout).not.toContain("hidden-password");
});

test.each([
  ["ahead", -40_000, 1, /^FAILED {2}clock {2}(3[89]|4[0-2]) s ahead of the service's clock/],
  ["a little behind", 25_000, 0, /^ok {2}clock {2}2[3-7] s behind the service's clock/],
  ["unknown", NaN, 0, /^ok {2}clock {2}unknown/],
])("monitoring doctor reports that the clock is %s", async (_, ms, expected, line) => {
  const service = await servePages([], "a", (response) => {
    if (Number.isNaN(ms)) response.sendDate = false;
    else response.setHeader("date", new Date(Date.now() + ms).toUTCString());
  });
  const { code, lines } = await doctor(service);
  expect(code).toBe(expected);
  expect(lines).toContainEqual(expect.stringMatching(line));
  const remedy = "  Synchronize this clock. The records of posts and the dates of updates depend on it.";
  expect(lines.includes(remedy)).toBe(expected === 1);
});

test("the JSON of monitoring doctor contains the same information", async () => {
  const variables = { MONITORING_API_KEY: "mon_nobodys_key" };
  const { code, stdout } = await doctor(await startTestSandbox(), "--format json", { variables });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    checks: [{}, { name: "proxy", ok: true, text: "none" }, {}, { name: "key", ok: false }],
    notChecked: ["account", ...unread.split(", ")],
  });
});
