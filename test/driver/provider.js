/** Starts a real provider process and calls it over gRPC, as the engine does. The process connects to a mock of the engine. */
const { spawn } = require("node:child_process");
const events = require("node:events");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");
const { EngineService } = require("@pulumi/pulumi/proto/engine_grpc_pb");
const { LogSeverity } = require("@pulumi/pulumi/proto/engine_pb");
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const rpc = require("@pulumi/pulumi/proto/provider_pb");
const { root } = require("../../tools/setup");
const { dynamic } = require("./adapters");
const { respond } = require("./call");

/** @typedef {Record<string, unknown>} Properties */
/** @typedef {import("google-protobuf/google/protobuf/struct_pb").JavaScriptValue} JavaScriptValue */

/**
 * An implementation of the engine's calls.
 *
 * @typedef {Pick<ProviderProcess, "output" | "check" | "diff" | "create" | "read" | "update" | "delete" | "cancel" | "end">
 *   & {adapter: Pick<import("./adapters").Adapter, "name" | "getToken" | "toInputs" | "creates">}} Provider
 */

class ProviderProcess {
  /**
   * @param {Record<string, string>} config a stack's configuration, by `namespace:key`
   * @param {object} [options]
   * @param {import("./adapters").Adapter} [options.adapter]
   * @param {string} [options.machine] the machine's lock directory. By default, a new directory without notes
   * @param {Record<string, string>} [options.env]
   */
  static async start(config, { adapter = dynamic, machine = newMachine(), env = {} } = {}) {
    const { engine, address } = await Engine.start();
    const child = spawn(process.execPath, adapter.argumentsFor(address), {
      cwd: root,
      env: { ...environment(), MONITORING_LOCK_DIRECTORY: machine, ...env },
      // Standard input isn't a pipe, because a pipe would close when the engine ends. An orphaned process must detect that by itself.
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { text: "" };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => (output.text += text));
    }
    const [printed] = await Promise.race([
      events.once(child.stdout, "data"),
      events.once(child, "exit").then(() => [""]),
    ]);
    const port = parseInt(String(printed), 10);
    if (!(port > 0)) throw new Error(`The provider process didn't start:\n${output.text}`);
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
    });
    await adapter.configure(client, config);
    return new ProviderProcess(adapter, client, {
      engine,
      child,
      ended: events.once(child, "close"),
      output,
    });
  }

  #client;
  #parts;

  /**
   * @param {import("./adapters").Adapter} adapter
   * @param {ResourceProviderClient} client
   * @param {{engine: Engine, child: import("node:child_process").ChildProcess, ended: Promise<unknown>, output: {text: string}}} parts
   */
  constructor(adapter, client, parts) {
    this.adapter = adapter;
    this.#client = client;
    this.#parts = parts;
  }

  /** The complete output of the process so far, including log messages. */
  get output() {
    return this.#parts.output.text + this.#parts.engine.messages;
  }

  /** @param {string} urn @param {Properties} olds the old inputs @param {Properties} news */
  async check(urn, olds, news) {
    const request = new rpc.CheckRequest().setUrn(urn).setOlds(struct(olds)).setNews(struct(news));
    const answer = await respond((done) => this.#client.check(request, done));
    /** @type {rpc.CheckFailure[]} */
    const list = answer.getFailuresList();
    const failures = list.map((each) => `${each.getProperty()} ${each.getReason()}`);
    return { inputs: properties(answer.getInputs()), failures };
  }

  /**
   * @param {string} urn
   * @param {string} id
   * @param {Properties} olds the old outputs
   * @param {Properties} news the checked inputs
   */
  async diff(urn, id, olds, news) {
    const request = new rpc.DiffRequest().setUrn(urn).setId(id).setOlds(struct(olds)).setNews(struct(news));
    const answer = await respond((done) => this.#client.diff(request, done));
    const changes = answer.getChanges() === rpc.DiffResponse.DiffChanges.DIFF_SOME;
    return { changes, replaces: answer.getReplacesList().length > 0 };
  }

  /**
   * @param {string} urn
   * @param {Properties} inputs
   * @param {boolean} [previews]
   * @returns {Promise<{id: string, outputs: Properties}>}
   */
  async create(urn, inputs, previews = false) {
    const request = new rpc.CreateRequest().setUrn(urn).setProperties(struct(inputs)).setPreview(previews);
    const answer = await respond((done) => this.#client.create(request, done));
    return { id: answer.getId(), outputs: properties(answer.getProperties()) };
  }

  /** @param {string} urn @param {string} id @param {Properties} outputs empty for an import @param {Properties} [inputs] */
  async read(urn, id, outputs, inputs = {}) {
    const request = new rpc.ReadRequest()
      .setUrn(urn)
      .setId(id)
      .setProperties(struct(outputs))
      .setInputs(struct(inputs));
    const answer = await respond((done) => this.#client.read(request, done));
    const [readInputs, read] = [answer.getInputs(), answer.getProperties()].map(properties);
    return { id: answer.getId(), inputs: readInputs ?? {}, outputs: read ?? {} };
  }

  /**
   * @param {string} urn
   * @param {string} id
   * @param {Properties} olds the old outputs
   * @param {Properties} news the checked inputs
   * @param {boolean} [previews]
   */
  async update(urn, id, olds, news, previews = false) {
    const request = new rpc.UpdateRequest()
      .setUrn(urn)
      .setId(id)
      .setOlds(struct(olds))
      .setNews(struct(news))
      .setPreview(previews);
    return properties((await respond((done) => this.#client.update(request, done))).getProperties());
  }

  /** @param {string} urn @param {string} id @param {Properties} outputs */
  async delete(urn, id, outputs) {
    const request = new rpc.DeleteRequest().setUrn(urn).setId(id).setProperties(struct(outputs));
    await respond((done) => this.#client.delete(request, done));
  }

  async cancel() {
    await respond((done) => this.#client.cancel(new Empty(), done));
  }

  /** @param {NodeJS.Signals} signal */
  async end(signal = "SIGKILL") {
    const { child, ended, engine } = this.#parts;
    child.kill(signal);
    await ended;
    this.#client.close();
    engine.end();
  }
}

/** A mock of the engine that accepts connections and log messages. */
class Engine {
  /** The messages that providers have logged. */
  messages = "";
  #server = new grpc.Server();

  static async start() {
    const engine = new Engine();
    engine.#server.addService(EngineService, {
      /** @type {grpc.handleUnaryCall<import("@pulumi/pulumi/proto/engine_pb").LogRequest, Empty>} */
      log: (call, respond) => {
        const prefix = call.request.getSeverity() === LogSeverity.WARNING ? "warning: " : "";
        engine.messages += `${prefix}${call.request.getMessage()}\n`;
        respond(null, new Empty());
      },
    });
    const credentials = grpc.ServerCredentials.createInsecure();
    /** @type {number} */
    const port = await new Promise((resolve, reject) => {
      engine.#server.bindAsync("127.0.0.1:0", credentials, (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    return { engine, address: `127.0.0.1:${port}` };
  }

  end() {
    this.#server.forceShutdown();
  }
}

/** @type {string | undefined} */
let parent;
let count = 0;

/** Returns the lock directory of a new machine. Processes of the same machine share their locks and notes. */
function newMachine() {
  parent ??= createParent();
  count += 1;
  return path.join(parent, String(count));
}

function createParent() {
  process.once("exit", removeMachines);
  return fs.mkdtempSync(path.join(os.tmpdir(), "soak-machines-"));
}

/** Removes the lock directories. Jest doesn't emit `exit`, so its tests call this function. */
function removeMachines() {
  if (parent !== undefined) fs.rmSync(parent, { recursive: true, force: true });
  parent = undefined;
}

/** Returns this process's environment without the variables that a developer has set for their own account. */
function environment() {
  const names = Object.keys(process.env).filter((name) => !name.startsWith("MONITORING_"));
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** @param {Properties} values */
function struct(values) {
  /** @type {Record<string, JavaScriptValue>} */
  const plain = JSON.parse(JSON.stringify(values));
  return Struct.fromJavaScript(plain);
}

/** @param {Struct | undefined} values @returns {Properties} */
function properties(values) {
  return values?.toJavaScript() ?? {};
}

exports.newMachine = newMachine;
exports.ProviderProcess = ProviderProcess;
exports.removeMachines = removeMachines;
