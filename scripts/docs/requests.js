"use strict";

const path = require("node:path");
const { SetupFailure } = require("../setup/failure");
const { connectionsWith, lifecycleOf } = require("../schema/facts");

/**
 * @typedef {import("../../sandbox").Sandbox} Sandbox
 * @typedef {{request: string, body: unknown}} Sent the template of a request, and its JSON body
 * @typedef {{when: string, sent: Sent[]}} Phase
 */

const incidentId = "inc_checkout_latency";

/** The smallest declaration of each resource. @type {Record<string, (sandbox: Sandbox) => Record<string, unknown>>} */
const declared = {
  AlertChannel: () => ({ channelId: "4101" }),
  Incident: () => ({ incidentId: "3e5a1d84-97c2-4b60-8f1d-6a5b4c3d2e1f" }),
  IncidentUpdate: () => ({ incidentId, status: "MONITORING", description: "We rolled the release back." }),
  StatusPage: (sandbox) => ({ statusPageId: sandbox.data.accounts[0].statusPages[0]?.id }),
  StatusPageIncident: () => ({ incidentId }),
};

/** The smallest arguments of each data source. @type {Record<string, (sandbox: Sandbox) => Record<string, unknown>>} */
const asked = {
  getAlertChannel: () => ({ id: 4101 }),
  getAlertChannels: () => ({ ids: [4101, 4102] }),
  getIncident: () => ({ id: "3e5a1d84-97c2-4b60-8f1d-6a5b4c3d2e1f" }),
  getIncidentUpdate: (sandbox) => ({
    incidentId,
    incidentUpdateId: sandbox.incident(incidentId).incidentUpdates[0]?.id,
  }),
  getOpenIncidents: () => ({}),
  getStatusPage: () => ({ url: "quillmarket-help-center" }),
  getStatusPageIncident: () => ({ incidentId }),
  getStatusPages: () => ({}),
};

/** The id of an update depends on the address of the service. @param {unknown} body */
function withExampleId(body) {
  const isObject = typeof body === "object" && body !== null && "id" in body;
  return isObject ? { ...body, id: "2f1e7c1a-6c0b-5d59-9f0e-0d4c3b2a1f00" } : body;
}

/** Records the requests of each object by using it with a sandbox. */
class Requests {
  /** @param {string} root @param {Sandbox} sandbox */
  constructor(root, sandbox) {
    this.root = root;
    this.sandbox = sandbox;
    const { operations } = require(path.join(root, "dist", "provider", "api", "operations"));
    /** @type {Record<string, {method: string, path: string}>} */
    this.operations = operations;
  }

  /**
   * The requests of a resource in each phase of its life.
   * @param {string} kind
   * @returns {Promise<Phase[]>}
   */
  async ofResource(kind) {
    const args = known(declared, kind)(this.sandbox);
    const { lifecycle, context } = lifecycleOf(this.root, kind, this.#settings);
    /** @type {import("../../provider/lifecycles/lifecycle").ResourceState} */
    let made = { id: "", outputs: {} };
    const declare = () => lifecycle.check({ known: args, unknown: new Set() });
    const { inputs } = declare();
    const create = async () => {
      const result = await lifecycle.create(inputs, context);
      if ("failure" in result) throw new SetupFailure(result.failure);
      made = result;
    };
    const compare = () =>
      lifecycle.diff(made.id, made.outputs, { known: inputs, unknown: new Set() }, context);
    const previews = lifecycle.readsOnly
      ? [
          await this.#phase("`pulumi preview` with the dynamic provider", declare),
          await this.#phase("`pulumi preview` with the native plugin, if it creates or updates it", create),
        ]
      : [await this.#phase("`pulumi preview`", declare)];
    return [
      ...previews,
      await this.#phase("`pulumi up` that creates it", create),
      await this.#phase("`pulumi up` when nothing changed", compare),
      await this.#phase("`pulumi refresh`", () => lifecycle.read(made.id, made.outputs, context)),
      await this.#phase("`pulumi destroy`, or removed from the program", () =>
        lifecycle.delete(made.id, made.outputs, context),
      ),
    ];
  }

  /**
   * The requests of one call of a data source.
   * @param {string} name
   * @returns {Promise<Sent[]>}
   */
  async ofDataSource(name) {
    const folder = path.join(this.root, "dist", "provider", "lookups");
    const { lookups } = require(folder);
    const { runLookup } = require(path.join(folder, "lookup"));
    const args = known(asked, name)(this.sandbox);
    const context = { connections: connectionsWith(this.root, this.#settings), progress: () => {} };
    const { sent } = await this.#phase("", () => runLookup(lookups[name], args, context));
    return sent;
  }

  get #settings() {
    const { url: baseUrl, apiKey, accountId } = this.sandbox;
    return { baseUrl, apiKey, accountId };
  }

  /**
   * @param {string} when
   * @param {() => unknown} work may return a promise
   * @returns {Promise<Phase>}
   */
  async #phase(when, work) {
    this.sandbox.clearRequests();
    await work();
    const sent = this.sandbox.requests.map(({ operation, query, body }) => {
      const { method, path: template } = known(this.operations, String(operation));
      const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
      const request = `${method} ${template}${search.length === 0 ? "" : `?${search.join("&")}`}`;
      return { request, body: withExampleId(body) };
    });
    return { when, sent };
  }
}

/**
 * @template T
 * @param {Record<string, T>} all
 * @param {string} name
 * @returns {T}
 */
function known(all, name) {
  const found = all[name];
  if (found === undefined) throw new SetupFailure(`scripts/docs/requests.js has no arguments for ${name}.`);
  return found;
}

module.exports = { Requests };
