require("../setup/nodeVersion");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { argumentsOf, command } = require("../setup/command");
const { pathKey } = require("../setup/engine/usable");
const { Project } = require("../pulumi/project");
const { prepare, root } = require("../setup");
const { SetupFailure } = require("../setup/failure");
const { npm } = require("../setup/npm");
const { run } = require("../setup/run");
const { textTable } = require("../tables/table");

/** Those that .github/workflows/ci.yml runs everything on. */
const promised = ["20", "22", "24", "26"];
const adapters = ["dynamic", "plugin"];
/** The tests whose code depends on Node: HTTP, files, and the provider processes of both adapters. */
const folders = ["client", "protocol", "publishing", "driver"].map((name) => `test/${name}`);

/**
 * `npm run test:versions`: the quick start by each adapter, and the tests of some folders, under each promised version of
 * Node, or those that are named. Each comes from the npm package `node`, into a temporary folder.
 */
command(async () => {
  const { names } = argumentsOf("version", Object.fromEntries(promised.map((name) => [name, name])), {});
  await prepare();
  const rows = [["Node", ...adapters, "tests"]];
  let failed = 0;
  for (const name of names) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "node-"));
    try {
      const node = await installed(name, folder);
      const results = [];
      for (const adapter of adapters) results.push(await quickStart(node, adapter));
      results.push(await tests(node, path.join(folder, "results.json")));
      failed += results.filter(({ ok }) => !ok).length;
      rows.push([node.version, ...results.map(({ text }) => text)]);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
    console.log(`${textTable(rows)}\n`);
  }
  return failed === 0 ? 0 : 1;
});

/** @typedef {{program: string, version: string, env: NodeJS.ProcessEnv}} Node env: with it first on the PATH */
/** @typedef {{ok: boolean, text: string}} Result */

/** @param {string} name @param {string} folder @returns {Promise<Node>} */
async function installed(name, folder) {
  const { ok, output } = await npm(["install", "--prefix", folder, `node@${name}`], { cwd: folder });
  if (!ok) throw new SetupFailure(`Node ${name} can't be installed:\n${output.trim()}`);
  const bin = path.join(folder, "node_modules", "node", "bin");
  const program = path.join(bin, process.platform === "win32" ? "node.exe" : "node");
  const { stdout: version } = await run(program, ["--print", "process.versions.node"]);
  const key = pathKey(process.env);
  const env = { ...process.env, [key]: `${bin}${path.delimiter}${process.env[key]}` };
  return { program, version: version.trim(), env };
}

/** Posts the update of the quick start once, without a warning of Node. @param {Node} node @param {string} adapter @returns {Promise<Result>} */
async function quickStart({ version, env }, adapter) {
  /** @type {typeof import("../../sandbox")} */
  const { startSandbox, wellKnown } = require(path.join(root, "dist", "sandbox"));
  const text = fs.readFileSync(path.join(root, "examples", "quickstart", "index.ts"), "utf8");
  const imported = adapter === "plugin" ? text.replace('service";', 'service/native";') : text;
  const project = await Project.create({
    program: `${imported}\nexport const node = process.versions.node;\n`,
    language: "typescript",
  });
  const sandbox = await startSandbox();
  try {
    if (adapter === "plugin") project.declarePlugin();
    project.env[pathKey(project.env)] = env[pathKey(env)];
    await project.configure({
      "monitoring:baseUrl": sandbox.url,
      "monitoring:accountId": sandbox.accountId,
      "monitoring:apiKey!": sandbox.apiKey,
      "monitoring:alertChannels": JSON.stringify({ "on-call": wellKnown.alertChannels.onCall }),
      "test:incidentId": wellKnown.statusPageIncidents.checkoutLatency,
    });
    const up = await project.up();
    const preview = await project.preview("--expect-no-changes");
    const posts = sandbox.requests.filter(({ applied }) => applied).length;
    const output = up.output + preview.output;
    const ok = up.ok && preview.ok && posts === 1 && output.includes(version) && !/warning/i.test(output);
    if (!ok) console.log(`Node ${version}, ${adapter}, ${posts} posts:\n${output}`);
    return { ok, text: ok ? "works" : "fails" };
  } finally {
    await sandbox.close();
    project.remove();
  }
}

/** @param {Node} node @param {string} file for the results @returns {Promise<Result>} */
async function tests({ program, env }, file) {
  const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
  const args = [jest, "--ci", "--json", "--outputFile", file, ...folders];
  const { ok, output } = await run(program, args, { cwd: root, env });
  if (!ok) console.log(output);
  const { numPassedTests, numFailedTests } = JSON.parse(fs.readFileSync(file, "utf8"));
  const text = numFailedTests === 0 ? `${numPassedTests} passed` : `${numFailedTests} failed`;
  return { ok: ok && numPassedTests > 0, text };
}
