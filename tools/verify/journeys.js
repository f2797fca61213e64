/** Counts the files of the product in which a function runs on a user's journeys, by V8's coverage of a second, warm run. */
const fs = require("node:fs");
const { Session } = require("node:inspector/promises");
const os = require("node:os");
const path = require("node:path");
const { Writable } = require("node:stream");
const { fileURLToPath } = require("node:url");
const { root } = require("../setup");

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
  const preview = path.join(root, "docs", "pictures", "preview.json");
  const streams = () => ({ stdin: process.stdin, stdout: none(), stderr: none() });
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
        built("cli", "audit").runAudit(["--rules", rules, "--format", "sarif"], {
          ...{ environment: process.env, now: new Date() },
          ...streams(),
        }),
    },
    {
      what: "the comment of a preview",
      most: 6,
      run: () => built("cli", "preview").runPreview([preview], streams()),
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

/** @returns {Promise<{what: string, files: number, most: number}[]>} */
async function journeys() {
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
  const counts = [];
  try {
    for (const { what, most, run } of await journeysOf(folder, wellKnown.statusPageIncidents.checkoutLatency))
      counts.push({ what, files: (await filesOf(session, run)).length, most });
  } finally {
    session.disconnect();
    await sandbox.close();
    fs.rmSync(folder, { recursive: true });
  }
  return counts;
}

module.exports = { journeys };
