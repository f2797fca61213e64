/**
 * Tests how `monitoring preview` interprets the lines that Pulumi prints: a plan that could post is never reported as empty, no line is
 * lost, and policies and timelines are included.
 */
import { signatureKey } from "../../../provider/engine";
import {
  create,
  dynamicUpdate,
  end,
  event,
  formatEvents,
  createFact,
  getHeading,
  nativeUpdate,
  preview,
  shown,
  stream,
  timeline,
  updateUrn,
  urn,
} from "./previewing";

const plan = formatEvents([create("x")]);
const two = formatEvents([create("x"), create("y")]);

const beginning = (before: string) => plan.replace(/^.*resourcePreEvent.*$/m, (line) => before + line);

const warned = event(2, { diagnosticEvent: { message: "Slow.", severity: "warning" } });

it.each([
  ["next to other output", `\n> shop@1.0.0 preview\n{ two }\n${plan}\nPolicies: {\n  ok\n}\n`],
  ["in lines of Windows", `banner\r\n${plan.replaceAll("\n", "\r\n")}\r\n`],
  ["as a stream of events", ["Installing…", ...stream, "x", end].join("\n")],
  ["next to a warning", [...stream, warned, end].join("\n")],
  ["after the engine's progress on the same line", beginning("Downloading plugin: 12%\r")],
  ["after another object on the same line", beginning('{ "sequences": {} } ')],
])("a preview finds the plan %s", (_, stdout) => {
  const { markdown } = preview({ stdout, facts: [createFact("x")] });
  expect(getHeading(markdown)).toBe("## Preview (dev): 1 update will be posted");
});

const lineOfStep = /^.*resourcePreEvent.*\n/m;
const version = /It needs Pulumi 3\.200 or newer\.$/;
const lost =
  /^The plan contains fewer steps than its summary, so some of Pulumi's output was lost\. Run the preview again\.$/;
const torn =
  /^A line of the plan can't be read\. Another program may have written to the same output\. See the log\. Run the preview again\.$/;
const fact =
  /^The provider's preview data can't be read\. Use the same version of pulumi-monitoring-service for .* this command, and run the preview again\.$/;

