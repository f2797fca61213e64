import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseRules, reportJsonSchema, rulesJsonSchema, RulesError } from "../../audit";

const published = (name: string): unknown =>
  JSON.parse(readFileSync(join(__dirname, "..", "..", "audit", name), "utf8"));

test.each([
  ["audit.schema.json", rulesJsonSchema],
  ["report.schema.json", reportJsonSchema],
])("%s is up to date (`npm run schemas` writes it)", (name, schema) => {
  expect(published(name)).toEqual(JSON.parse(JSON.stringify(schema())));
});

describe("the schema of rule files says what the audit says", () => {
  const validate = addFormats(new Ajv({ strict: false })).compile(rulesJsonSchema());
  const waiver = { rule: "stale", channel: "a", reason: "x", owner: "y", expires: "2027-01-31" };
  const rules = { extends: "recommended" };

  const accepts = (value: object): boolean => {
    try {
      parseRules(JSON.stringify(value), "audit.json");
      return true;
    } catch (error) {
      if (error instanceof RulesError) return false;
      throw error;
    }
  };

  test.each<[object, boolean]>([
    [{ extends: "strict" }, true],
    [{ extends: "lenient" }, false],
    [{ ...rules, $schema: "./audit.schema.json", channels: { a: 1, b: "2" } }, true],
    [{ ...rules, channels: { a: "one" } }, false],
    [{ ...rules, rules: { stale: "off", "known-type": { severity: "error" } } }, true],
    [{ ...rules, rules: { stale: "on" } }, false],
    [
      {
        ...rules,
        rules: { stale: { options: { days: 30 }, select: { types: ["SMS"], names: ["a*"], ids: [1, "2"] } } },
      },
      true,
    ],
    [{ ...rules, rules: { stale: { options: { days: 0 } } } }, false],
    [{ ...rules, rules: { stale: { options: { dayz: 1 } } } }, false],
    [{ ...rules, rules: { stale: { select: { types: [] } } } }, false],
    [{ ...rules, rules: { "allowed-types": { options: { types: ["EMAIL"] } } } }, true],
    [{ ...rules, rules: { "allowed-types": "error" } }, false],
    [{ ...rules, rules: { "allowed-types": "off" } }, true],
    [{ ...rules, waivers: [waiver] }, true],
    [{ ...rules, waivers: [{ ...waiver, expires: "soon" }] }, false],
    [{ ...rules, waivers: [{ ...waiver, owner: undefined }] }, false],
    [
      { customRules: [{ id: "a", title: "b", path: "type", equals: "EMAIL", select: { types: ["EMAIL"] } }] },
      true,
    ],
    [
      { customRules: [{ id: "a", title: "b", schema: { properties: { type: { not: { const: "SMS" } } } } }] },
      true,
    ],
    [{ customRules: [{ id: "a", title: "b", schema: { properties: { type: { nott: {} } } } }] }, false],
    [{ customRules: [{ id: "A b", title: "b", path: "type", exists: true }] }, false],
    [{ ...rules, extra: 1 }, false],
    [[], false],
  ])("%j: %s", (value, isGood) => {
    expect({ byEditor: validate(JSON.parse(JSON.stringify(value))), byAudit: accepts(value) }).toEqual({
      byEditor: isGood,
      byAudit: isGood,
    });
  });

  test("each key, and each rule, is explained to who hovers over it", () => {
    const { properties } = published("audit.schema.json") as {
      properties: Record<string, { description?: string; properties?: object }>;
    };
    for (const [key, { description }] of Object.entries(properties))
      expect([key, description]).toEqual([key, expect.stringMatching(/\.$/)]);
    for (const rule of Object.values(properties.rules?.properties ?? {}))
      expect(rule).toHaveProperty("description", expect.stringMatching(/^[A-Z].*\. [A-Z].*\.$/));
  });
});
