/**
 * Tests the programs that `monitoring adopt` prints. docs/guides/adopting.md runs one on the real engine, and test/languages/yaml.test.ts
 * tests arbitrary text.
 */
import { runInThisContext } from "node:vm";
import { parse } from "yaml";
import { createAdoption, programs } from "../../cli/adopt/adoption";
import { UsageError } from "../../cli/command";
import { type StatusPageIncidentUpdate, updateStatuses } from "../../provider/api";
import { computeKeys, computeOrder, findRepetition } from "../../provider/lifecycles/timeline";
import { begin, createLedger, normalizeUpdate, step, normalizeContent } from "../../provider/protocol";
import { anyText, fc, runs } from "../propertySeed";
import { wellKnown } from "../../sandbox";
import { create, noticesDuring, phase, type Properties } from "../lifecycles/phases";
import { incidentId, startTestSandbox, sharedSandbox } from "../sandbox/sandboxes";
import { nastyTexts } from "./nastyTexts";
import { toEnvironment, run } from "./running";

type Drawn = Partial<StatusPageIncidentUpdate>;

const time = (minute: number) => new Date(Date.UTC(2026, 10, 24, 10, minute)).toISOString();

/** Returns an incident with these updates, oldest first. */
function createIncident(drawn: readonly Drawn[]) {
  const incidentUpdates = drawn.map((changes, index) => {
    const dates = { publicIncidentUpdateDate: time(index), created_at: time(index) };
    return { id: `u${index}`, status: "MONITORING", description: "Slow.", ...dates, ...changes };
  });
  return { id: incidentId, name: "It's `slow`\u200b${now}", incidentUpdates: incidentUpdates.reverse() };
}

/** Returns the updates that the timeline's first `up` adopts. Undefined for an update that it would post or reject. */
function adopted(incident: ReturnType<typeof createIncident>): (string | undefined)[] {
  const { entries } = createAdoption(incident);
  expect(findRepetition(entries)).toBeUndefined();
  const keys = computeKeys(entries);
  let ledger = { ...createLedger(), hasListened: true };
  return entries.map(({ notifySubscribers = false, ...entry }, index) => {
    const status = updateStatuses.find((each) => each === entry.status) ?? "RESOLVED";
    const place = computeOrder({ keys, index });
    const declared = normalizeContent({
      containerId: incidentId,
      ...entry,
      status,
      notifySubscribers,
      ...place,
    });
    const task = { resource: `${index}`, declared, nonce: "", isTextSecret: false, codes: [] };
    const begun = begin(ledger, task);
    const shown = incident.incidentUpdates.map((update) => normalizeUpdate(update));
    const next = step(begun.ledger, begun.task, { kind: "history", shown, notes: [], now: 0 });
    ({ ledger } = next);
    const result = next.command.kind === "finish" ? next.command.result : undefined;
    return result?.kind === "adopted" ? result.recorded.id : undefined;
  });
}

const date = fc.option(fc.constantFrom("2026-11-24", time(1), time(2), time(400), "soon"));
const drawnUpdate = fc.record(
  {
    status: fc.constantFrom("MONITORING", "RESOLVED", "MAINTENANCE", null),
    description: fc.constantFrom("Slow.", "Slow. ", "Slow&#46;", "Down.", "", "\0", "undefined"),
    publicIncidentUpdateDate: date,
    created_at: date,
    notifySubscribers: fc.boolean(),
  },
  { requiredKeys: [] },
);

