require("../setup/nodeVersion");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { createInterface } = require("node:readline");
const { parse } = require("yaml");
const { version } = require("../../package.json");
const { freePort } = require("../setup/backends");
const { SetupFailure, command } = require("../setup/command");
const { prepare, root } = require("../setup");
const { handOver, npm, run, say, step } = require("../setup/run");

/** @typedef {{run?: string, uses?: string, with?: Record<string, string>}} Step */

const verdaccio = "6.8.0";

/**
 * `npm run rehearse`: runs the steps of the release workflow on what is committed, publishes to a registry on this machine, and leads
 * a reader through the quick start, by the name of the package. `--checks` also runs the workflow's checks.
 */
command(async () => {
  await prepare();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rehearsal-"));
  const registry = await startRegistry(path.join(folder, "registry"));
  try {
    const releases = path.join(folder, "releases");
    await runWorkflow(folder, { ...environmentOf(registry.url, folder), RELEASES: releases });
    const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
    const env = { TEST_TIER: "rehearsal", REHEARSED_REGISTRY: registry.url, REHEARSED_RELEASE: releases };
    return await handOver(process.execPath, [jest], { cwd: root, env: { ...process.env, ...env } });
  } finally {
    registry.end();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

/** Where the steps run: at GitHub, as they believe, for the registry, and with a `gh` that keeps the files of the release. @param {string} registry @param {string} folder */
function environmentOf(registry, folder) {
  const bin = path.join(folder, "bin");
  fs.mkdirSync(bin);
  fs.mkdirSync(path.join(folder, "releases"));
  const gh = '#!/bin/sh\nfor each; do if [ -f "$each" ]; then cp "$each" "$RELEASES"; fi; done\n';
  fs.writeFileSync(path.join(bin, "gh"), gh, { mode: 0o755 });
  const settings = path.join(folder, "npmrc");
  fs.writeFileSync(
    settings,
    `registry=${registry}\n${registry.replace("http:", "")}/:_authToken=rehearsal\n`,
  );
  return {
    PATH: `${bin}${path.delimiter}${process.env.PATH}`,
    NPM_CONFIG_USERCONFIG: settings,
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "owner/repository",
    GITHUB_REF_NAME: `v${version}`,
  };
}

/** Runs the jobs in their order, each in a folder of its own. @param {string} folder @param {Record<string, string>} settings */
async function runWorkflow(folder, settings) {
  const file = path.join(root, ".github", "workflows", "release.yml");
  /** @type {{jobs: Record<string, {steps: Step[]}>}} */
  const { jobs } = parse(fs.readFileSync(file, "utf8"));
  const env = { ...process.env, npm_config_registry: undefined, ...settings };
  for (const [job, { steps }] of Object.entries(jobs)) {
    const cwd = path.join(folder, job);
    fs.mkdirSync(cwd);
    for (const each of steps) await runStep(job, each, cwd, path.join(folder, "artifacts"), env);
  }
}

/** @param {string} job @param {Step} each @param {string} cwd @param {string} artifacts @param {NodeJS.ProcessEnv} env */
async function runStep(job, { run: script, uses = "", with: inputs = {} }, cwd, artifacts, env) {
  const artifact = path.join(artifacts, inputs.name ?? "");
  /** What actions of GitHub do. @type {Record<string, string>} */
  const actions = {
    "actions/checkout": `git clone --quiet "${root}" .`,
    "actions/upload-artifact": `mkdir -p "${artifact}" && cp -r ${inputs.path?.replace(/\/$/, "/.")} "${artifact}"`,
    "actions/download-artifact": `mkdir -p "${inputs.path ?? "."}" && cp -r "${artifact}/." "${inputs.path ?? "."}"`,
  };
  const isLong = script === ".ci/run" && !process.argv.includes("--checks");
  const does = isLong
    ? "npm ci --ignore-scripts --no-audit --no-fund"
    : (script ?? actions[uses.split("@")[0] ?? ""]);
  const title = `${job}: ${isLong ? `${does}, in place of .ci/run` : (script ?? uses).trim().split("\n")[0]}`;
  if (does === undefined) {
    say(`${title}: left out, needs GitHub`);
    return;
  }
  const { ok, output } = await step(title, "up to a minute", () =>
    run("bash", ["-e", "-c", does], { cwd, env }),
  );
  if (!ok) throw new SetupFailure(`The step failed:\n${output.trim()}`);
}

/** Starts a registry that has what this machine's registry has, and takes this package from anybody. @param {string} folder */
async function startRegistry(folder) {
  const cache = path.join(root, "node_modules", ".cache", `verdaccio-${verdaccio}`);
  const program = path.join(cache, "node_modules", "verdaccio", "bin", "verdaccio");
  if (!fs.existsSync(program)) {
    fs.mkdirSync(cache, { recursive: true });
    // Its own version of node-fetch isn't everywhere to be had.
    fs.writeFileSync(path.join(cache, "package.json"), '{"private":true,"overrides":{"node-fetch":"2.7.0"}}');
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", `verdaccio@${verdaccio}`];
    const { ok, output } = await npm(args, { cwd: cache });
    if (!ok) throw new SetupFailure(`The registry could not be installed:\n${output.trim()}`);
  }
  const { stdout } = await npm(["config", "get", "registry"], { cwd: root });
  const anybody = { access: "$all", publish: "$all" };
  const config = {
    storage: path.join(folder, "storage"),
    uplinks: { behind: { url: stdout.trim() } },
    packages: { "pulumi-monitoring-service": anybody, "**": { access: "$all", proxy: "behind" } },
    log: { type: "stdout", format: "json", level: "warn" },
  };
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "config.yaml"), JSON.stringify(config));
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = [program, "--config", path.join(folder, "config.yaml"), "--listen", url];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface({ input: server.stdout }))
    if (line.includes("http address")) break;
  server.stdout.resume();
  return { url, end: () => server.kill() };
}
