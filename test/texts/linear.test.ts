/** Tests that all functions on text take little time for text of the maximum length, whatever it contains. */
import { join } from "node:path";
import type * as Audit from "../../audit";
import type * as Credentials from "../../provider/credentials";
import type * as Hosts from "../../provider/hosts";
import { packageFolder } from "../../provider/packageManifest";
import type * as Proofreading from "../../provider/proofreading";
import type * as InertText from "../../provider/inertText";
import type * as MarkupOfReports from "../../provider/markup";
import type * as Terminal from "../../provider/terminal";
import type * as Texts from "../../provider/texts";
import { fc, runs } from "../propertySeed";
import { readLiterals, loadExpressions } from "./expressions";
import { type Named, parseNamed } from "./named";
import { ends, length, type Pair, type Run, slowness, createText, createTexts } from "./timing";

const [{ audit, credentials, hosts, proofreading, texts }, made] = loadExpressions(() => ({
  audit: jest.requireActual<typeof Audit>("../../audit"),
  credentials: jest.requireActual<typeof Credentials>("../../provider/credentials"),
  hosts: jest.requireActual<typeof Hosts>("../../provider/hosts"),
  proofreading: jest.requireActual<typeof Proofreading>("../../provider/proofreading"),
  texts: {
    ...jest.requireActual<typeof Texts>("../../provider/texts"),
    ...jest.requireActual<typeof Terminal>("../../provider/terminal"),
    ...jest.requireActual<typeof InertText>("../../provider/inertText"),
    ...jest.requireActual<typeof MarkupOfReports>("../../provider/markup"),
  },
}));

const modules = [
  "provider/proofreading",
  "provider/credentials",
  "provider/texts.ts",
  "provider/terminal.ts",
  "provider/inertText.ts",
  "provider/markup.ts",
  "provider/hosts.ts",
  "audit",
];
const literals = modules.flatMap(readLiterals);
const sources = new Set(literals.map(({ regex }) => regex.source));
/** Literals with features that the oldest Node version lacks are created with `new RegExp` as well. */
const expressions = [...literals, ...made.filter(({ regex }) => !sources.has(regex.source))].map(
  ({ place, regex }) => ({ name: `${place} ${String(regex)}`, regex, ...parseNamed(regex) }),
);
const allParts = [...new Set(expressions.flatMap(({ parts }) => parts))];

type Searched = Pick<(typeof expressions)[number], "name" | "regex">;

/** Searches as the product does, for the first match or for all matches. Returns a message about the first pair that takes too long. */
function findSlowness(pairs: readonly Pair[], { name, regex }: Searched): string | undefined {
  const search: Run = (text) => (regex.global ? text.replace(regex, "") : text.search(regex));
  return slowness(name, search, pairs.flatMap(createTexts));
}

/** Returns the pairs that are always tried: each part, and each repetition after the text that leads to it. */
const surePairs = ({ parts, repetitions }: Named): Pair[] => [
  ...repetitions.filter(([lead]) => lead !== ""),
  ...parts.map((part): Pair => ["", part]),
];

test("expressions are found in each module, including those built from a table of vendors", () => {
  const without = modules.filter((path) => !literals.some(({ place }) => place.startsWith(path)));
  expect(without).toEqual([]);
  expect(made.length).toBeGreaterThan(sources.size / 10);
});

