import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { rows } from "../audit/table";
import { audit, auditSandbox, fileWith } from "./auditing";

const ids = wellKnown.alertChannels;
const silence = "rules: { send-failure: error }\n";
const named = `${silence}channels: { on-call: ${ids.onCall}, mail: ${ids.operationsMail} }\n`;

describe("invalid input: exit code 2, a line for each mistake, no output, no request", () => {
  test.each<[string, string, string[], Record<string, string>, RegExp]>([
    [
      "mistakes in the rule file",
      "rules: { send-falure: error, stale: on }\n",
      [],
      {},
      /^\S+audit\.yaml:1:10: rules\.send-falure is not known \(did you mean "send-failure"\?\)\n\S+:1:37: rules\.stale must be .*\n$/,
    ],
    [
      "neither id nor name",
      named,
      ["--channel", "on-cal", "--channel", "../x"],
      {},
      /^--channel "on-cal" is neither an id nor a name \(did you mean "on-call"\?\)\.\n--channel "\.\.\/x" is neither an id nor a name; names are on-call, mail\.\n$/,
    ],
    [
      "no channel at all",
      silence,
      [],
      {},
      /^There is no channel to audit: name them under channels in .*audit\.yaml or in MONITORING_ALERT_CHANNELS, or give --channel ID\.\n$/,
    ],
    [
      "no key",
      named,
      [],
      { MONITORING_API_KEY: "" },
      /^Configuration: MONITORING_API_KEY is missing: run `export MONITORING_API_KEY=…`\.\n$/,
    ],
    [
      "wrong names in the environment",
      named,
      [],
      { MONITORING_ALERT_CHANNELS: "x" },
      /^Configuration: MONITORING_ALERT_CHANNELS must be a JSON object/,
    ],
    [
      "outputs that can't be written",
      named,
      ["--format", "json", "--output", "no/where.json", "--format", "html", "--output", "."],
      {},
      /^no\/where\.json can't be written: no such file or directory\n\. can't be written: it is a directory\n$/,
    ],
  ])("%s", async (_, rules, args, variables, expected) => {
    const { code, stdout, stderr, sandbox } = await auditSandbox(rules, args, { variables });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(expected);
    expect(sandbox.requests).toEqual([]);
  });

  test.each([
    ["nowhere.yaml", "nowhere.yaml can't be read: no such file or directory\n"],
    ["test", "test can't be read: illegal operation on a directory\n"],
    ["nowhere.cjs", expect.stringMatching(/^nowhere\.cjs can't be loaded: Cannot find module .*\n$/)],
  ])("not a rule file: %s", async (file, stderr) => {
    expect(await audit(["--rules", file])).toEqual({ code: 2, stdout: "", stderr });
  });

  test("a rule file in UTF-16", async () => {
    const file = fileWith(Buffer.from("\ufeffextends: strict\n", "utf16le"));
    const { code, stderr } = await audit(["--rules", file]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${file} can't be read: it is not UTF-8\n` });
  });

  test.each(
    rows(`
     → --rules FILE is required.
    --rules x --format jsn → --format must be one of text, json, markdown, sarif, junit, html, not "jsn".
    --rules x --fail-on warn → --fail-on must be one of error, warning, never, not "warn".
    --rules x --output y → --output y needs a --format before it.
    --rules x --format json --output y --output z → --format json has more than one --output.
    --rules x --format json --format html → Only one --format can go to standard output: give the others an --output FILE.
    --rules x --format json --output y --format html --output y → --output y is given twice.
    --rules x --format json --output y --format html --output ./y → --output ./y is given twice.
    --rules x --format json --output= → --output must not be empty.
    --rules x.yaml --format json --output ./x.yaml → --output ./x.yaml is the file of --rules.
    --rules x --state s.json --format json --output s.json → --output s.json is the file of --state.
    --rules x --chanel 1 → Unknown option '--chanel'
    --rules x --rules y → --rules can be given only once.
    --rules x --fail-on error --fail-on=never → --fail-on can be given only once.`),
  )("invalid usage: %s", async (args = "", message = "") => {
    await expect(audit(args.split(" ").filter(Boolean))).rejects.toThrow(message);
  });
});

describe("rules as a module", () => {
  const audited = join(__dirname, "..", "..", "audit");
  const channels = `{ mail: ${ids.operationsMail} }`;

  test("may contain rules from defineRule", async () => {
    const module = `
      const { defineRule } = require(${JSON.stringify(audited)});
      exports.default = {
        channels: ${channels},
        customRules: [defineRule({
          id: "no-mail", title: "Nobody mails", why: "No.", fix: "Call.", severity: "error",
          check: () => ({ type }) => (type === "EMAIL" ? [{ field: "type", actual: type, expected: "CALL" }] : []),
        })],
      };`;
    const { code, stdout } = await auditSandbox(module, [], { name: "rules.cjs" });
    expect(code).toBe(1);
    expect(stdout).toContain(`error  ${ids.operationsMail} mail  no-mail  type: EMAIL, expected CALL\n`);
  });

  test("that throw are one line with the rule and its file, without a report", async () => {
    const rule = `{ id: "mine", title: "t", why: "w", fix: "f", check: () => ({ config }) => config.no.thing }`;
    const module = `
      const { defineRule } = require(${JSON.stringify(audited)});
      module.exports = { channels: ${channels}, customRules: [defineRule(${rule})] };`;
    const { sandbox, file, ...ended } = await auditSandbox(module, [], { name: "rules.cjs" });
    expect(sandbox.requests).toHaveLength(1);
    const reason = "Cannot read properties of undefined (reading 'thing')";
    const stderr = `${file}:1:1: the rule mine fails on channel ${ids.operationsMail}: ${reason}\n`;
    expect(ended).toEqual({ code: 2, stdout: "", stderr });
  });

  test("are located at the start of their file, as code scanning requires", async () => {
    const module = `module.exports = { rules: { "send-failure": "error" }, channels: ${channels} };`;
    const { stdout, file } = await auditSandbox(module, ["--format", "sarif"], { name: "rules.cjs" });
    const { runs } = JSON.parse(stdout) as { runs: { results: { locations: object[] }[] }[] };
    expect(runs[0]?.results[0]?.locations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: file }, region: { startLine: 1, startColumn: 1 } } },
    ]);
  });

  test("in TypeScript have to be compiled", async () => {
    const file = fileWith("export default { extends: 'recommended' };\n", "audit.ts");
    expect(await audit(["--rules", file])).toEqual({
      code: 2,
      stdout: "",
      stderr: `${file} can't be loaded: it is TypeScript; compile it, and use the .js file\n`,
    });
  });

  test.each([
    ["throw new Error('broken\\nmore')", /^\S+rules\.cjs can't be loaded: broken\n$/],
    [
      "module.exports = { rules: { stael: 'off' } }",
      /^\S+rules\.cjs: rules\.stael is not known \(did you mean "stale"\?\)\n$/,
    ],
  ])("with a mistake: %s", async (code, expected) => {
    const ended = await audit(["--rules", fileWith(code, "rules.cjs")]);
    expect(ended).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(expected) as string });
  });
});
