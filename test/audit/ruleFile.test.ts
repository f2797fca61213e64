import { type Mistake, parseRules, readRules, RulesError, type Rules } from "../../audit";

function mistakesIn(text: string): string[] {
  try {
    parseRules(text, "audit.yaml");
  } catch (error) {
    if (error instanceof RulesError) return error.message.split("\n");
    throw error;
  }
  return [];
}

const extended = (text: string) => mistakesIn(`extends: recommended\n${text}`);

describe("a mistake has its line and column, and says what would be right", () => {
  test.each([
    ["a key", "rulez: {}", 'audit.yaml:2:1: rulez is not known (did you mean "rules"?)'],
    [
      "a rule",
      "rules:\n  send-falure: off",
      'audit.yaml:3:3: rules.send-falure is not known (did you mean "send-failure"?)',
    ],
    [
      "an option",
      "rules:\n  stale:\n    options: { dayz: 3 }",
      'audit.yaml:4:16: rules.stale.options.dayz is not known (did you mean "days"?)',
    ],
    [
      "an option's value",
      "rules:\n  stale: { options: { days: many } }",
      "audit.yaml:3:29: rules.stale.options.days must be a whole number from 1 to 36500",
    ],
    [
      "an option of a rule without",
      "rules: { known-type: { options: { x: 1 } } }",
      "audit.yaml:2:35: rules.known-type.options.x is not known",
    ],
    [
      "a severity",
      "rules: { stale: eror }",
      'audit.yaml:2:17: rules.stale must be one of off, warning, error (did you mean "error"?)',
    ],
    [
      "a severity in an object",
      "rules: { stale: { severity: warn } }",
      'audit.yaml:2:29: rules.stale.severity must be one of off, warning, error (did you mean "warning"?)',
    ],
    [
      "a setting",
      "rules: { stale: [error] }",
      "audit.yaml:2:17: rules.stale must be one of off, warning, error",
    ],
    [
      "options that are needed",
      "rules: { allowed-types: error }",
      "audit.yaml:2:25: rules.allowed-types must be off, or an object with options: types",
    ],
    [
      "options that are needed in an object",
      "rules: { allowed-types: { severity: error } }",
      "audit.yaml:2:25: rules.allowed-types.options must be an object with types",
    ],
    [
      "a type",
      "rules: { stale: { select: { types: [EMAIL, SLAK] } } }",
      'audit.yaml:2:44: rules.stale.select.types[1] must be one of EMAIL, SLACK, WEBHOOK, SMS, PAGERDUTY, OPSGENIE, CALL, SLACK_APP (did you mean "SLACK"?)',
    ],
    [
      "a key that could rewrite a terminal",
      'rules: { "a\\nb\\e[31m": error }',
      "audit.yaml:2:10: rules.a b [31m is not known",
    ],
    ["a preset", "extends: x", "audit.yaml:2:1: the rules can't be read: Map keys must be unique"],
    [
      "an id",
      "channels: { ops: a/b }",
      "audit.yaml:2:18: channels.ops must be the id of an alert channel, such as 200123",
    ],
    [
      "a negative id",
      "channels: { ops: -1 }",
      "audit.yaml:2:18: channels.ops must be the id of an alert channel, such as 200123",
    ],
    [
      "a waiver's rule",
      "waivers:\n  - { rule: stael, channel: 1, reason: x, owner: y, expires: 2027-01-01 }",
      'audit.yaml:3:13: waivers[0].rule is not a rule (did you mean "stale"?)',
    ],
    [
      "a day",
      "waivers:\n  - { rule: stale, channel: 1, reason: x, owner: y, expires: 2027-02-30 }",
      "audit.yaml:3:62: waivers[0].expires must be a day, such as 2027-01-31",
    ],
    [
      "a waiver without reason",
      "waivers:\n  - { rule: stale, owner: y, expires: 2027-02-03 }",
      "audit.yaml:3:5: waivers[0].reason is missing",
    ],
    [
      "a custom rule's path",
      "customRules:\n  - { id: a, title: b, path: confg.x, equals: 1 }",
      expect.stringMatching(
        /^audit\.yaml:3:30: customRules\[0\]\.path must begin with id, .* \(did you mean "config"\?\)$/,
      ),
    ],
    [
      "a custom rule's comparison",
      "customRules:\n  - { id: a, title: b, path: type, equal: 1 }",
      'audit.yaml:3:36: customRules[0].equal is not known (did you mean "equals"?)',
    ],
    [
      "a pattern",
      'customRules:\n  - { id: a, title: b, path: type, matches: "(" }',
      "audit.yaml:3:45: customRules[0].matches must be a regular expression",
    ],
    [
      "a keyword",
      "customRules:\n  - { id: a, title: b, schema: { propertys: {} } }",
      'audit.yaml:3:34: customRules[0].schema.propertys is not known (did you mean "properties"?)',
    ],
    [
      "a keyword inside",
      "customRules:\n  - { id: a, title: b, schema: { properties: { x: { typ: string } } } }",
      'audit.yaml:3:53: customRules[0].schema.properties.x.typ is not known (did you mean "type"?)',
    ],
    [
      "an id that is taken",
      "customRules:\n  - { id: stale, title: b, path: type, equals: x }",
      "audit.yaml:3:11: customRules[0].id is the id of another rule",
    ],
    [
      "an id that policy packs use for themselves",
      "customRules:\n  - { id: not-evaluable, title: b, path: type, equals: x }",
      "audit.yaml:3:11: customRules[0].id is kept for policy packs",
    ],
    [
      "a domain",
      "rules: { allowed-targets: { options: { hosts: ['https://x'] } } }",
      "audit.yaml:2:48: rules.allowed-targets.options.hosts[0] must be a domain, such as example.com or *.example.com",
    ],
    [
      "no list of places",
      "rules: { allowed-targets: { options: {} } }",
      "audit.yaml:2:38: rules.allowed-targets.options must have emailDomains, hosts or phonePrefixes",
    ],
  ])("%s", (_, text, expected) => {
    const mistakes = extended(text);
    expect(mistakes[0]).toEqual(expected);
  });
});

