import { runUpdates, updateFormats, updatesReport } from "../../cli/updates";
import type { Sandbox } from "../../sandbox";
import { incidentId, incidentPath, sandboxWith } from "../sandbox/sandboxes";
import { environmentOf, run } from "./audit/auditing";

type Update = ReturnType<Sandbox["incident"]>["incidentUpdates"][number];

const update = (changes: Partial<Update> = {}): Update => ({
  id: "upd_1",
  status: "MONITORING",
  description: "We watch it.",
  notifySubscribers: false,
  publicIncidentUpdateDate: "2026-11-20T10:00:00.000Z",
  created_at: "2026-11-20T10:00:01.000Z",
  ...changes,
});

/** A sandbox whose incident has this history. */
async function sandboxWithHistory(...history: Update[]): Promise<Sandbox> {
  const sandbox = await sandboxWith();
  sandbox.byHand.change(({ accounts: [{ statusPageIncidents }] }) => {
    for (const incident of statusPageIncidents)
      if (incident.id === incidentId) incident.incidentUpdates = history;
  });
  return sandbox;
}

const updates = (sandbox: Sandbox, args: string, variables?: Readonly<Record<string, string>>) =>
  run(runUpdates, args.split(" ").filter(Boolean), { ...environmentOf(sandbox), ...variables });

const at = (time: string) => `2026-11-20T${time}:00.000Z`;
const history = [
  update({ id: "upd_1", publicIncidentUpdateDate: at("09:00"), status: "INVESTIGATING" }),
  update({ id: "upd_3", description: "It is fixed.\n\nThank you.", notifySubscribers: true }),
  update({ id: "upd_2", publicIncidentUpdateDate: at("09:30"), description: "A slow query." }),
];

test("text has a line for each update, newest first", async () => {
  const sandbox = await sandboxWithHistory(...history);
  const { code, stdout, stderr } = await updates(sandbox, `--incident ${incidentId}`);
  const [title, ...lines] = stdout.split("\n");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(title).toBe(`Incident ${incidentId}: ${sandbox.incident(incidentId).name}`);
  expect(lines).toEqual([
    "- 2026-11-20T10:00:00.000Z  MONITORING  notified  It is fixed. Thank you.",
    "- 2026-11-20T09:30:00.000Z  MONITORING  not notified  A slow query.",
    "- 2026-11-20T09:00:00.000Z  INVESTIGATING  not notified  We watch it.",
    expect.stringMatching(/^3 updates \(severity [A-Z]+, last status [A-Z]+\)$/),
    "",
  ]);
  expect(sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET ${incidentPath}`]);
});

test("json contains the whole descriptions, and says how many updates there are", async () => {
  const description = "a".repeat(5_000);
  const sandbox = await sandboxWithHistory(...history, update({ id: "upd_4", description }));
  const { stdout } = await updates(sandbox, `--incident ${incidentId} --format json --limit 2`);
  const text: unknown = expect.any(String);
  expect(JSON.parse(stdout)).toEqual({
    incident: { id: incidentId, name: text, severity: text, lastUpdateStatus: text },
    total: 4,
    updates: [
      expect.objectContaining({ id: "upd_3", date: "2026-11-20T10:00:00.000Z", notifySubscribers: true }),
      expect.objectContaining({ id: "upd_4", status: "MONITORING", description }),
    ],
  });
});

describe("text of the service", () => {
  const hostile =
    "\u001b[2J\u009b31m\u202e::error::x\n::error::y ##vso[task.complete] <img src=x> [a](b) | @all `c`";
  const unknown = { status: null, notifySubscribers: null, publicIncidentUpdateDate: null, created_at: null };
  const incidentUpdates = [{ id: hostile, description: hostile, ...unknown }];
  const report = updatesReport({ id: incidentId, name: hostile, severity: hostile, incidentUpdates }, 100);

  test.each(["text", "json", "markdown"] as const)("can't control a terminal or CI system: %s", (format) => {
    const printed = updateFormats[format](report);
    expect(printed).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(printed).not.toMatch(/^\s*::/m);
    expect(printed).not.toContain("##vso[");
  });

  test.each(["text", "json", "markdown"] as const)("can't begin a line as a date in %s", (format) => {
    const dated = { id: "upd_1", description: "d", publicIncidentUpdateDate: "::error::owned" };
    const printed = updateFormats[format](
      updatesReport({ id: incidentId, name: "n", incidentUpdates: [dated] }, 100),
    );
    expect(printed.replaceAll("<!-- -->", "")).toContain("::error::owned");
    expect(printed).not.toMatch(/^\s*::/m);
  });

  test("is unchanged in parsed json", () => {
    expect(JSON.parse(updateFormats.json(report))).toMatchObject({
      incident: { name: hostile },
      updates: [{ description: hostile, date: null, status: null, notifySubscribers: null }],
    });
  });

  test("is not rendered as markup in markdown", () => {
    const [title = "", , scope = "", , , , row = ""] = updateFormats.markdown(report).split("\n");
    expect(title).toMatch(/^## Incident updates: /);
    expect(row).toMatch(/^\| no date \| no status \| unknown \| .* \|$/);
    for (const line of [title, scope, row]) expect(line.replaceAll("<!-- -->", "")).not.toMatch(/[<[\]@`*]/);
    expect(row.split("|")).toHaveLength(6);
  });
});

test("long histories are shortened to fit a comment", async () => {
  const description = "a".repeat(9_000);
  const long = Array.from({ length: 90 }, (_, id) => update({ id: `upd_${id}`, description }));
  const { stdout } = await updates(
    await sandboxWithHistory(...long),
    `--incident ${incidentId} --format markdown`,
  );
  expect(stdout.length).toBeLessThan(65_536);
  expect(stdout).toMatch(/\n\nand \d+ more updates\n$/);
  expect(stdout).toContain("a…");
});

test.each([
  ["the incident doesn't exist", "inc_none", {}, 3, /^getStatusPageIncident inc_none: not found/],
  ["its id is misspelled", "inc_checkout_latncy", {}, 3, /Did you mean "inc_checkout_latency"\?/],
  ["the key is rejected", incidentId, { MONITORING_API_KEY: "mon_nobodys_key" }, 3, /HTTP 401/],
  ["a setting is missing", incidentId, { MONITORING_API_KEY: "" }, 2, /MONITORING_API_KEY is missing/],
  ["the id can't be one", "../x", {}, 2, /^getStatusPageIncident: incidentId /],
])("%s: a message and an exit code", async (_, id, variables, expected, message) => {
  const { code, stdout, stderr } = await updates(await sandboxWith(), `--incident ${id}`, variables);
  expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/mon_nobodys_key|\n +at /);
});

test.each([
  ["", "--incident ID is required."],
  ["--incident=", "--incident must not be empty."],
  ["--incident a --incident b", "--incident can be given only once."],
  ["--incident a --format html", "--format must be one of text, json, markdown"],
  ["--incident a --limit 0", "--limit must be a number from 1 to 999999"],
])("%j is rejected before any request", async (args, message) => {
  const sandbox = await sandboxWith();
  await expect(updates(sandbox, args)).rejects.toThrow(message);
  expect(sandbox.requests).toEqual([]);
});
