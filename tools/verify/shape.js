const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const { Session } = require("node:inspector/promises");
const os = require("node:os");
const path = require("node:path");
const { Writable } = require("node:stream");
const { fileURLToPath } = require("node:url");
const { filesUnder, root } = require("../setup");
const { command } = require("../setup/command");
const { rowOf, textTable } = require("../tables");
const { moduleOf, modules } = require("./dependencyRules");

/** @typedef {import("../tables").Figure} Figure */
/** @typedef {{file: string, text: string, lines: number}} Source */

const folders = [...new Set(Object.keys(modules).map((name) => name.split("/")[0] ?? ""))];
const relativeImport = /(?:^(?:import|export)\b[^;]*?from |\bimport\()"(\.[^"]*)"/gm;
const halfSentence = /^\/\*\*\s*(?:\* )?(What|Which|Why|Whether|How|Of|By|Where|When|The|An?|In place)\b/;

/** @param {string} what @param {number} value @param {number} most @param {string} [unit] @returns {Figure} */
function atMost(what, value, most, unit = "") {
  const text = Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(1);
  return {
    what,
    measured: `${text}${unit}`,
    bar: `<= ${most.toLocaleString("en")}${unit}`,
    met: value <= most,
  };
}

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

/** @param {string} file */
const linesOf = (file) => fs.readFileSync(path.join(root, file), "utf8").split("\n").length - 1;

/** @param {string} folder @param {RegExp} names @returns {Source[]} */
function sourcesIn(folder, names) {
  const files = filesUnder(path.join(root, folder)).filter((file) => names.test(file));
  return files.map((file) => ({
    file: path.relative(root, file).replaceAll("\\", "/"),
    text: fs.readFileSync(file, "utf8"),
    lines: linesOf(path.relative(root, file)),
  }));
}

/** @param {readonly Source[]} sources @returns {Figure[]} */
function figuresOfSources(sources) {
  const names = new Set(sources.map(({ file }) => file));
  const lines = sum(sources.map((source) => source.lines));
  const share = (100 * sum(sources.map((source) => (source.lines >= 200 ? source.lines : 0)))) / lines;
  const imports = sources.flatMap(({ file, text }) =>
    [...text.matchAll(relativeImport)].map(([, name = ""]) => {
      const target = path.posix.join(path.posix.dirname(file), name);
      return { file, target: [`${target}.ts`, `${target}/index.ts`].find((each) => names.has(each)) ?? file };
    }),
  );
  const between = imports.filter(({ file, target }) => moduleOf(file) !== moduleOf(target));
  const pastFaces = between.filter(({ target }) => moduleOf(target) !== target.replace(/\/index\.ts$/, ""));
  const half = sources.filter(({ text }) => halfSentence.test(/^\/\*\*[^]*/m.exec(text)?.[0] ?? ""));
  if (process.argv.includes("--list")) {
    for (const { file, target } of pastFaces) console.log(`${file} imports ${target}, past its face`);
    for (const { file } of half) console.log(`${file} has half a sentence as its header`);
  }
  return [
    atMost("product files", sources.length, 155),
    atMost("folders", new Set(sources.map(({ file }) => path.dirname(file))).size, 24),
    atMost("relative imports per 100 lines", (100 * imports.length) / lines, 3.1),
    atMost("lines in files of less than 200", 100 - share, 50, " %"),
    atMost("lines of the biggest file", Math.max(...sources.map((source) => source.lines)), 600),
    atMost("imports between modules that pass a face", (100 * pastFaces.length) / between.length, 12, " %"),
    atMost("headers that are half a sentence", half.length, 0),
  ];
}

/** The files that a module of dist/ loads. @param {string} file @param {string[]} args @returns {string[]} paths from the root */
function loadedBy(file, ...args) {
  const print = 'require("node:fs").writeSync(3, JSON.stringify(Object.keys(require.cache)))';
  const code = `process.once("exit", () => ${print}); require(${JSON.stringify(path.join(root, "dist", file))})`;
  const { output } = spawnSync(process.execPath, ["-e", code, "monitoring", ...args], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
    encoding: "utf8",
  });
  /** @type {string[]} */
  const files = JSON.parse(output[3] ?? "[]");
  return files.map((each) => path.relative(root, each).replaceAll("\\", "/"));
}

