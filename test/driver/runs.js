/** Runs in this process or in a thread. They receive the engine's calls as plain data, without the gRPC messages of an adapter. */
const { Worker } = require("node:worker_threads");
const { direct, isSecret, secret, parseResourceType } = require("./adapters");
const { PartialFailure } = require("./call");

/**
 * @import { CallResult, CallResults, Call, Run, Verb } from "../../provider/run"
 * @import { Properties, Provider } from "./provider"
 */

/** @implements {Provider} */
class ProviderRun {
  adapter = direct;
  #handle;
  #host;

  /**
   * @param {Run["handle"]} handle handles the run's calls
   * @param {{output: string, cancel: () => unknown, end: () => unknown}} host
   */
  constructor(handle, host) {
    this.#handle = handle;
    this.#host = host;
  }

  /** The notices so far. */
  get output() {
    return this.#host.output;
  }

  /** @param {string} urn @param {Properties} olds @param {Properties} declared */
  async check(urn, olds, declared) {
    const { values: news, secrets } = toOpenedProperties(declared);
    const old = toOpenedProperties(olds);
    const call = { olds: old.values, oldSecrets: old.secrets, news, secrets };
    const { inputs, problems } = await this.#ask({ verb: "check", ...parseSubject(urn), ...call });
    return {
      inputs: markSecrets(inputs, secrets),
      failures: problems.map(({ property, reason }) => `${property} ${reason}`),
    };
  }

  /** @param {string} urn @param {string} id @param {Properties} olds @param {Properties} inputs */
  async diff(urn, id, olds, inputs) {
    const { values: news, secrets } = toOpenedProperties(inputs);
    const call = { id, olds: toOpenedProperties(olds).values, news, secrets };
    const { changes, replaces } = await this.#ask({ verb: "diff", ...parseSubject(urn), ...call });
    return { changes, replaces: replaces.length > 0 };
  }

  /** @param {string} urn @param {Properties} inputs @param {boolean} [isPreview] */
  async create(urn, inputs, isPreview = false) {
    const { values: news, secrets } = toOpenedProperties(inputs);
    return toWrittenResource(
      await this.#ask({ verb: "create", ...parseSubject(urn), news, secrets, isPreview }),
    );
  }

  /** @param {string} urn @param {string} id @param {Properties} outputs empty for an import @param {Properties} [inputs] */
  async read(urn, id, outputs, inputs = {}) {
    const { values: olds, secrets: oldSecrets } = toOpenedProperties(outputs);
    const isImport = Object.keys(olds).length === 0;
    const read = isImport
      ? await this.#ask({ verb: "import", ...parseSubject(urn), id })
      : await this.#ask({ verb: "read", ...parseSubject(urn), id, olds, oldSecrets });
    return { inputs: read.inputs ?? inputs, ...toWrittenResource(read) };
  }

  /** @param {string} urn @param {string} id @param {Properties} olds @param {Properties} inputs @param {boolean} [isPreview] */
  async update(urn, id, olds, inputs, isPreview = false) {
    const old = toOpenedProperties(olds);
    const { values: news, secrets } = toOpenedProperties(inputs);
    const call = { id, olds: old.values, oldSecrets: old.secrets, news, secrets, isPreview };
    return toWrittenResource(await this.#ask({ verb: "update", ...parseSubject(urn), ...call })).outputs;
  }

  /** @param {string} urn @param {string} id @param {Properties} outputs */
  async delete(urn, id, outputs) {
    await this.#ask({ verb: "delete", ...parseSubject(urn), id, olds: toOpenedProperties(outputs).values });
  }

  async cancel() {
    await this.#host.cancel();
  }

  async end() {
    await this.#host.end();
  }

  /** @template {Verb} V @param {Call<V>} call @returns {Promise<CallResults[V]>} */
  async #ask(call) {
    const answer = await this.#handle(call);
    if (!answer.failure) return answer;
    const { text, stateToRecord } = answer.failure;
    if (!stateToRecord) throw new Error(text);
    throw new PartialFailure(
      text,
      stateToRecord.id,
      markSecrets(stateToRecord.outputs, stateToRecord.secrets),
    );
  }
}

/** A thread for one run after another. It ends like a killed process: immediately, and with all unfinished work. */
class RunThread {
  /** @type {Map<number, {resolve(answer: unknown): void, reject: (error: Error) => void}>} */
  #asked = new Map();
  #count = 0;
  /** @type {Worker | undefined} */
  #worker;
  output = "";

  /**
   * @param {Record<string, string>} config
   * @param {{machine: string, env?: Record<string, string>}} options
   */
  start(config, { machine, env = {} }) {
    this.#worker ??= this.#begin();
    this.output = "";
    this.#worker.postMessage({ config, env: { MONITORING_LOCK_DIRECTORY: machine, ...env } });
    return Promise.resolve(new ProviderRun((call) => this.#handle(call), this));
  }

  cancel() {
    this.#worker?.postMessage({ cancels: true });
  }

  /** Ends the run. If a call is unfinished, the thread is terminated. */
  async end() {
    if (this.#asked.size > 0) await this.remove();
  }

  async remove() {
    for (const { reject } of this.#asked.values()) reject(new Error("The thread has ended."));
    this.#asked.clear();
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #begin() {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith("MONITORING_")),
    );
    const worker = new Worker(require.resolve("./runThread"), { env });
    worker.on("message", ({ count, answer, output }) => {
      if (output !== undefined) this.output += output;
      else this.#asked.get(count)?.resolve(answer);
      this.#asked.delete(count);
    });
    return worker;
  }

  /** @template {Verb} V @param {Call<V>} call @returns {Promise<CallResult<V>>} */
  #handle(call) {
    return new Promise((resolve, reject) => {
      const count = (this.#count += 1);
      this.#asked.set(count, { resolve, reject });
      this.#worker?.postMessage({ count, call });
    });
  }
}

/** Separates the values in the state from the engine's marks of secrets. @param {Properties} properties */
function toOpenedProperties(properties) {
  const entries = Object.entries(properties);
  return {
    values: Object.fromEntries(entries.map(([name, value]) => [name, isSecret(value) ? value.value : value])),
    secrets: new Set(entries.flatMap(([name, value]) => (isSecret(value) ? [name] : []))),
  };
}

/** @param {Readonly<Properties>} values @param {ReadonlySet<string>} [secrets] */
function markSecrets(values, secrets = new Set()) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, secrets.has(name) ? secret(value) : value]),
  );
}

/** @param {CallResults["create"]} answer */
function toWrittenResource({ id, outputs, secrets }) {
  return { id, outputs: markSecrets(outputs, secrets) };
}

/** @param {string} urn */
function parseSubject(urn) {
  return { urn, type: parseResourceType(urn) };
}

module.exports = { ProviderRun, RunThread };
