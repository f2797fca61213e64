/** Programs that declare the incident updates in `updates.json`, with and without this package. */
const outputNames = require("../../sdk/outputNames.json");

const declared = 'JSON.parse(require("node:fs").readFileSync("updates.json", "utf8"))';

/** @param {"" | "/native"} entry */
const ours = (entry) => `const { IncidentUpdate } = require("pulumi-monitoring-service${entry}");
for (const { name, ...args } of ${declared}) new IncidentUpdate(name, args);`;

/**
 * Returns a program with the same fields and dependencies for a plugin that stores the resources without calling a service. Like this
 * package, the program disables the stack traces that Pulumi creates for each property, because they take longer than everything else. A
 * `Sent` makes the same two requests as this package.
 *
 * @param {"Resource" | "Sent"} type
 */
const noop = (type) => `const { CustomResource } = require("@pulumi/pulumi");
const outputs = Object.fromEntries(${JSON.stringify(outputNames.IncidentUpdate)}.map((name) => [name, undefined]));
class Noop extends CustomResource {
  constructor(name, args, options) {
    super("noop:index:${type}", name, { ...outputs, ...args }, { ...options, version: "0.0.1" });
  }
}
const latest = {};
Error.stackTraceLimit = 0;
for (const { name, ...args } of ${declared}) {
  const previous = latest[args.incidentId];
  latest[args.incidentId] = new Noop(name, args, {
    dependsOn: previous ? [previous] : [],
    aliases: [{ type: "other:index:Resource" }],
  });
}`;

/**
 * A dynamic provider as in Pulumi's documentation, with the two requests of this package: it reads the incident, and posts. It doesn't
 * order updates or handle failures.
 */
const taught = `const pulumi = require("@pulumi/pulumi");
const provider = {
  async create(inputs) {
    const url = \`\${process.env.MONITORING_BASE_URL}/v1/status-pages/incidents/\${inputs.incidentId}\`;
    const headers = {
      authorization: \`Bearer \${process.env.MONITORING_API_KEY}\`,
      "x-service-account": process.env.MONITORING_ACCOUNT_ID,
      "content-type": "application/json",
    };
    const { incidentUpdates } = await (await fetch(url, { headers })).json();
    const { status, description, notifySubscribers } = inputs;
    if (incidentUpdates.some((update) => update.status === status && update.description === description))
      throw new Error("The update exists.");
    const body = JSON.stringify({ status, description, notifySubscribers });
    const response = await fetch(\`\${url}/incident-updates\`, { method: "POST", headers, body });
    if (!response.ok) throw new Error(await response.text());
    const { id, created_at: createdAt, ...published } = await response.json();
    return { id: \`\${inputs.incidentId}/\${id}\`, outs: { ...inputs, incidentUpdateId: id, createdAt, published } };
  },
  async diff(id, olds, news) {
    const changed = ["incidentId", "status", "description"].filter((name) => olds[name] !== news[name]);
    return { changes: changed.length > 0, replaces: changed };
  },
};
class Update extends pulumi.dynamic.Resource {
  constructor(name, args, options) {
    super(provider, name, { incidentUpdateId: undefined, createdAt: undefined, published: undefined, ...args }, options);
  }
}
for (const { name, ...args } of ${declared}) new Update(name, args);`;

module.exports = { noop, ours, taught };
