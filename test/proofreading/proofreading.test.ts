/** What is refused, or warned of, before an update is public: each rule by its own examples, and all together. */
import {
  doubtsIn,
  type Draft,
  draftDoubts,
  refusals,
  refusedIn,
  textDoubts,
} from "../../provider/proofreading";
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

/** Texts that mistakes leave, with what the examples of the rules don't show. */
const mistaken = `
  Calling __str__ on an Output[T] is not supported.
  It affects [object Promise] alone.
  It affects <function text at 0x7f0a1b2c3d4e> alone.
  It affects %!s(MISSING) alone.
  It affects {0xc000123abc} alone.
  async (a, b) => 1
  function f(x) { 1 }
  “null”
  <nil>
  See https://hooks.slack.com/services/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.
  It affects \${region} alone.
  It affects {service name} alone.
  It affects {IF eu} alone.
  It affects {% now %} alone.
  It affects <%= x %> alone.
  [Incident Summary]
  [your text here]
  We expect a fix by HH:MM.
  It affects 192.168.7.12 and 172.20.4.1.
  It affects api.prod.home.arpa alone.
  Log in with the token: kq3Zr8vK9aBp1LwT5xBk3v.
  Tuesday, 26th of Nov 2026: it begins.
  2026-11-26 (Tuesday)`;

test("each of these texts is refused or warned of", () => {
  const texts = mistaken.trim().split(/\n {2}/);
  expect(texts.filter((text) => said(text).length === 0)).toEqual([]);
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

test("each rule on an update has a case", () => {
  const told = cases.flatMap(([, , , doubt]) => doubt ?? []);
  expect(draftDoubts.filter(({ finds }) => !told.some((doubt) => finds.startsWith(doubt)))).toEqual([]);
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
