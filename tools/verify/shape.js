const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const { Session } = require("node:inspector/promises");
const os = require("node:os");
const path = require("node:path");
const { Writable } = require("node:stream");
const { fileURLToPath } = require("node:url");
const { root } = require("../setup");
const { command } = require("../setup/run");
const { rowOf, textTable } = require("../tables");
const { mistakeIn, moduleOf } = require("./dependencyRules");
const { importsIn, product } = require("./imports");

/** @typedef {import("../tables").Figure} Figure */

const halfSentence = /^\/\*\*\s*(?:\* )?(What|Which|Why|Whether|How|Of|By|Where|When|The|An?|In place)\b/;

/** @param {string} what @param {number} value @param {number} most @returns {Figure} */
function atMost(what, value, most) {
  const measured = Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(1);
  return { what, measured, bar: `<= ${most.toLocaleString("en")}`, met: value <= most };
}

/** @param {string} file */
const textOf = (file) => fs.readFileSync(path.join(root, file), "utf8");

/** @param {string} text */
const linesIn = (text) => text.split("\n").length - 1;

/** @param {string} file absolute */
const fromRoot = (file) => path.relative(root, file).replaceAll("\\", "/");

/** The imports that the rules forbid. @param {ReturnType<typeof importsIn>} graph */
function forbiddenImports(graph) {
  return [...graph].flatMap(([from, imports]) =>
    imports.flatMap(({ name, file }) => {
      const mistake = mistakeIn(from, name, file);
      return mistake === undefined ? [] : `${from} imports ${name}: ${mistake}`;
    }),
  );
}

/** @param {ReturnType<typeof importsIn>} graph @returns {Figure[]} */
function figuresOfSources(graph) {
  const sources = [...graph.keys()].filter(
    (file) => file.endsWith(".ts") && product.includes(file.split("/")[0] ?? ""),
  );
  const lines = new Map(sources.map((file) => [file, linesIn(textOf(file))]));
  const most = Math.max(...lines.values());
  const biggest = sources.find((file) => lines.get(file) === most);
  const imports = sources.flatMap((file) =>
    (graph.get(file) ?? []).flatMap(({ file: target }) => (target === undefined ? [] : { file, target })),
  );
  const between = imports.filter(({ file, target }) => moduleOf(file) !== moduleOf(target));
  const pastFaces = between.filter(({ target }) => moduleOf(target) !== target.replace(/\/index\.ts$/, ""));
  const half = sources.filter((file) => halfSentence.test(/^\/\*\*[^]*/m.exec(textOf(file))?.[0] ?? ""));
  return [
    atMost("folders", new Set(sources.map((file) => path.dirname(file))).size, 22),
    atMost(`lines of the biggest file, ${biggest}`, most, 490),
    atMost(
      "percent of imports between modules that pass a face",
      (100 * pastFaces.length) / between.length,
      8.5,
    ),
    atMost(["headers that are half a sentence", ...half].join(" "), half.length, 0),
  ];
}