// These expressions were in proofreading rules. The first one is cubic, the second one quadratic.
test.each([
  /^(?:async\s+)?\*?(?:function\b\s*\*?\s*[\w$]*\s*|[\w$]+)\([^{}]{0,300}\)\s*\{/,
  /\u201c[^\u201d\n]*\u201d|\u201e[^\u201c\u201d\n]*[\u201c\u201d]|\u00ab[^\u00bb\n]*\u00bb/g,
])("the strings in the expression %s reveal that it isn't linear", (regex) => {
  expect(findSlowness(surePairs(parseNamed(regex)), { name: "it", regex })).toMatch(/^it takes too long/);
});

test("each expression is linear on the strings that it contains, and on strings that lead to a repetition", () => {
  const slow = expressions.flatMap((one) => findSlowness(surePairs(one), one) ?? []);
  expect(slow).toEqual([]);
});

const oneOf = <One>(list: readonly One[]) => fc.constantFrom(...list);
const drawPair = (parts: readonly string[]) => fc.tuple(oneOf(parts), oneOf(parts));

test("each expression is linear on random pairs of the strings that it contains", () => {
  const named = expressions.filter(({ parts }) => parts.length > 1);
  const drawn = oneOf(named).chain((one) => fc.tuple(fc.constant(one), drawPair(one.parts)));
  fc.assert(
    fc.property(drawn, ([one, pair]) => {
      expect(findSlowness([pair], one)).toBeUndefined();
    }),
    { numRuns: runs(), endOnFailure: true },
  );
});

type Rules = Readonly<Record<string, Run>>;

const now = Date.parse("2026-11-26T12:00:00Z");
const proofreaders = [...proofreading.rejections, ...proofreading.textWarnings].map(
  ({ finds, example, find }): [string, Run] => [
    `the rule that a text ${finds}, such as ${example}`,
    (text) => find({ text, prose: text, unquoted: text }),
  ],
);

const redacted = (config: Record<string, unknown>) => credentials.redactConfig({ type: "WEBHOOK", config });
const judges: Rules = {
  findRejections: proofreading.findRejections,
  findWarnings: (description) => proofreading.findWarnings({ declared: { description }, now }),
  findCredential: credentials.findCredential,
  "redactConfig of a URL": (url) => redacted({ url }),
  "redactConfig of a host": (text) => redacted({ url: `https://${text}` }),
  "redactConfig of a path": (text) => redacted({ url: `https://acme.example/${text}` }),
  "redactConfig of a query": (text) => redacted({ url: `https://acme.example/?a=${text}` }),
  "redactConfig of a template": (template) => redacted({ template }),
  "redactConfig of a header": (value) => redacted({ headers: [{ key: "authorization", value }] }),
  "redactConfig of a header's name": (key) => redacted({ headers: [{ key, value: "x" }] }),
  "redactConfig of a key": (serviceKey) => redacted({ serviceKey }),
  "redactConfig of a name": (name) => redacted({ name }),
};

/** A rule file with each rule of an audit and its options. */
const file = join(packageFolder, "examples", "reference", "rules.yaml");
const eachRule = audit.loadRules(file);
const oneRule = audit.readRules({ rules: { "send-failure": "error" } });
const subscriptions = [{ checkId: "check-1", activated: true }];
const audited = (type: string, config: Record<string, unknown>, name = "ops", of = eachRule) => {
  const channel = { id: 1, type, config, subscriptions, sendFailure: false };
  return audit.auditCheckedChannels([audit.checkReadChannel(channel, name, undefined)], of, {
    now: new Date(now),
  });
};
const audits: Rules = {
  "the audit of an address": (address) => audited("EMAIL", { address }),
  "the audit of a domain": (text) => audited("EMAIL", { address: `a@${text}` }),
  "the audit of a number": (number) => audited("SMS", { number }),
  "the audit of a URL": (url) => audited("WEBHOOK", { url }),
  "the audit of a channel of Slack": (text) => audited("SLACK_APP", { slackChannels: [text] }),
  "the audit of a type": (type) => audited(type, {}),
  "the audit of a region": (region) => audited("OPSGENIE", { region }),
  ...Object.fromEntries(
    Object.entries(audit.formats).map(([format, write]): [string, Run] => [
      `a report in ${format}`,
      (name) => write(audited("EMAIL", {}, name, oneRule)),
    ]),
  ),
};

/** Functions that receive no untrusted text. */
type Safe = "formatCount" | "Markup";
const ofTexts: Readonly<Record<Exclude<keyof typeof texts, Safe>, Run>> = {
  formatList: (text) => texts.formatList(text, [text, text]),
  measureColumns: texts.measureColumns,
  computeWordOverlap: (text) => texts.computeWordOverlap(text, text.slice(1)),
  toSafeJson: texts.toSafeJson,
  toInertQuotation: texts.toInertQuotation,
  toInertSentence: texts.toInertSentence,
  canBeShownAs: (text) => texts.canBeShownAs(text, text.slice(1)),
  normalizeText: texts.normalizeText,
  sameText: (text) => texts.sameText(text, text.slice(1)),
  wrapSentence: (text) => texts.wrapSentence(text, 80),
  wrapText: (text) => texts.wrapText(text, 80),
  normalizeId: texts.normalizeId,
  formatSuggestion: (text) => texts.formatSuggestion(text, ["name", text.slice(1)]),
  computeDigest: texts.computeDigest,
  getErrorCode: (code) => texts.getErrorCode(Object.assign(new Error(), { code })),
  getErrorReason: (text) => texts.getErrorReason(new Error(text)),
  toInertLine: texts.toInertLine,
  isMisspelled: (text) => texts.isMisspelled(text, ["names", text.slice(1)]),
  parseJson: texts.parseJson,
  markup: (text) => texts.markup`${text}`,
  multilineMarkup: (text) => texts.multilineMarkup`${text}`,
  findNearest: (text) => texts.findNearest(text, ["name", text.slice(1)]),
  formatNotKnown: (text) => texts.formatNotKnown(text, ["name", text.slice(1)]),
  toOneLine: texts.toOneLine,
  toPrintable: texts.toPrintable,
  formatNoticeText: texts.formatNoticeText,
  formatQuotation: texts.formatQuotation,
  quoteExcerpt: (text) => texts.quoteExcerpt(text, length / 2),
  quoteLine: texts.quoteLine,
  collapseSpaces: texts.collapseSpaces,
  computeUuid: texts.computeUuid,
  splitVisibleLines: texts.splitVisibleLines,
  toVisibleText: texts.toVisibleText,
  normalizeSpaces: texts.normalizeSpaces,
};

const rules = Object.entries<Run>({
  ...Object.fromEntries(proofreaders),
  ...judges,
  ...audits,
  ...ofTexts,
  hostClassOf: hosts.classifyHost,
  isOnCallMailDomain: credentials.isOnCallMailDomain,
  isPlaceholderAddress: credentials.isPlaceholderAddress,
});

test("each rule is linear on random pairs of the strings in all expressions", () => {
  const pair = fc.oneof(
    oneOf(allParts).map((part): Pair => ["", part]),
    drawPair(allParts),
  );
  const drawn = fc.tuple(oneOf(rules), pair, fc.boolean(), oneOf(ends));
  fc.assert(
    fc.property(drawn, ([[name, run], parts, isInTurn, end]) => {
      expect(slowness(name, run, [createText(parts, isInTurn, end)])).toBeUndefined();
    }),
    { numRuns: runs(), endOnFailure: true },
  );
});
