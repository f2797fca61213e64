/** Of each part of the rules it is told what it must be. */
import { parseRules, readRules, RulesError } from "../../audit";

function mistakesIn(text: string): string[] {
  try {
    parseRules(text, "audit.yaml");
  } catch (error) {
    if (error instanceof RulesError) return error.mistakes.map(({ at, reason }) => `${at} ${reason}`);
    throw error;
  }
  return [];
}

test("a file", () => {
  const text = `rules:
  send-failure: { options: { value: "yes" } }
  allowed-types: error
  allowed-targets: { options: { emailDomains: x, hosts: [], phonePrefixes: [1, "1202"] } }
  forbidden-targets: { options: { hosts: [1, "a b"] } }
  known-type: { options: 1 }
  stale: { select: { types: [], ids: 1, names: [""] } }
channels: 1
waivers:
  - 1
  - { rule: 1, channel: [], reason: "", owner: 1, expires: 1 }
customRules: {}
`;
  expect(mistakesIn(`extends: recommended\n${text}`)).toEqual([
    "rules.send-failure.options.value must be true or false",
    "rules.allowed-types must be off, or an object with options: types",
    "rules.allowed-targets.options.emailDomains must be a list",
    "rules.allowed-targets.options.hosts must not be empty",
    'rules.allowed-targets.options.phonePrefixes[0] must be a string, such as "+1202"',
    "rules.allowed-targets.options.phonePrefixes[1] must be + and digits, such as +1202",
    "rules.forbidden-targets.options.hosts[0] must be a domain",
    "rules.forbidden-targets.options.hosts[1] must be a domain, such as example.com or *.example.com",
    "rules.known-type.options takes no options",
    "rules.stale.select.types must not be empty",
    "rules.stale.select.ids must be a list",
    "rules.stale.select.names[0] must not be empty",
    "channels must be an object of ids by name, such as on-call: 200123",
    "waivers[0] must be an object with rule, channel, reason, owner, expires",
    "waivers[1].rule must be the id of a rule",
    "waivers[1].channel must be the id or name of a channel",
    "waivers[1].reason must not be empty",
    "waivers[1].owner must be a string",
    "waivers[1].expires must be a day, such as 2027-01-31",
    "customRules must be a list",
  ]);
});

test.each<[object, string | RegExp]>([
  [{ waivers: {} }, "waivers must be a list"],
  [{ channels: [] }, "channels must be an object of ids by name, such as on-call: 200123"],
  [{ rules: 1 }, /^rules must be an object$/],
  [{ rules: { "known-type": 1 } }, /^rules\.known-type must be one of off, warning, error$/],
  [{ rules: { "allowed-types": { severity: "off" } } }, /options must be an object with types$/],
  [{ customRules: [1] }, /^customRules\[0\] must be an object$/],
  [{ customRules: [{ title: "a", schema: {} }] }, /^customRules\[0\]\.id must be a string$/],
])("an object: %j: %s", (rules, mistake) => {
  expect(() => readRules({ extends: "recommended", ...rules })).toThrow(mistake);
});