test("each declared update is adopted, even if text, dates and times are equal, missing or left out", () => {
  const updates = fc.array(drawnUpdate, { maxLength: 9 });
  fc.assert(
    fc.property(updates, (drawn) => {
      const ids = adopted(createIncident(drawn));
      expect(ids).not.toContain(undefined);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: runs(250) },
  );
});

test("an adoption declares emails and any date that differs from the time of the post, and reports what it leaves out", () => {
  const backdated = { publicIncidentUpdateDate: "2026-11-24 09:00:00" };
  const { entries, leftOut } = createAdoption(
    createIncident([
      { status: "INVESTIGATING", notifySubscribers: true, ...backdated },
      { description: " Again.\n", ...backdated },
      { description: "Again.", ...backdated, created_at: null },
      { status: null, description: "undefined", ...backdated },
      { status: null, description: "undefined", ...backdated },
      { description: "Use ghp_16C7e42F292c6912E7710c838347Ae178B4a until then." },
      {},
    ]),
  );
  const publicIncidentUpdateDate = "2026-11-24T09:00:00.000Z";
  const status = "MONITORING";
  expect(entries).toEqual([
    { key: "01-monitoring", status, description: "Again." },
    {
      key: "02-investigating",
      status: "INVESTIGATING",
      description: "Slow.",
      publicIncidentUpdateDate,
      notifySubscribers: true,
    },
    { key: "03-monitoring", status, description: "Again." },
    { key: "04-monitoring", status, description: "Slow." },
  ]);
  expect(leftOut).toMatchInlineSnapshot(`
[
  "the public date of update u2 (MONITORING, unknown time), because a different update has the same text and date",
  "the public date of update u1 (MONITORING, 2026-11-24T10:01:00.000Z), because a different update has the same text and date",
  "update u3 (no status, 2026-11-24T10:03:00.000Z), because its status must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED; its description is undefined, null or NaN. A value was missing when the text was built",
  "update u4 (no status, 2026-11-24T10:04:00.000Z), because its status must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED; its description is undefined, null or NaN. A value was missing when the text was built",
  "update u5 (MONITORING, 2026-11-24T10:05:00.000Z), because its description contains a key that starts with \`ghp_\`. Remove the credential. If anyone else may have seen it, rotate it",
]
`);
  const { leftOut: lacking } = createAdoption({ id: incidentId, name: "" });
  expect(lacking).toEqual(["all updates, because the service's response doesn't contain them"]);
  const { leftOut: older } = createAdoption(createIncident(Array.from({ length: 100 }, () => ({}))));
  expect(older).toEqual([
    expect.stringContaining("the service returns only the latest 100 updates of an incident"),
  ]);
});

test("a later update that repeats the first one is left out if the incident is declared, unless its date differs", () => {
  const incident = createIncident([
    {},
    { status: "RESOLVED" },
    {},
    { publicIncidentUpdateDate: "2026-11-24" },
  ]);
  const opening = { ...incident, description: "Slow.", status: "MONITORING", created_at: time(9) };
  const older = { ...opening, id: "inc_older", created_at: time(1) };
  // Neither of the older incidents would be adopted instead, because one is resolved and the other has a different text.
  const openings = [
    { ...normalizeUpdate(older), isResolved: true },
    normalizeUpdate({ ...older, description: "Down." }),
    normalizeUpdate(opening),
  ];
  const { entries, leftOut } = createAdoption(incident, { statusPageId: "page_shop", openings });
  expect(entries).toMatchObject([
    { key: "01-monitoring", publicIncidentUpdateDate: "2026-11-24T00:00:00.000Z" },
    { key: "02-resolved" },
  ]);
  expect(leftOut).toEqual([
    "update u2 (MONITORING, 2026-11-24T10:02:00.000Z), because the first update has the same status and text",
  ]);
});

const shown = { ...createIncident([{}]), description: "Slow.", status: "MONITORING", created_at: time(9) };
const opening = normalizeUpdate(shown);

test.each<[reason: string, updates: Drawn[], openings: (typeof opening)[]]>([
  ["it is resolved, and only an open incident is adopted", [{}], [{ ...opening, isResolved: true }]],
  [
    "the older incident inc_older is open and has the same name and the same first update",
    [{}],
    [opening, normalizeUpdate({ ...shown, id: "inc_older", created_at: time(1) })],
  ],
  [
    "its description is undefined, null or NaN. A value was missing when the text was built",
    [{ description: "undefined" }],
    [opening],
  ],
  ["the service's response doesn't contain its first update", Array<Drawn>(100).fill({}), [opening]],
])("an adoption omits the incident, because %s", (reason, updates, openings) => {
  const adoption = createAdoption(createIncident(updates), { statusPageId: "page_shop", openings });
  expect(adoption.opening).toBeUndefined();
  expect(adoption.leftOut[0]).toBe(`the incident, because ${reason}`);
});

test.each([
  [-60_000, true],
  [-59_999, false],
  [59_999, false],
  [60_000, true],
])("a public date %d ms after the post is declared: %p", (ms, isDeclared) => {
  const publicIncidentUpdateDate = new Date(Date.parse(time(0)) + ms).toISOString();
  const [entry] = createAdoption(createIncident([{ publicIncidentUpdateDate }])).entries;
  expect(entry?.publicIncidentUpdateDate).toBe(isDeclared ? publicIncidentUpdateDate : undefined);
});

test("a single-line text is one string, and in YAML a multi-line text is a block, unless a reviewer couldn't see it", () => {
  const written = (write: (adoption: ReturnType<typeof createAdoption>) => string, description: string) =>
    write(createAdoption(createIncident([{ description }])));
  expect(written(programs.typescript, "One.")).toContain('\n      description: "One.",\n');
  expect(written(programs.yaml, "One.")).toContain('\n          description: "One."\n');
  const indent = " ".repeat(12);
  expect(written(programs.yaml, "One.\n\nTwo.")).toContain(
    `\n          description: |-\n${indent}One.\n\n${indent}Two.\n`,
  );
  expect(written(programs.yaml, "One.\n\u200bTwo.")).toContain(
    '\n          description: "One.\\n\\U0000200bTwo."\n',
  );
  expect(written(programs.typescript, "One.\nTwo.")).toContain(
    '\n      description: [\n        "One.",\n        "Two.",\n      ].join("\\n"),\n',
  );
});

test.each([
  [false, "The public updates of "],
  [true, "The later public updates of "],
])(
  "a comment describes which updates a program declares, with the incident: %p",
  (isWithIncident, begins) => {
    const opening = { name: "", status: "MONITORING", description: "Slow.", impacts: [] };
    const adoption = {
      ...createAdoption(createIncident([{}])),
      opening: isWithIncident ? opening : undefined,
    };
    expect(programs.typescript(adoption)).toContain(`// ${begins}`);
    expect(programs.yaml(adoption)).toContain(`\n  # ${begins}`);
  },
);

test("the project name of a YAML program is the ID in a form that Pulumi accepts", () => {
  const adoption = { ...createAdoption(createIncident([{}])), incidentId: `\u00e9 1.a_b-${"c".repeat(100)}` };
  expect(parse(programs.yaml(adoption))).toMatchObject({ name: `--1.a_b-${"c".repeat(92)}` });
});

type Declared = Readonly<{ type: string; title: string; updates?: readonly Properties[] }>;

/** Returns the resources that a TypeScript program without type annotations declares. */
function runProgram(program: string) {
  const declared: Declared[] = [];
  const createClass = (type: string) =>
    function (name: string, args: object) {
      declared.push({ type, title: name, ...args });
    };
  const classes = { Incident: createClass("Incident"), IncidentTimeline: createClass("IncidentTimeline") };
  // The program runs in a function, which can't contain an import.
  const code = program.replace(/^import (.*) from (.*);/, "const $1 = require($2);");
  const start = runInThisContext(`(require) => {${code}}`) as (require: (name: string) => object) => void;
  start((name) => (name === "pulumi-monitoring-service" ? classes : {}));
  return declared;
}

type YamlResource = Readonly<{ type: string; name?: string; properties: object }>;

function runYaml(program: string): object[] {
  const { resources } = parse(program) as { resources: Record<string, YamlResource> };
  return Object.entries(resources).map(([key, { type, name: title = key, properties }]) => {
    const text = JSON.stringify(properties);
    expect(text).not.toMatch(/(?<!\$)(?:\$\$)*\$\{/);
    return {
      type: type.replace("monitoring:", ""),
      title,
      ...(JSON.parse(text.replaceAll("$$", "$")) as object),
    };
  });
}

const impactsOfShop = [
  { componentId: "${a}", status: "MAJOR_OUTAGE" as const },
  { componentId: "b", status: "OPERATIONAL" as const },
];

test("a program in each language declares the public updates, whatever their text contains", () => {
  const text = fc.oneof(
    fc.constantFrom(...nastyTexts),
    anyText(),
    fc.array(fc.constantFrom(...nastyTexts)).map((lines) => lines.join("\n")),
  );
  const drawn = text.map((description) => ({ description, publicIncidentUpdateDate: time(400) }));
  fc.assert(
    fc.property(
      fc.array(drawn, { maxLength: 5 }).map((updates) => [{}, ...updates]),
      fc.option(text, { nil: undefined }),
      fc.constantFrom(undefined, "page_shop", "${a}'$$\""),
      fc.option(fc.record({ description: text, impacts: fc.constantFrom([], impactsOfShop) }), {
        nil: undefined,
      }),
      (updates, account, statusPageId, drawnOpening) => {
        const opening = drawnOpening && {
          name: drawnOpening.description,
          status: "MONITORING",
          ...drawnOpening,
        };
        const adoption = { ...createAdoption(createIncident(updates), { account, statusPageId }), opening };
        const [title, common] = ["its-slow-now", { statusPageId, account }];
        const timeline = {
          title: opening ? `${title}-updates` : title,
          incidentId,
          updates: adoption.entries,
        };
        const declared = [
          ...(opening ? [{ type: "Incident", title, ...common, ...opening }] : []),
          { type: "IncidentTimeline", ...common, ...timeline },
        ];
        const { typescript, yaml } = programs;
        expect(runProgram(typescript(adoption))).toEqual(declared);
        expect(runYaml(yaml(adoption))).toEqual(declared);
        // A reviewer can see each character.
        expect(typescript(adoption)).not.toMatch(/(?!\n)[\p{C}\p{Z}](?<! )/u);
      },
    ),
  );
});

const { searchLag } = wellKnown.statusPageIncidents;

describe("monitoring adopt", () => {
  const sandbox = sharedSandbox();
  const adopt = (...args: string[]) => run("adopt", args, toEnvironment(sandbox()));

  test("monitoring adopt prints a program, and explains it on standard error", async () => {
    expect(await adopt(searchLag)).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^3 updates of "New listings appear late in search" .* posts nothing\. To be sure, /,
      ),
      stdout: expect.stringMatching(
        /^import \{.*\n\n\/\/ .*\nnew IncidentTimeline\("new-listings-appear-late-in-search", \{\n/,
      ),
    });
  });

  const { checkoutOutage } = wellKnown.componentPageIncidents;
  const { shop } = wellKnown.componentPages;
  const ofShop = [checkoutOutage, "--status-page", shop];
  const isOfShop = { incidentId: checkoutOutage, statusPageId: shop, updates: [{}, {}] };

  test("monitoring adopt declares the page with components that contains the incident", async () => {
    const { code, stdout } = await adopt(...ofShop, "--format", "yaml");
    expect([code, runYaml(stdout)]).toMatchObject([0, [{ title: "orders-cant-be-placed", ...isOfShop }]]);
  });

  const withIncident = (args: string[], changed = sandbox()) =>
    run("adopt", [...args, "--with-incident"], toEnvironment(changed));

  test("the first up of a program with the incident adopts the incident and its later updates, and posts nothing", async () => {
    const service = await startTestSandbox();
    const { code, stdout, stderr } = await withIncident(ofShop, service);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^The incident and 1 later update of "Orders .* adopts the incident and the updates and posts .*\n$/,
      ),
    ]);
    expect(stdout).toMatchInlineSnapshot(`
"import { Incident, IncidentTimeline } from "pulumi-monitoring-service";

// The incident with its first update. \`impacts\` lists the components that aren't operational.
new Incident("orders-cant-be-placed", {
  statusPageId: "page_shop",
  name: "Orders can't be placed",
  status: "INVESTIGATING",
  description: "Placing an order fails for all shoppers, and search is slow. We are looking into it.",
  notifySubscribers: true,
  impacts: [
    { component: "Checkout", status: "MAJOR_OUTAGE" },
    { component: "Search", status: "DEGRADED_PERFORMANCE" },
  ],
});

// The later public updates of "Orders can't be placed". Add new updates at the end. The next \`pulumi up\` posts them.
new IncidentTimeline("orders-cant-be-placed-updates", {
  incidentId: "inc_checkout_outage",
  statusPageId: "page_shop",
  updates: [
    {
      key: "01-identified",
      status: "IDENTIFIED",
      description: "A change of the product database is the cause. We are reverting it.",
    },
  ],
});
"
`);
    const [incident, timeline] = runProgram(stdout).map(({ title: _, type: __, ...args }) => args);
    const notices = await noticesDuring(async () => {
      const { outs } = await create(await phase("Incident", service), { ...incident });
      const updates = await phase("IncidentUpdate", service);
      for (const { key: _, ...entry } of timeline?.updates ?? [])
        await create(updates, { ...entry, incidentId: outs["incidentId"], statusPageId: shop });
    });
    expect(notices.join("\n")).toMatch(
      /adopted the identical incident inc_checkout_outage .*\n.* adopted the identical update /,
    );
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("monitoring adopt reports what it omits, and declares the updates without the incident", async () => {
    const service = await startTestSandbox();
    const [newest] = service.incident(checkoutOutage, shop).incidentUpdates;
    service.dashboard.editUpdate(checkoutOutage, newest?.id ?? "", { status: "RESOLVED" }, shop);
    const { code, stdout, stderr } = await withIncident(ofShop, service);
    const reason = "it is resolved, and only an open incident is adopted";
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`\nOmitted: the incident, because ${reason}.\n`),
    ]);
    expect(runProgram(stdout)).toEqual([expect.objectContaining({ incidentId: checkoutOutage })]);
  });

  test.each<[string[], number, RegExp, Record<string, string>?]>([
    [["inc_serach_lag"], 1, /not found \(HTTP 404\).* Did you mean "inc_search_lag"\? If /],
    [[checkoutOutage], 1, / is on the .* "Shop"\. Set --status-page to "page_shop"\. Request ID: \S+\.$/m],
    [[searchLag, "--status-page", shop], 1, / with cards\. Remove --status-page\. Request ID: \S+\.$/m],
    [[checkoutOutage, "--status-page", "page shop"], 2, /: --status-page must be an ID/],
    [["inc empty"], 2, /must be an ID/],
    [[searchLag, "--account", "labs"], 2, /monitoring:accounts, which is not set/],
    [[searchLag], 3, /the API key was rejected/, { MONITORING_API_KEY: "mon_wrong" }],
  ])("monitoring adopt %j fails with exit code %i", async (args, code, reason, variables = {}) => {
    const ended = await run("adopt", args, { ...toEnvironment(sandbox()), ...variables });
    expect(ended).toEqual({ code, stdout: "", stderr: expect.stringMatching(reason) });
  });

  test("monitoring adopt prints no program if no update can be declared", async () => {
    const changed = await startTestSandbox();
    changed.dashboard.editIncident(searchLag, { incidentUpdates: [] });
    const stderr = `"New listings appear late in search" (${searchLag}) contains no update that a program can declare.\n`;
    expect(await run("adopt", [searchLag], toEnvironment(changed))).toEqual({ code: 1, stdout: "", stderr });
  });

  test.each([
    [[], "INCIDENT is required: ID of a status-page incident."],
    [
      ["x", "--with-incident"],
      "--with-incident needs --status-page PAGE, or a stack whose statusPageId is set.",
    ],
    [["x", "--format", "javascript"], '--format must be one of typescript, yaml, not "javascript".'],
  ])("monitoring adopt %j is rejected", async (args, line) => {
    await expect(adopt(...args)).rejects.toThrow(new UsageError(line));
  });
});
