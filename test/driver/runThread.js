/** The thread of runs. A message starts a run with its configuration and environment, or is a call of the current run. */
const path = require("node:path");
const { parentPort } = require("node:worker_threads");
const { root } = require("../../tools/setup");

/** @type {typeof import("../../provider/run")} */
const { Run } = require(path.join(root, "dist", "provider", "run"));
/** @type {typeof import("../../provider/client")} */
const { MonitoringError } = require(path.join(root, "dist", "provider", "client"));
/** @type {typeof import("../../provider/connection")} */
const { Configuration, Connections } = require(path.join(root, "dist", "provider", "connection"));
/** @type {typeof import("../../provider/texts")} */
const { formatNoticeText } = require(path.join(root, "dist", "provider", "texts"));

/** @type {import("../../provider/run").Run | undefined} */
let run;
let cancellation = new AbortController();

/** @param {Record<string, string>} config @param {Record<string, string>} env */
function begin(config, env) {
  Object.assign(process.env, env);
  if (env["REPLAY_CLOCK"] !== undefined) require("./fasterClock").read();
  cancellation = new AbortController();
  const configuration = new Configuration();
  configuration.connectOnce(() => new Connections((key) => config[`monitoring:${key}`], process.env));
  const say = (/** @type {string} */ text) => parentPort?.postMessage({ output: `${text}\n` });
  return new Run({
    get connections() {
      return configuration.connections;
    },
    signal: cancellation.signal,
    notice: (text) => say(formatNoticeText(text)),
    warn: (text) => say(`warning: ${text}`),
    assertAlive: () => Promise.resolve(),
  });
}

parentPort?.on("message", ({ config, env, cancels, count, call }) => {
  if (config) run = begin(config, env);
  else if (cancels) cancellation.abort(new MonitoringError("The run was canceled. Nothing more was posted."));
  else void run?.handle(call).then((answer) => parentPort?.postMessage({ count, answer }));
});
