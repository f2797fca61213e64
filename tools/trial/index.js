require("../setup/nodeVersion");
const { subscribe } = require("node:diagnostics_channel");
const path = require("node:path");
const { inspect, parseArgs } = require("node:util");
const { prepareBuild, prepareInstalled, root } = require("../setup");
const { command, say, SetupFailure } = require("../setup/run");
const { cleanUp, runSteps } = require("./steps");
const { Transcript } = require("./transcript");

/** @typedef {ReturnType<typeof connect>} Trial */

/** Loads a module of the built product. @param {string} module */
const load = (module) => require(path.join(root, "dist", module));

/** `npm run trial -- --page ID`: records the behavior of the service that its API doesn't document, with a test incident on a page. */
command(async () => {
  const flag = /** @type {const} */ ({ type: "boolean", default: false });
  const text = /** @type {const} */ ({ type: "string", default: "" });
  const { values } = parseArgs({ options: { page: text, sandbox: flag, "allow-subscribers": flag } });
  if (!values.page && !values.sandbox)
    throw new SetupFailure(
      "--page is missing. Run `npm run trial -- --page ID` with a page with components, or `npm run trial -- --sandbox`.",
    );
  await prepareInstalled();
  await prepareBuild();
  if (!values.sandbox) return runTrial(values.page, values["allow-subscribers"]);
  /** @type {typeof import("../../sandbox")} */
  const { connectTo, startSandbox, wellKnown } = load("sandbox");
  const sandbox = await startSandbox();
  connectTo(sandbox);
  // The sandbox sends no emails.
  const exitCode = await runTrial(values.page || wellKnown.componentPages.shop, true);
  await sandbox.close();
  return exitCode;
});

/** Runs a trial, cleans up, and prints the transcript, even if a step fails. @param {string} pageId @param {boolean} allowsSubscribers */
async function runTrial(pageId, allowsSubscribers) {
  const interruption = new AbortController();
  // A later signal has no effect, because npm forwards a signal that the terminal has already sent to this process.
  const interrupt = () => interruption.abort(new SetupFailure("The trial was interrupted."));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, interrupt);
  const connection = Promise.resolve().then(() => connect(pageId, interruption.signal));
  const trial = await connection.catch((/** @type {unknown} */ error) => {
    throw new SetupFailure(Object(error).message);
  });
  const { incident, transcript, host } = trial;
  let exitCode = 0;
  const fail = (/** @type {unknown} */ error) => {
    const { message, applied = "no" } = Object(error);
    exitCode = interruption.signal.aborted ? 130 : 1;
    transcript.add("Failure", message);
    say(error instanceof TypeError ? inspect(error) : message);
    // An opening without a response may have been successful.
    return incident.id !== undefined || applied !== "no";
  };
  const steps = checkPage(trial, allowsSubscribers).then((componentId) => runSteps(trial, componentId));
  const mayExist = await steps.then(() => true, fail);
  say(mayExist ? "Cleaning up" : "Nothing was posted.");
  if (!mayExist) return exitCode;
  await cleanUp(trial, fail).catch(fail);
  console.log(transcript.render(host));
  const state = incident.isResolved ? "is resolved, but still public. Delete it" : "may be open. Resolve it";
  const remainder = incident.isDeleted ? "was deleted." : `on the page ${pageId} ${state} in the dashboard.`;
  say(`The incident "${incident.name}" ${remainder}`);
  return exitCode;
}

/** Connects with the variables that the commands read. @param {string} pageId @param {AbortSignal} signal cancels requests of `client` */
function connect(pageId, signal) {
  /** @type {typeof import("../../provider/client")} */
  const { createRequester, defaults } = load("provider/client");
  /** @type {typeof import("../../provider/connection")} */
  const { Connections, Settings } = load("provider/connection");
  const { client, reads, baseUrl, origin } = new Connections(undefined, process.env, { signal }).connect();
  const { client: cleaner } = new Connections(undefined, process.env).connect();
  const settings = new Settings(undefined, process.env);
  const [apiKey = "", { accountId = "" }] = [settings.getText("apiKey"), origin];
  const account = accountId && { [settings.getText("accountHeader") ?? defaults.accountHeader]: accountId };
  const headers = { authorization: `Bearer ${apiKey}`, ...account };
  const request = createRequester(new URL(baseUrl), apiKey, headers, process.env);
  /** Sends a request that the client doesn't support. @param {"GET" | "DELETE"} method @param {string[]} rest of the path, below the page */
  const send = (method, ...rest) => request(method, ["/v3/status-pages", pageId, ...rest].join("/"));
  const transcript = new Transcript();
  transcript.hide({ KEY: apiKey, a1: accountId, "/PATH": origin.path.replace(/^\/$/, "") });
  // The client doesn't return headers, but Node publishes each response.
  subscribe("http.client.response.finish", (exchange) => transcript.addResponse(Object(exchange)));
  /** @type {{name: string, id?: string, isResolved?: boolean, isDeleted?: boolean, hasNoImpacts?: boolean}} */
  const incident = { name: `Test of the API at ${new Date().toISOString()}` };
  return { client, cleaner, reads, send, signal, host: origin.host, pageId, incident, transcript };
}

/** Returns the ID of a component. @param {Trial} trial @param {boolean} allowsSubscribers @throws if the page can't be used */
async function checkPage({ client, reads, pageId, transcript }, allowsSubscribers) {
  const page = await client.getComponentPage(pageId).catch(async (/** @type {unknown} */ error) => {
    const other = Object(error).status === 404 ? await reads.getStatusPage(pageId) : undefined;
    if (other?.version !== 2) throw error;
    throw new SetupFailure(`getComponentPage ${pageId}: the page has cards. Use a page with components.`);
  });
  transcript.hide({ p1: pageId, a1: page.accountId, NAME: page.name, DOMAIN: page.customDomain });
  // The API documents no field for subscribers, but a response may contain one.
  const [count] = Object.entries(page).flatMap(([key, value]) => (/subscri/i.test(key) ? [value] : []));
  if (count !== 0 && !allowsSubscribers) {
    const fact = count === undefined ? "doesn't show whether the page has" : "shows that the page has";
    throw new SetupFailure(
      `getComponentPage ${pageId}: the service ${fact} subscribers. Each request turns emails off, but only the service can prevent ` +
        "them. If the page has no subscribers, or if they may get emails, add --allow-subscribers.",
    );
  }
  const component = (await reads.getComponents(pageId)).find(({ type }) => type !== "GROUP");
  if (!component)
    throw new SetupFailure(`listComponents ${pageId}: the page has no component. Add one in the dashboard.`);
  transcript.hide({ c1: component.id });
  return component.id;
}
