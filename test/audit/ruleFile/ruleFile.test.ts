/** Tests which text and which objects are valid rules, and the errors in others, with their locations. */
import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { parseRules, readRules, rulesJsonSchema } from "../../../audit/public";
import { loadRules } from "../../../audit";
import { fc, runs } from "../../propertySeed";
import { cases, errorLines, rows } from "../table";

const listErrors = (text: string) => errorLines(() => parseRules(text, "audit.yaml"));

const ruleId = "must consist of lowercase letters, digits and hyphens, such as opsgenie-region";
const anId = "must be the ID of an alert channel, such as 200123";

test.each(
  rows(String.raw`
  rules:\n  stale: { options: { days: many } } → 3:29: rules.stale.options.days must be a whole number from 1 to 36500
  rules: { stale: eror } → 2:17: rules.stale must be one of off, warning, error (did you mean "error"?)
  rules: { checks-covered: error } → 2:26: rules.checks-covered must be off, or an object with options: checks
  exceptions: [{ select: { types: [EMAIL, SLAK] }, rules: { stale: error }, reason: x }] → 2:41: exceptions[0].select.types[1] must be a type, such as EMAIL or WEBHOOK_MSTEAMS (did you mean "SLACK"?)
  rules: { "a\\nb\\e[31m": error } → 2:10: rules.a b [31m is not known
  exceptions:\n  - { rules: { stael: off }, reason: x } → 3:16: exceptions[0].rules.stael is not known (did you mean "stale"?)
  exceptions:\n  - { rules: { exception-unused: off }, reason: x } → 3:16: exceptions[0].rules.exception-unused can't be set for some channels
  exclude:\n  - { channel: 1, reason: x } → 2:1: exclude is replaced by exceptions. Write exceptions: [{ select: …, rules: off, reason: … }]
  overrides: [] → 2:1: overrides is replaced by exceptions. Write exceptions: [{ select: …, rules: { RULE: warning }, reason: … }]
  waivers: [] → 2:1: waivers is replaced by exceptions. Write exceptions: [{ channel: …, rules: { RULE: off }, reason: …, until: DAY }]
  customRules:\n  - { id: a, title: b, expect: { type: { matches: "(" } } } → 3:51: customRules[0].expect.type.matches must be a regular expression
  customRules:\n  - { id: not-evaluable, title: b, expect: { type: x } } → 3:11: customRules[0].id is reserved for policy packs
  rules: { allowed-targets: { options: {} } } → 2:38: rules.allowed-targets.options must contain emailDomains, hosts or phonePrefixes`),
)("the error in %s is reported with its line: %s", (text = "", expected = "") => {
  const written = text.replace(/(?<!\\)\\n/g, "\n").replace(/\\\\/g, "\\");
  const [first] = listErrors(`extends: recommended\n${written}`);
  expect(first).toBe(`audit.yaml:${expected}`);
});

test("all errors are reported together, in the order of the file", () => {
  const text = `extend: recommended
rules:
  send-falure: error
  stale: { options: { dayz: 1 }, sevrity: error }
  allowed-targets: { options: { emailDomains: x, hosts: [1, "a b"], phonePrefixes: [1, "1202"] } }
  # a comment
  known-type: { options: 1 }
channels: { a: x }
exceptions:
  - 1
  - { select: { types: [], ids: 1, names: [""] }, channel: [], rules: 1, reason: "", until: 1 }
  - { channel: a }
customRules:
  - { id: a, title: b }
  - { id: a, title: b, expect: {} }
`;
  expect(listErrors(text)).toEqual(
    [
      '1:1: extend is not known (did you mean "extends"?)',
      '3:3: rules.send-falure is not known (did you mean "send-failure"?)',
      '4:23: rules.stale.options.dayz is not known (did you mean "days"?)',
      '4:34: rules.stale.sevrity is not known (did you mean "severity"?)',
      "5:47: rules.allowed-targets.options.emailDomains must be a list",
      "5:58: rules.allowed-targets.options.hosts[0] must be a domain",
      "5:61: rules.allowed-targets.options.hosts[1] must be a domain, such as example.com or *.example.com",
      '5:85: rules.allowed-targets.options.phonePrefixes[0] must be a string, such as "+1202"',
      "5:88: rules.allowed-targets.options.phonePrefixes[1] must be + and digits, such as +1202",
      "7:26: rules.known-type.options doesn't accept options",
      `8:16: channels.a ${anId}`,
      "10:5: exceptions[0] must be an object with channel, select, rules, reason, until",
      "11:24: exceptions[1].select.types must not be empty",
      "11:33: exceptions[1].select.ids must be a list",
      "11:44: exceptions[1].select.names[0] must not be empty",
      "11:60: exceptions[1].channel must be the ID or name of a channel",
      "11:71: exceptions[1].rules must be off, or an object with settings of rules",
      "11:82: exceptions[1].reason must not be empty",
      "11:93: exceptions[1].until must be a date, such as 2027-01-31",
      "12:5: exceptions[2].rules is missing and must be off, or an object with settings of rules",
      "12:5: exceptions[2].reason is missing",
      "14:5: customRules[0].expect is missing and must be an object with expected fields",
      "15:11: customRules[1].id is the ID of a different rule",
      "15:32: customRules[1].expect must not be empty",
    ].map((line) => `audit.yaml:${line}`),
  );
});