test("all mistakes are named at once, in the order of the file", () => {
  const text = `extend: recommended
rules:
  send-falure: error
  stale: { options: { dayz: 1 }, sevrity: error }
channels: { a: x, b: y }
waivers: [{ rule: nope }]
customRules:
  - { id: a, title: b }
  - { id: a, title: b, path: type, equals: 1, schema: {} }
`;
  expect(mistakesIn(text).map((line) => line.replace(/^(\S+ \S+).*/, "$1"))).toEqual([
    "audit.yaml:1:1: extend",
    "audit.yaml:3:3: rules.send-falure",
    "audit.yaml:4:23: rules.stale.options.dayz",
    "audit.yaml:4:34: rules.stale.sevrity",
    "audit.yaml:5:16: channels.a",
    "audit.yaml:5:22: channels.b",
    "audit.yaml:6:11: waivers[0].reason",
    "audit.yaml:6:11: waivers[0].owner",
    "audit.yaml:6:11: waivers[0].expires",
    "audit.yaml:6:19: waivers[0].rule",
    "audit.yaml:8:5: customRules[0]",
    "audit.yaml:9:5: customRules[1]",
    "audit.yaml:9:11: customRules[1].id",
  ]);
});

/** Each line nine times the one before. */
const bomb = Array.from("abcdefghi", (name, index) => {
  const item = index === 0 ? "x" : `*${"abcdefghi".charAt(index - 1)}`;
  return `${name}: &${name} [${new Array<string>(9).fill(item).join()}]`;
}).join("\n");

