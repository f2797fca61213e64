import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { parseRules, rulesJsonSchema, RulesError } from "../../../audit";
import { cases } from "../table";

describe("the JSON Schema accepts what the audit accepts", () => {
  const validate = addFormats(new Ajv({ strict: false })).compile(rulesJsonSchema());

  const accepts = (value: object): boolean => {
    try {
      parseRules(JSON.stringify(value), "audit.json");
      return true;
    } catch (error) {
      if (error instanceof RulesError) return false;
      throw error;
    }
  };

  const waiver = "rule: stale, channel: a, reason: x, owner: y";
  test.each(
    cases(`
    { extends: strict } → valid
    { extends: lenient } →
    { extends: strict, $schema: ./audit.schema.json, channels: { a: 1, b: "2" } } → valid
    { extends: strict, channels: { a: one } } →
    { extends: strict, rules: { stale: "off", known-type: { severity: error } } } → valid
    { extends: strict, rules: { stale: "on" } } →
    { rules: { stale: { options: { days: 30 }, select: { types: [SMS], names: [a*], ids: [1, "2"] } } } } → valid
    { rules: { stale: { options: { days: 0 } } } } →
    { rules: { stale: { options: { dayz: 1 } } } } →
    { rules: { stale: { select: { types: [] } } } } →
    { rules: { allowed-types: { options: { types: [EMAIL] } } } } → valid
    { rules: { allowed-types: { options: { types: [WEBHOOK_MSTEAMS, WEBHOOK_GITLAB, PIGEON] } } } } → valid
    { rules: { allowed-types: { options: { types: [email] } } } } →
    { rules: { stale: { select: { types: [WEBHOOK_ZENDUTY] } } } } → valid
    { rules: { allowed-types: error } } →
    { extends: strict, rules: { allowed-types: "off" } } → valid
    { extends: strict, waivers: [{ ${waiver}, expires: "2027-01-31" }] } → valid
    { extends: strict, waivers: [{ ${waiver}, expires: soon }] } →
    { extends: strict, waivers: [{ rule: stale, reason: x, expires: "2027-01-31" }] } →
    { customRules: [{ id: a, title: b, expect: { type: EMAIL }, select: { types: [EMAIL] } }] } → valid
    { customRules: [{ id: a, title: b, expect: { type: { not: SMS } } }] } → valid
    { customRules: [{ id: a, title: b, expect: { typ: EMAIL } }] } →
    { customRules: [{ id: A b, title: b, expect: { type: EMAIL } }] } →
    { extends: strict, extra: 1 } →
    [] →`),
  )("%s → %s", (_, value, [result]) => {
    const isValid = result === "valid";
    expect({ editor: validate(value), audit: accepts(value) }).toEqual({ editor: isValid, audit: isValid });
  });

  test("each key and each rule has a description", () => {
    const { properties } = rulesJsonSchema() as {
      properties: Record<string, { description?: string; properties?: object }>;
    };
    for (const [key, { description }] of Object.entries(properties))
      expect([key, description]).toEqual([key, expect.stringMatching(/\.$/)]);
    for (const rule of Object.values(properties.rules?.properties ?? {}))
      expect(rule).toHaveProperty("description", expect.stringMatching(/^[A-Z].*\. [A-Z].*\.$/));
  });
});