/** Each line repeats the previous line nine times. */
const bomb = Array.from("abcdefghi", (name, index) => {
  const item = index === 0 ? "x" : `*${"abcdefghi".charAt(index - 1)}`;
  return `${name}: &${name} [${new Array<string>(9).fill(item).join()}]`;
}).join("\n");

test.each(
  rows(String.raw`
  a: [1,\nb: } → 2:1: the rules can't be read:
  {"extends": "recommended" → 1:26: the rules can't be read:
  - 1 → 1:1: the rules must be an object with $schema, extends,
  → 1:1: the rules must be an object
  channels: { a: 1 } → 1:1: the rules enable no rule. Set extends, rules or customRules
  extends: !!js/function x → 1:10: the rules can't be read: Unresolved tag
  extends: strict\n---\nextends: strict → 2:1: the rules can't be read: A second document starts here
  extends: strict\nchannels:\n  __proto__: 5 → 3:3: channels.__proto__ can't be used as a name
  a: &a\n  b: *a → 2:6: a.b must not contain itself
  rules:\n  x: off\n  1: off\n  x: off → 4:3: the rules can't be read: Map keys must be unique
  %YAML 1.1\n---\nrules:\n  stale: off → 4:10: rules.stale must be one of off, warning, error. The value is read as false. Write "off" in quotes, or remove %YAML 1.1
  {\n  /* all */\n  "extends": "strict"\n} → 2:3: the rules can't be read: Comments start with #, even in a JSON file
  {"extends": "strict", "rules": {\n"stale": "off", // old\n"subscribed": "off" /* new */}} → 2:17: the rules can't be read: Comments start with #, even in a JSON file
  extends: strict\nrules:\n  <<: { stale: off } → 3:3: the rules can't be read: YAML 1.2 doesn't support the merge key <<.
  extends: strict\nrules: !!set { stale } → 2:14: rules can't be a Map or a Set (!!omap or !!set in YAML)`),
)("%s isn't a rule file: %s", (text = "", expected = "") => {
  const [first] = listErrors(text.replaceAll("\\n", "\n"));
  expect(first).toEqual(expect.stringContaining(`audit.yaml:${expected}`));
});

test.each([
  ["deep nesting", "[".repeat(10_000), /^audit\.yaml.* Lists and objects are nested too deeply$/],
  ["nested lists", `rules: ${"[".repeat(101)}${"]".repeat(101)}`, /^.*:1:8: rules must not be nested more/],
  ["a long file", "#".repeat(5_000_001), /^audit\.yaml: the rules must have at most 5000000 characters$/],
  ["aliases", `a: &a 1\nb: [${"*a, ".repeat(1_001)}]`, /^audit\.yaml:2:4005: .*: More than 1000 aliases$/],
  ["a bomb of aliases", bomb, /^audit\.yaml:1:1: the rules can't be read: Excessive alias count/],
])("a file that is too large or too complex is rejected: %s", (_, text, expected) => {
  expect(listErrors(text)[0]).toMatch(expected);
});

const channels = "channels: { on-call: 4101 }\n";
const accepted = "channel: a, rules: { stale: off }, reason: a";

test.each([
  '{\n\t"extends": "recommended",\n\t"channels": {"on-call": "4101"}\n}',
  `%YAML 1.1\n---\nextends: recommended\n${channels}exceptions: [{ channel: a, rules: { stale: "off" }, reason: a, until: 2027-01-31 }]`,
  "channels: &c { on-call: &id 4101 }\nextends: recommended\nexceptions: [{ select: { ids: [*id] }, rules: { stale: off }, reason: a }]",
])("a valid file contains rules and names: %j", (text) => {
  const rules = parseRules(text, "audit.yaml");
  expect([...rules.channels].map(([name, id]) => [name, Number(id)])).toEqual([["on-call", 4101]]);
  expect(rules.nameOf(4101)).toBe("on-call");
  expect(rules.rules.map(({ id }) => id)).toContain("send-failure");
  expect(rules.file).toBe("audit.yaml");
});

test.each(
  cases(`
    { allChannels: "yes" } → allChannels must be true or false
    { exceptions: [{ rules: off, reason: a }] } → exceptions[0] must contain channel or select, because rules: off would exclude every channel
    { exceptions: [{ channel: 1, select: { ids: [1] }, rules: off, reason: a }] } → exceptions[0] can't contain both channel and select
    { exceptions: [{ select: {}, rules: off, reason: a }] } → exceptions[0].select must contain \`types\`, \`ids\` or \`names\`. An exception without \`select\` applies to every channel
    { exceptions: [{ rules: { checks-covered: error, stale: { severity: soon } }, reason: a }] } → exceptions[0].rules.stale.severity must be one of off, warning, error ; exceptions[0].rules.checks-covered must be off, or an object with options: checks
    { rules: { channel-read: off } } → rules.channel-read can't be set
    { rules: { "": error } } → rules."" is not known
    { rules: { checks-covered: { severity: "off" } } } → rules.checks-covered.options is missing and must be an object with checks
    { customRules: [{ id: "::error::My | Rule", title: a, expect: { type: EMAIL } }] } → customRules[0].id ${ruleId}
    { customRules: [{ id: a, title: null, why: 7, fix: "", severity: eror, expect: { type: EMAIL } }] } → customRules[0].title must be a string ; customRules[0].why must be a string ; customRules[0].fix must not be empty ; customRules[0].severity must be one of error, warning (did you mean "error"?)`),
)("rules as an object with %s cause these errors: %s", (_, rules, mistakes) => {
  expect(errorLines(() => readRules({ extends: "recommended", ...rules }))).toEqual(mistakes);
});

test.each([undefined, null, 7, [], "extends: strict", () => undefined])("rules can't be %p", (value) => {
  expect(() => readRules(value)).toThrow(/^the rules must be an object with /);
});

test.each(["rules.js", "rules.mts"])(
  "the program %s is rejected as a rule file without being read",
  (file) => {
    expect(() => loadRules(file)).toThrow(
      `${file} can't be loaded, because a rule file must be YAML or JSON. Declare custom rules under customRules. In a program, you can pass the rules as an object instead`,
    );
  },
);

const parts = [
  "extends:_recommended\n rules:\n exceptions:\n customRules:\n -_ __stale:_ off error __proto__:_ constructor:_",
  "&a_ *a <<:_ !!binary_ !!js/function_ %YAML_1.1\n ---\n ...\n |\n >-\n ?_ {_ }_ [ ] ' \" # :_ 1e999 2027-01-31",
  "\n \t \r",
].flatMap((line) => line.split(" "));
const words = parts.map((part) => part.replaceAll("_", " ").replace("  proto  ", "__proto__"));

test("any text results in rules or in errors that name their location in the text", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 20 }), (parts) => {
      const text = parts.join("");
      for (const line of listErrors(text)) {
        const [, at = "1"] = /^audit\.yaml:(?:(\d+):[1-9]\d*:)? ./.exec(line) ?? ["", "0"];
        expect([line, Number(at) > 0 && Number(at) <= text.split(/\r\n|\r|\n/).length]).toEqual([line, true]);
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: runs(50) },
  );
});

