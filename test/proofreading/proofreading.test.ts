/** What is refused, or warned of, before an update is public: each rule by its own examples, and all together. */
import { doubtsIn, type Draft, refusals, refusedIn, textDoubts } from "../../provider/proofreading";
import { drawer } from "../credentials/drawing";
import { goodTexts } from "./goodTexts";

const now = Date.parse("2026-11-26T12:00:00Z");
const said = (text: string) => [...refusedIn(text), ...doubtsIn({ declared: { description: text }, now })];

test.each(refusals)(
  "a text that $finds is refused, and one like it isn't",
  ({ finds, why, example, passes }) => {
    const what = finds === "has a credential" ? "has a private key" : finds;
    expect(refusedIn(example)).toEqual([`${what}: ${why}`]);
    expect(said(passes)).toEqual([]);
  },
);

test.each(textDoubts)(
  "a text that $finds is warned of, and one like it isn't",
  ({ finds, why, example, passes }) => {
    expect(said(example)).toEqual([`description ${finds}: ${why}`]);
    expect(said(passes)).toEqual([]);
  },
);

test(`${goodTexts.length} texts of status pages pass without a word`, () => {
  expect(goodTexts.filter((text) => said(text).length > 0)).toEqual([]);
});

const { below, drawn, number, oneOf } = drawer(88);
const lower = "abcdefghijklmnopqrstuvwxyz";
const base62 = `${lower}${lower.toUpperCase()}0123456789`;
const pick = <Value>(values: readonly Value[]) => values[below(values.length)] as Value;
const within = (mistake: string) => () => pick(goodTexts.slice(0, 5)).replace(/(?<= )/, `${mistake} `);

/** Mistakes of each kind, drawn anew by each call. */
const mistakes: readonly (() => string)[] = [
  () => within(`Calling [${oneOf("toString toJSON ToString")}] on an [Output<T>] is not supported.`)(),
  () => within(`[object ${oneOf("Object Promise Map Undefined")}]`)(),
  () => within(`<function ${oneOf("text <lambda> done")} at 0x7f${drawn("0123456789abcdef", 10)}>`)(),
  () =>
    `${pick(["", "async "])}${pick(["() =>", "(a, b) =>", "x => x +", "function f(x) {", "text(x) {"])} 1 }`.trim(),
  () => pick(["undefined", "null", "NaN", '"undefined"', "null.", "None", "“null”", "<nil>"]),
  () => within(`${oneOf("ghp_ gho_ npm_ sk-proj- glpat-")}${drawn(base62, 40)}`)(),
  () => within(`https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/${drawn(base62, 24)}`)(),
  () => within(`eyJ${drawn(base62, 30)}.eyJ${drawn(base62, 60)}.${drawn(base62, 43)}`)(),
  () => within(`-----BEGIN ${oneOf("RSA EC OPENSSH")} PRIVATE KEY-----\n${drawn(base62, 64)}`)(),
  () =>
    within(
      pick([
        "{{ service }}",
        "${region}",
        "{service name}",
        "{one | other}",
        "{IF eu}",
        "{% now %}",
        "<%= x %>",
      ]),
    )(),
  () =>
    pick([
      "[Incident Summary]",
      "[insert cause]",
      "[your text here]",
      "[Describe the impact]",
      "[add details]",
    ]),
  () => within(oneOf("TODO FIXME XXX XX:XX HH:MM"))(),
  () => within(oneOf("undefined NaN"))(),
  () =>
    within(
      `${oneOf("10 192.168 172.20").padEnd(2)}.${number(250)}.${1 + below(250)}`.replace(
        /^(10\.\d+\.)/,
        "$17.",
      ),
    )(),
  () => within(`${oneOf("db redis-1 api")}.${oneOf("internal local corp lan prod.internal home.arpa")}`)(),
  () =>
    within(
      `the ${oneOf("key token password secret")}${pick([":", " is"])} ${drawn(base62, 8)}9aB${drawn(base62, 13)}`,
    )(),
  () =>
    within(
      `Tuesday, ${pick(["November 26, 2026", "26 November 2026", "26th of Nov 2026", "2026-11-26"])}:`,
    )(),
  () => within(`2025-${pick(["11-26", "12-01", "11-10"])}`)(),
];

test("of 400 mistakes that are drawn at random each is refused or warned of, and no message quotes it", () => {
  const texts = Array.from({ length: 400 }, (_, index) => mistakes[index % mistakes.length]?.() ?? "");
  expect(texts.filter((text) => said(text).length === 0)).toEqual([]);
  expect(new Set(texts.flatMap(said)).size).toBeLessThan(30);
});

const update = (status: string, minutesAgo: number, description = "All good.") =>
  ({ id: "u", status, description, created_at: new Date(now - minutesAgo * 60_000).toISOString() }) as const;
const shows = (...incidentUpdates: ReturnType<typeof update>[]): Draft["incident"] => ({
  id: "i",
  name: "Checkout",
  created_at: "2026-11-26T08:00:00Z",
  incidentUpdates,
});
const at = (publicIncidentUpdateDate: string) => ({ publicIncidentUpdateDate });
const same = { status: "MONITORING", description: "All good." } as const;
const [before, open] = [
  shows(update("RESOLVED", 90)),
  shows(update("MONITORING", 30), update("INVESTIGATING", 90)),
];

const cases: [string, Draft["declared"], Draft["incident"], string | undefined][] = [
  ["opens an incident", { status: "MONITORING" }, before, "status opens the incident again"],
  ["is a post-mortem", { status: "RESOLVED" }, before, undefined],
  ["goes back before the end", { status: "INVESTIGATING" }, open, undefined],
  ["is eleven minutes ahead", at("2026-11-26T12:11:00Z"), open, "publicIncidentUpdateDate is in the future"],
  ["is nine minutes ahead", at("2026-11-26T12:09:00Z"), open, undefined],
  [
    "is of another era",
    at("0026-11-26T12:00:00Z"),
    shows(),
    "publicIncidentUpdateDate is before the incident began",
  ],
  [
    "is before the newest one",
    at("2026-11-26T11:00:00Z"),
    open,
    "publicIncidentUpdateDate is before that of the newest",
  ],
  [
    "is identical",
    { ...same, ...at("2026-11-26T11:59:00Z") },
    shows(update("MONITORING", 14)),
    "description and status",
  ],
  ["is identical to an older one", same, shows(update("MONITORING", 16)), undefined],
  ["is meant to be identical", { ...same, occurrence: 2 }, shows(update("MONITORING", 1)), undefined],
  [
    "is an identical entry",
    { ...same, occurrence: 2, followedBy: [] },
    shows(update("MONITORING", 1)),
    "description and",
  ],
  [
    "has last year's date",
    { ...at("2026-11-26T09:00:00Z"), description: "Since 2025-11-25" },
    shows(),
    "description has a date",
  ],
];

test.each(cases)("an update that %s", (_, declared, incident, doubt) => {
  const told = doubtsIn({ declared, incident, now });
  expect(told).toEqual(doubt === undefined ? [] : [expect.stringContaining(doubt)]);
});

test("65,536 characters take no long time, also if a rule begins at each of them", () => {
  const parts = [
    "a ",
    "{a ",
    "```\n",
    "`",
    "[insert ",
    "key a1B2c3D4 ",
    "<code>",
    "10.",
    "\u00ad",
    '"',
    "eyJ",
    "(x",
    "[object A]",
  ];
  const slow = parts.filter((part) => {
    const text = part.repeat(65_536 / part.length);
    const began = performance.now();
    said(text);
    return performance.now() - began > 500;
  });
  expect(slow).toEqual([]);
});