/** @returns {Figure[]} */
function figuresOfLoading() {
  const ofProgram = loadedBy("sdk/index.js");
  const command = loadedBy("cli/monitoring.js", "--version").filter((file) => file.startsWith("dist/"));
  const heavy = ofProgram.filter((file) => /^node_modules\/(zod|axios)\//.test(file));
  return [
    atMost(
      "files that a program's import loads",
      ofProgram.filter((file) => file.startsWith("dist/")).length,
      30,
    ),
    atMost("of these, files of zod and axios", heavy.length, 0),
    atMost(
      "lines that `monitoring --version` loads",
      sum(command.filter((file) => file.endsWith(".js")).map((file) => linesOf(sourceOf(file)))),
      1_805,
    ),
  ];
}

/** @param {string} file in dist/ */
const sourceOf = (file) => file.replace("dist/", "").replace(/\.js$/, ".ts");

/** @typedef {(round: number) => Promise<unknown>} Run */

/** @param {string[]} parts @returns {any} */
const built = (...parts) => require(path.join(root, "dist", ...parts));

const none = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * The journeys, each with its limit.
 * @param {string} folder for files
 * @param {string} incidentId
 * @returns {Promise<{what: string, most: number, run: Run}[]>}
 */
async function journeysOf(folder, incidentId) {
  const pulumi = require("@pulumi/pulumi");
  await pulumi.runtime.setMocks({
    newResource: ({ inputs }) => ({ id: "1", state: inputs }),
    call: ({ inputs }) => inputs,
  });
  const sdk = built("sdk");
  const dynamic = built("provider", "dynamic").IncidentUpdate;
  await dynamic.configure({ config: { get: () => undefined } });
  const plugin = await configuredPlugin();
  const rules = path.join(folder, "rules.yaml");
  fs.writeFileSync(rules, "extends: recommended\n");
  const recorded = `node ${path.join(root, "tools", "generate", "recordedPulumi.js")}`;
  const { parse } = built("cli", "command");
  const { audit, preview } = built("cli", "definitions");
  const context = () => ({ environment: process.env, stdout: none(), stderr: none(), now: new Date() });
  const declaration = (/** @type {string} */ description) => ({
    incidentId,
    status: "MONITORING",
    description,
  });
  return [
    {
      what: "an incident update (dynamic)",
      most: 40,
      run: async (round) => {
        const news = { ...declaration(`update ${round}`), __resource: `name-${round}`, __provider: "x" };
        await dynamic.create((await dynamic.check({}, news)).inputs);
      },
    },
    {
      what: "an incident update (native)",
      most: 42,
      run: (round) => plugin(`name-${round}`, declaration(`native ${round}`)),
    },
    {
      what: "a read of status pages",
      most: 20,
      run: (round) =>
        new Promise((resolve) => sdk.getStatusPagesOutput({ limit: 50 + round }).apply(resolve)),
    },
    {
      what: "an audit to SARIF",
      most: 45,
      run: () =>
        built("cli", "audit").runAudit(parse(audit, ["--rules", rules, "--format", "sarif"]), context()),
    },
    {
      what: "the comment of a preview",
      most: 8,
      run: () => built("cli", "preview").runPreview(parse(preview, ["--pulumi", recorded]), context()),
    },
  ];
}

/** Checks and creates a resource by the plugin's calls. @returns {Promise<(name: string, inputs: object) => Promise<void>>} */
async function configuredPlugin() {
  const messages = require("@pulumi/pulumi/proto/provider_pb");
  const { PluginProvider } = built("plugin", "pluginProvider");
  const { writeStruct } = built("plugin", "wire");
  const { handlers } = new PluginProvider(undefined);
  /** @param {string} name @param {unknown} request @returns {Promise<any>} */
  const call = (name, request) =>
    new Promise((resolve, reject) => {
      handlers[name]({ request }, (/** @type {Error | null} */ error, /** @type {unknown} */ response) =>
        error ? reject(error) : resolve(response),
      );
    });
  await call("configure", new messages.ConfigureRequest().setArgs(writeStruct({})));
  return async (name, inputs) => {
    const urn = `urn:pulumi:dev::p::monitoring:index:IncidentUpdate::${name}`;
    const check = new messages.CheckRequest().setUrn(urn).setNews(writeStruct(inputs));
    const checked = await call("check", check);
    await call("create", new messages.CreateRequest().setUrn(urn).setProperties(checked.getInputs()));
  };
}

/** The files in whose functions the second run is. @param {Session} session @param {Run} run */
async function filesOf(session, run) {
  await run(0);
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await run(1);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  const own = result.filter(({ url }) => url.startsWith("file:"));
  return own.filter(({ url, functions }) => {
    const file = path.relative(root, fileURLToPath(url)).replaceAll("\\", "/");
    const called = functions.filter(({ functionName, ranges: [range] }) => {
      const isModule = functionName === "" && range?.startOffset === 0;
      return (range?.count ?? 0) > 0 && !isModule;
    });
    return /^dist\/(?!sandbox\/)/.test(file) && called.length > 0;
  });
}

/**
 * Counts the files of the product in which a function runs on a user's journeys, by V8's coverage of a second, warm run.
 * @returns {Promise<Figure[]>}
 */
async function figuresOfJourneys() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "journeys-"));
  /** @type {typeof import("../../sandbox")} */
  const { startSandbox, wellKnown } = built("sandbox");
  const sandbox = await startSandbox();
  const session = new Session();
  session.connect();
  Object.assign(process.env, {
    MONITORING_BASE_URL: sandbox.url,
    MONITORING_API_KEY: sandbox.apiKey,
    MONITORING_LOCK_DIRECTORY: folder,
    MONITORING_ALERT_CHANNELS: JSON.stringify({ "on-call": wellKnown.alertChannels.onCall }),
  });
  const figures = [];
  try {
    for (const { what, most, run } of await journeysOf(folder, wellKnown.statusPageIncidents.checkoutLatency))
      figures.push(atMost(`files in which ${what} runs`, (await filesOf(session, run)).length, most));
  } finally {
    session.disconnect();
    await sandbox.close();
    fs.rmSync(folder, { recursive: true });
  }
  return figures;
}

/**
 * `npm run verify -- shape`: prints the figures of the product's shape, each with its limit; `--list` also names imports that pass a face, and headers. It needs what
 * `npm run build` writes.
 */
command(async () => {
  const figures = [
    ...figuresOfSources(folders.flatMap((folder) => sourcesIn(folder, /\.ts$/))),
    atMost("lines of dependency rules", linesOf("tools/verify/dependencyRules.js"), 100),
    ...figuresOfLoading(),
    ...(await figuresOfJourneys()),
  ];
  console.log(textTable([["figure", "measured", "required", "result"], ...figures.map(rowOf)]));
  return figures.every(({ met }) => met !== false) ? 0 : 1;
});