describe("the JSON Schema accepts what the audit accepts", () => {
  const validate = addFormats(new Ajv({ strict: false })).compile(rulesJsonSchema());

  test.each(
    cases(`
    { extends: strict, $schema: ./audit.schema.json, channels: { a: 1, b: "2" } } → valid
    { extends: strict, rules: { send-failur: error } } →
    { extends: strict, exceptions: [{ select: { ids: [1] }, rules: { exception-unused: error }, reason: a }] } →
    { rules: { mine: warning }, customRules: [{ id: mine, title: b, expect: { type: EMAIL } }] } → valid
    { rules: { stale: { options: { days: 30 } } } } → valid
    { rules: { stale: { options: { days: 0 } } } } →
    { rules: { on-call-type: { options: { types: [WEBHOOK_MSTEAMS, WEBHOOK_GITLAB, PIGEON] } } } } → valid
    { rules: { on-call-type: { options: { types: [email] } } } } →
    { rules: { checks-covered: error } } →
    { extends: strict, exceptions: [{ ${accepted}, until: "2027-01-31" }, { channel: 1, rules: off, reason: a }] } → valid
    { extends: strict, exceptions: [{ ${accepted}, until: soon }] } →
    { extends: strict, exceptions: [{ channel: 1, rules: error, reason: a }] } →
    { customRules: [{ id: a, title: b, expect: { type: EMAIL }, select: { types: [EMAIL], names: [a*], ids: [1, "2"] } }] } → valid
    { customRules: [{ id: a, title: b, expect: { typ: EMAIL } }] } →
    { extends: strict, extra: 1 } →
    { extends: strict, waivers: [] } →`),
  )("the JSON Schema and the audit treat %s in the same way", (_, value, [result]) => {
    const isValid = result === "valid";
    expect({ editor: validate(value), audit: listErrors(JSON.stringify(value)).length === 0 }).toEqual({
      editor: isValid,
      audit: isValid,
    });
  });

  test("each key and each rule of the JSON Schema has its own description, which an editor shows", () => {
    type Described = Record<string, Schema>;
    type Schema = { description?: string; $ref?: string; properties?: Described; items?: Schema };
    const { properties, $defs } = rulesJsonSchema() as Record<"properties" | "$defs", Described>;
    const { rules, exceptions, customRules } = properties;
    const objects = [{ properties }, rules, exceptions?.items, customRules?.items];
    for (const keys of objects.map((object) => Object.values(object?.properties ?? {}))) {
      const shown = keys.map(
        ({ description, $ref = "" }) => description ?? $defs[$ref.slice(8)]?.description,
      );
      expect(shown.filter((description) => !description?.endsWith("."))).toEqual([]);
      expect(new Set(shown).size).toBe(keys.length);
    }
  });
});