/** How many rows of the benchmarks are older than the release before the last one. */
function oldRows() {
  const released = [...textOf("CHANGELOG.md").matchAll(/^## [\d.]+ - (\d{4}-\d\d-\d\d)$/gm)];
  const [, before = ""] = released
    .map(([, date]) => date)
    .sort()
    .reverse();
  const dates = [...textOf("tools/bench/README.md").matchAll(/^\|.*\| +(\d{4}-\d\d-\d\d) \|/gm)];
  return dates.filter(([, date = ""]) => date < before).length;
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
  return files.map(fromRoot);
}

/** @returns {Figure[]} */
function figuresOfLoading() {
  const ofProgram = loadedBy("sdk/index.js");
  const heavy = ofProgram.filter((file) => /^node_modules\/(zod|axios)\//.test(file));
  const own = ofProgram.filter((file) => file.startsWith("dist/"));
  const ofCommand = loadedBy("cli/monitoring.js", "--version").filter((file) => /^dist\/.*\.js$/.test(file));
  const sources = ofCommand.map((file) => textOf(file.replace("dist/", "").replace(/\.js$/, ".ts")));
  return [
    atMost("files that a program's import loads", own.length, 24),
    atMost("of these, files of zod and axios", heavy.length, 0),
    atMost("lines that `monitoring --version` loads", linesIn(sources.join("")), 1_350),
  ];
}

/** @typedef {(round: number) => Promise<unknown>} Run */

/** @param {string[]} parts @returns {any} */
const built = (...parts) => require(path.join(root, "dist", ...parts));

const none = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * The journeys, each with its limit.
 * @param {string} incidentId
 * @returns {Promise<{what: string, most: number, run: Run}[]>}
 */
async function journeysOf(incidentId) {
  const pulumi = require("@pulumi/pulumi");
  await pulumi.runtime.setMocks({
    newResource: ({ inputs }) => ({ id: "1", state: inputs }),
    call: ({ inputs }) => inputs,
  });
  const sdk = built("sdk");
  const dynamic = built("provider", "dynamic").IncidentUpdate;
  await dynamic.configure({ config: { get: () => undefined } });
  const plugin = await configuredPlugin();
  const recorded = `node ${path.join(root, "tools", "generate", "recordedPulumi.js")}`;
  const { parse } = built("cli", "command");
  const { preview } = built("cli", "definitions");
  const context = () => ({ environment: process.env, stdout: none(), stderr: none(), now: new Date() });
  const declaration = (/** @type {string} */ description) => ({
    incidentId,
    status: "MONITORING",
    description,
  });
  return [
    {
      what: "an incident update (dynamic)",
      most: 34,
      run: async (round) => {
        const news = { ...declaration(`update ${round}`), __resource: `name-${round}`, __provider: "x" };
        await dynamic.create((await dynamic.check({}, news)).inputs);
      },
    },
    {
      what: "an incident update (native)",
      most: 36,
      run: (round) => plugin(`name-${round}`, declaration(`native ${round}`)),
    },
    {
      what: "a read of status pages",
      most: 20,
      run: (round) =>
        new Promise((resolve) => sdk.getStatusPagesOutput({ limit: 50 + round }).apply(resolve)),
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
    const file = fromRoot(fileURLToPath(url));
    const isCalled = functions.some(({ functionName, ranges: [range] }) => {
      const isModule = functionName === "" && range?.startOffset === 0;
      return (range?.count ?? 0) > 0 && !isModule;
    });
    return /^dist\/(?!sandbox\/)/.test(file) && isCalled;
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
    for (const { what, most, run } of await journeysOf(wellKnown.statusPageIncidents.checkoutLatency))
      figures.push(atMost(`files in which ${what} runs`, (await filesOf(session, run)).length, most));
  } finally {
    session.disconnect();
    await sandbox.close();
    fs.rmSync(folder, { recursive: true });
  }
  return figures;
}

/**
 * `npm run verify -- shape`: checks what each file imports, and prints the figures of the product's shape, each with its limit. It needs
 * what `npm run build` writes.
 */
command(async () => {
  const graph = importsIn([...product, "examples", "test", "tools"]);
  const forbidden = forbiddenImports(graph);
  for (const line of forbidden) console.log(line);
  const figures = [
    ...figuresOfSources(graph),
    ...figuresOfLoading(),
    ...(await figuresOfJourneys()),
    atMost("imports that the rules forbid", forbidden.length, 0),
    atMost("rows of benchmarks older than the release before the last", oldRows(), 0),
  ];
  console.log(textTable([["figure", "measured", "required", "result"], ...figures.map(rowOf)]));
  if (figures.every(({ met }) => met !== false)) return 0;
  console.log('"A limit of the code" in CONTRIBUTING.md says what to do about a limit that is missed.');
  return 1;
});