describe("a file that isn't one", () => {
  test.each([
    ["broken YAML", "a: [1,\nb: }", /^audit\.yaml:2:1: the rules can't be read: /],
    ["broken JSON", '{"extends": "recommended"', /^audit\.yaml:1:26: the rules can't be read: /],
    ["a list", "- 1", /^audit\.yaml:1:1: the rules must be an object with \$schema, extends, /],
    ["a text", "hello", /^audit\.yaml:1:1: the rules must be an object/],
    ["nothing", "", /^audit\.yaml:1:1: the rules must be an object/],
    [
      "no rules",
      "channels: { a: 1 }",
      /^audit\.yaml:1:1: the rules turn no rule on: set extends, rules or customRules$/,
    ],
    [
      "an alias that leads nowhere",
      "rules: *x",
      /^audit\.yaml:1:8: the rules can't be read: No anchor &x stands before this alias$/,
    ],
    ["a tag", "extends: !!js/function x", /^audit\.yaml:1:10: the rules can't be read: Unresolved tag/],
    [
      "two documents",
      "extends: strict\n---\nextends: strict",
      /^audit\.yaml:2:1: the rules can't be read: A second document begins here$/,
    ],
    ["a prototype", "__proto__: { extends: strict }", /^audit\.yaml:1:1: __proto__ is not known/],
    ["far too deep", "[".repeat(100_000), /^audit\.yaml.* the rules can't be read: /],
    ["far too long", "#".repeat(5_000_001), /^audit\.yaml: the rules must have at most 5000000 characters$/],
    ["a bomb of aliases", bomb, /^audit\.yaml:1:1: the rules can't be read: Excessive alias count/],
  ])("%s", (_, text, expected) => {
    expect(mistakesIn(text)[0]).toMatch(expected);
  });
});

describe("a good file", () => {
  test.each([
    ["YAML", "extends: recommended # as usual\nchannels:\n  on-call: 4101\n"],
    ["JSON", '{\n\t"extends": "recommended",\n\t"channels": {"on-call": "4101"}\n}'],
    [
      "YAML with an anchor",
      "channels: &c { on-call: &id 4101 }\nextends: recommended\nrules: { stale: { select: { ids: [*id] } } }",
    ],
  ])("in %s gives rules and names", (_, text) => {
    const rules = parseRules(text, "audit.yaml");
    expect([...rules.channels].map(([name, id]) => [name, Number(id)])).toEqual([["on-call", 4101]]);
    expect(rules.nameOf(4101)).toBe("on-call");
    expect(rules.rules.map(({ id }) => id)).toContain("send-failure");
    expect(rules.file).toBe("audit.yaml");
  });

  test("tells of each rule and waiver where it stands", () => {
    const text = `extends: strict
rules:
  stale: warning
waivers:
  - rule: stale
    channel: 1
    reason: x
    owner: y
    expires: 2027-01-01
customRules:
  - id: mine
    title: Mine
    path: type
    equals: EMAIL
`;
    const { rules, waivers } = parseRules(text, "audit.yaml");
    const lineOf = (id: string) => rules.find((rule) => rule.id === id)?.location;
    expect(lineOf("send-failure")).toEqual({ file: "audit.yaml", line: 1, column: 10 });
    expect(lineOf("stale")).toEqual({ file: "audit.yaml", line: 3, column: 3 });
    expect(lineOf("mine")).toEqual({ file: "audit.yaml", line: 11, column: 5 });
    expect(waivers[0]?.location).toEqual({ file: "audit.yaml", line: 5, column: 5 });
  });
});

describe("rules as an object", () => {
  test("have mistakes without lines", () => {
    const wrong = { extends: "recommended", rules: { stael: "off" } };
    let mistakes: readonly Mistake[] = [];
    try {
      readRules(wrong, "rules.cjs");
    } catch (error) {
      expect(error).toBeInstanceOf(RulesError);
      expect(error).toHaveProperty("message", 'rules.cjs: rules.stael is not known (did you mean "stale"?)');
      if (error instanceof RulesError) mistakes = error.mistakes;
    }
    expect(mistakes).toEqual([{ at: "rules.stael", reason: 'is not known (did you mean "stale"?)' }]);
  });

  test.each([undefined, null, 7, [], "extends: strict", () => undefined])("can't be %p", (value) => {
    expect(() => readRules(value)).toThrow(/^the rules must be an object with /);
  });

  test("are the same as in a file", () => {
    const rules: Rules = { extends: "strict", rules: { stale: "off" }, channels: { a: 1 } };
    const ids = readRules(rules).rules.map(({ id, severity }) => [id, severity]);
    expect(ids).toEqual(
      parseRules(JSON.stringify(rules), "x").rules.map(({ id, severity }) => [id, severity]),
    );
  });
});