it.each<[string, RegExp, string, string?]>([
  ["its plan in one object", version, JSON.stringify({ steps: [create("x")] })],
  ["a stream that breaks off", /^Pulumi ended \(exit code 0\) before its plan was /, stream.join("\n")],
  ["a plan without a line that its summary includes", lost, two.replace(lineOfStep, "")],
  [
    "only one of two kinds of steps",
    lost,
    formatEvents([create("y", "same"), create("x")]).replace(lineOfStep, ""),
  ],
  ["a summary without any step", lost, formatEvents([])],
  ["a step without its end", torn, plan.replace(lineOfStep, (line) => `${line.slice(0, -9)}\n`)],
  ["a plan, and the provider writes an incomplete line", fact, plan, '{"urn'],
])("a preview fails if Pulumi prints %s", (_, problem, stdout, line = "") => {
  const { code, log, markdown } = preview({ stdout, facts: [createFact("x", { posts: "will" }), line] });
  const [heading, text = "", ...others] = markdown.trim().split("\n\n");
  expect([code, others]).toEqual([1, []]);
  expect(heading).toMatch(/^## The preview( \(dev\))? failed$/);
  expect(shown(text).text.trim()).toMatch(problem);
  // The log contains the line that can't be parsed.
  expect(log.some((each) => each.startsWith("{"))).toBe(problem === torn || problem === version);
});

it("a preview accepts a property that a policy adds to an update if its provider is unknown", () => {
  const before = { incidentId: "inc_1", status: "RESOLVED", description: "All good." };
  const inputs = { ...before, tags: ["on-call"] };
  const remediated = { resourceUrn: updateUrn("x"), policyPackName: "acme", policyName: "tags" };
  const changes = (from: object, after: object) =>
    event(0, { policyRemediationEvent: { ...remediated, before: from, after } });
  const seen = (first: string) => {
    const stdout = `${first}\n${formatEvents([{ ...create("x"), newState: { inputs } }])}`;
    return shown(preview({ stdout }).markdown).text;
  };
  expect(seen(changes(before, inputs))).toContain(
    "Unknown until pulumi up: provider.\nRESOLVED, no subscriber is emailed:",
  );
  for (const first of ["", changes(inputs, { ...inputs, tags: [] })])
    expect(seen(first)).toContain("is rejected; nothing is posted\ntags is not known;");
});

it("a preview reports a native incident whose provider is unknown, and why one is rejected", () => {
  const incidentUrn = urn("monitoring:index:Incident", "upgrade");
  const inputs = {
    statusPageId: "page_shop",
    name: "Database upgrade",
    status: "MONITORING",
    description: "Orders may be slow.",
    notifySubscribers: true,
  };
  const runPreview = (changes: object) => {
    const step = { op: "create", urn: incidentUrn, newState: { inputs: { ...inputs, ...changes } } };
    return preview({ steps: [step] }).report;
  };
  const { counts, incidents } = runPreview({});
  expect(counts).toMatchObject({ mayOpen: 1, mayEmail: 1 });
  expect(incidents).toMatchObject([
    { urn: incidentUrn, posts: "may", name: "Database upgrade", text: "Orders may be slow.", emails: true },
  ]);
  expect(JSON.stringify(incidents)).toContain("Unknown until `pulumi up`: provider.");
  const secret = { [signatureKey]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:a" };
  const impacts = [{ component: secret, status: "UNDER_MAINTENANCE" }];
  expect(runPreview({ description: secret, impacts }).incidents).toMatchObject([
    { posts: "may", withheld: "secret" },
  ]);
  expect(runPreview({ name: " " }).incidents).toMatchObject([
    { posts: "refused", blocks: [{ lines: ["name must not be empty"] }] },
  ]);
});

it("a preview includes a timeline whose entries are missing from the plan, but not a timeline with entries", () => {
  const parent = urn(timeline, "story");
  const entry = { urn: urn(`${timeline}$${nativeUpdate}`, "story-1"), newState: { parent } };
  const may = /1 update may be posted/;
  const heading = (...steps: { op: string; urn: string }[]) => getHeading(preview({ steps }).markdown);
  expect(heading({ op: "create", urn: parent })).toMatch(may);
  expect(heading({ op: "create", urn: parent }, { op: "create", ...entry })).toMatch(may);
  expect(heading({ op: "create", urn: urn(timeline, "other") }, { op: "same", ...entry })).toMatch(may);
  // Its updates are unknown, because the engine would delete the existing entries.
  expect(heading({ op: "delete", ...entry })).toMatch(may);
  expect(heading({ op: "delete", urn: parent }, { op: "delete", ...entry })).toMatch(/nothing/);
  const last = { urn: urn(`${timeline}$${nativeUpdate}`, "story-2"), newState: { parent } };
  expect(heading({ op: "same", ...entry }, { op: "delete", ...last })).toMatch(/nothing/);
  expect(heading({ op: "same", urn: parent }, { op: "same", ...entry })).toMatch(/nothing/);
});

it("a preview shows messages of policies that forbid an update, unless they could quote a secret", () => {
  const stack = urn("pulumi:pulumi:Stack", "dev");
  const violated = (policyName: string, enforcementLevel: string, resourceUrn = updateUrn("x")) => {
    const message = `found\n::error::hunter2 ${policyName}\n`;
    const of = { resourceUrn, policyPackName: "acme", policyName };
    return event(2, { policyEvent: { ...of, message, enforcementLevel } });
  };
  const planned = (inputs: object, of = updateUrn("x")) =>
    event(1, { resourcePreEvent: { metadata: { op: "create", urn: of, new: { inputs } } } });
  const [begun, , debugged] = stream;
  const others = [
    event(2, { resourcePreEvent: { metadata: { op: "same", urn: updateUrn("y"), new: null, old: null } } }),
    event(2, { diagnosticEvent: { message: "  One\nTwo\n\n", severity: "info" } }),
  ];
  const violations = [violated("no-mail", "mandatory"), violated("short", "advisory"), end];
  const runPreview = (inputs: object) => {
    const lines = ["banner", begun, `12%\r${planned(inputs)}`, debugged, ...others, ...violations];
    return preview({ stdout: lines.join("\n"), facts: [createFact("x")], exitCode: 255 });
  };
  const { code, log, markdown } = runPreview({ status: "MONITORING" });
  expect(code).toBe(1);
  expect(shown(markdown).text).toContain('forbids IncidentUpdate "x": found\n::error::hunter2 no-mail\n');
  expect(markdown).not.toContain("short");
  const secret = { [signatureKey]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:a" };
  const withheld = runPreview({ description: secret }).markdown;
  expect(withheld).toContain(
    '🔴 The policy no-mail of acme forbids IncidentUpdate "x": see the log.\n\n**Inc',
  );
  expect(withheld).not.toContain("hunter2");
  const ofStack = [begun, planned({}, stack), violated("all", "mandatory", stack), end].join("\n");
  const forbidden = preview({ stdout: ofStack, facts: [], exitCode: 255 }).markdown;
  expect(forbidden).toContain("The policy all of acme forbids ");
  expect(forbidden).not.toContain("hunter2");
  expect(log).toEqual([
    ...["banner", "12%"],
    "create  monitoring:index:IncidentUpdate  x",
    ...["  One", "Two"],
    ...["mandatory policy no-mail of acme: found", "::error::hunter2 no-mail"],
    ...["advisory policy short of acme: found", "::error::hunter2 short"],
  ]);
});

it.each([
  ["an update that the dynamic provider creates", dynamicUpdate, "create", { description: "Sorry." }, true],
  ["an update that is replaced without a diff", dynamicUpdate, "replace", { notifySubscribers: false }, true],
  [
    "an update that is created and then refreshed",
    nativeUpdate,
    "create refresh",
    { description: "Sorry." },
    true,
  ],
  ["unless it only adds a property", dynamicUpdate, "create", { tags: ["on-call"] }, false],
  [
    "an update that the plugin replaces",
    nativeUpdate,
    "create-replacement delete-replaced",
    { description: "Sorry." },
    true,
  ],
  ["an incident that is opened", "monitoring:index:Incident", "create", { description: "Sorry." }, true],
  ["unless the resource already exists", nativeUpdate, "update", { description: "Sorry." }, false],
])("a preview fails like an up if a policy changes a resource: %s", (_, type, ops, changes, isRejected) => {
  const of = urn(type, "x");
  const steps = ops.split(" ").map((op) => ({ op, urn: of }));
  const [title, noun] = type.endsWith("Update") ? ["IncidentUpdate", "update"] : ["Incident", "incident"];
  const before = { description: "Good.", notifySubscribers: true };
  const change = { policyPackName: "acme", policyName: "sorry", before, after: { ...before, ...changes } };
  const remediation = event(0, { policyRemediationEvent: { resourceUrn: of, ...change } });
  const stdout = `${remediation}\n${formatEvents(steps)}`;
  const { code, log, markdown } = preview({ stdout, facts: [createFact("x", { urn: of })] });
  const changed = `policy sorry of acme changes ${title} "x"`;
  expect(log.includes(changed)).toBe(!("tags" in changes));
  expect(log).toHaveLength(steps.length + Number(!("tags" in changes)));
  const [, rejection] = /🔴 (.*) Make/.exec(shown(markdown).text) ?? [];
  const refused = `The ${changed} after validation, so pulumi up rejects the ${noun}.`;
  expect([code, rejection]).toEqual(isRejected ? [1, refused] : [0, undefined]);
});
