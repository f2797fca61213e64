import { cases, rows } from "../../audit/table";
import { audit, auditSandbox, fileWith, ids, named, silence } from "./auditing";

test.each(
  cases<{ rules?: string; args?: string[]; variables?: Record<string, string> }>(`
  { rules: "rules: { send-falure: error, stale: on }" } → FILE:1:10: rules.send-falure is not known (did you mean "send-failure"?) ; FILE:1:37: rules.stale must be one of off, warning, error
  { args: [--channel, on-cal, --channel, ../x] } → --channel "on-cal" is neither an id nor a name (did you mean "on-call"?). ; --channel "../x" is neither an id nor a name; names are on-call, mail.
  { rules: "${silence.trim()}" } → There is no channel to audit: name them under channels in FILE or in MONITORING_ALERT_CHANNELS, or give --channel ID.
  { variables: { MONITORING_API_KEY: "" } } → Configuration: MONITORING_API_KEY is missing: run \`export MONITORING_API_KEY=…\`.
  { variables: { MONITORING_ALERT_CHANNELS: x } } → Configuration: MONITORING_ALERT_CHANNELS must be a JSON object of ids by name, such as {"on-call": 200123}.
  { args: [--format, json, --output, no/where.json, --format, html, --output, .] } → no/where.json can't be written: no such file or directory ; . can't be written: it is a directory`),
)(
  "invalid input: exit code 2, a line for each mistake, no request: %s",
  async (_, { rules = named, args, variables }, lines) => {
    const { file, sandbox, ...ended } = await auditSandbox(rules, args, { variables });
    const stderr = lines.map((line) => `${line.replace("FILE", file)}\n`).join("");
    expect(ended).toEqual({ code: 2, stdout: "", stderr });
    expect(sandbox.requests).toEqual([]);
  },
);

test.each([
  ["nowhere.yaml", "nowhere.yaml can't be read: no such file or directory\n"],
  ["test", "test can't be read: illegal operation on a directory\n"],
  ["nowhere.cjs", expect.stringMatching(/^nowhere\.cjs can't be loaded: Cannot find module .*\n$/)],
])("not a rule file: %s", async (file, stderr) => {
  expect(await audit(["--rules", file])).toEqual({ code: 2, stdout: "", stderr });
});

test.each([
  ["audit.yaml", Buffer.from("\ufeffextends: strict\n", "utf16le"), " can't be read: it is not UTF-8"],
  [
    "audit.ts",
    "export default {};\n",
    " can't be loaded: it is TypeScript; compile it, and use the .js file",
  ],
  ["audit.yaml", "extends: recommended\na: &a {b: *a}\n", ":2:11: a.b must not contain itself"],
  ["rules.cjs", "throw new Error('broken\\nmore')", " can't be loaded: broken"],
  ["rules.cjs", "exports.rules = { stael: 'off' }", ': rules.stael is not known (did you mean "stale"?)'],
])("a file %s of invalid rules: %s", async (name, content, mistake) => {
  const file = fileWith(content, name);
  expect(await audit(["--rules", file])).toEqual({ code: 2, stdout: "", stderr: `${file}${mistake}\n` });
});

test.each(
  rows(`
   → --rules FILE is required.
  --rules x --format jsn → --format must be one of text, json, markdown, sarif, junit, html, not "jsn" (did you mean "json"?).
  --rules x --fail-on warn → --fail-on must be one of error, warning, not-evaluable, never, not "warn" (did you mean "warning"?).
  --rules x --output y → --output y needs a --format before it.
  --rules x --format json --output y --output z → --format json has more than one --output.
  --rules x --format json --format html → Only one --format can go to standard output: give the others an --output FILE.
  --rules x --format json --output y --format html --output y → --output y is given twice.
  --rules x --format json --output y --format html --output ./y → --output ./y is given twice.
  --rules x --format json --output= → --output must not be empty.
  --rules x.yaml --format json --output ./x.yaml → --output ./x.yaml is the file of --rules.
  --rules x --state s.json --format json --output s.json → --output s.json is the file of --state.
  --rules x.yaml --write-baseline ./x.yaml → --write-baseline ./x.yaml is the file of --rules.
  --rules x --state s.json --write-baseline s.json → --write-baseline s.json is the file of --state.
  --rules x --write-baseline b.json --format json --output b.json → --write-baseline b.json is given twice.
  --rules x --baseline b.json --write-baseline c.json → --write-baseline can't be combined with --baseline.
  --rules x --chanel 1 → Unknown option '--chanel'
  --rules x --rules y → --rules can be given only once.
  --rules x --fail-on error --fail-on=never → --fail-on can be given only once.`),
)("invalid usage: %s", async (args = "", message = "") => {
  await expect(audit(args.split(" ").filter(Boolean))).rejects.toThrow(message);
});

describe("rules as a module", () => {
  const channels = `{ mail: ${ids.operationsMail} }`;
  const auditWith = (module: string, ...args: string[]) => auditSandbox(module, args, { name: "rules.cjs" });

  test("are located at the start of their file, as code scanning requires", async () => {
    const module = `module.exports = { rules: { "send-failure": "error" }, channels: ${channels} };`;
    const { stdout, file } = await auditWith(module, "--format", "sarif");
    const { runs } = JSON.parse(stdout) as { runs: { results: { locations: object[] }[] }[] };
    expect(runs[0]?.results[0]?.locations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: file }, region: { startLine: 1, startColumn: 1 } } },
    ]);
  });
});
