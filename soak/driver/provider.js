/** A provider process as Pulumi ships it, asked over gRPC as the engine asks it. */
const { spawn } = require("node:child_process");
const events = require("node:events");
const net = require("node:net");
const grpc = require("@grpc/grpc-js");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const rpc = require("@pulumi/pulumi/proto/provider_pb");
const { root } = require("../../scripts/setup");
const { failureOf } = require("./failure");
const { newMachine } = require("./machines");

/** @typedef {Record<string, unknown>} Properties */
/** @typedef {import("google-protobuf/google/protobuf/struct_pb").JavaScriptValue} JavaScriptValue */

class ProviderProcess {
  /**
   * @param {Record<string, string>} config a stack's configuration, by `namespace:key`
   * @param {string} [machine] that it runs on; default: one of its own, where it finds no note of what others sent
   */
  static async start(config, machine = newMachine()) {
    // What a provider asks before it posts is whether its engine still takes connections.
    const engine = net.createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await events.once(engine, "listening");
    const child = spawn(process.execPath, [script, `127.0.0.1:${portOf(engine)}`], {
      cwd: root,
      env: { ...environment(), MONITORING_LOCK_DIRECTORY: machine },
      // No pipe, which would end with the engine: an orphan that lives on has to find out by itself that it is one.
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { text: "" };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => (said.text += text));
    }
    const [port] = await Promise.race([
      events.once(child.stdout, "data"),
      events.once(child, "exit").then(() => [""]),
    ]);
    if (!(parseInt(String(port), 10) > 0))
      throw new Error(`The provider process didn't start:\n${said.text}`);
    const provider = new ProviderProcess(engine, child, parseInt(String(port), 10), said);
    await provider.#configure(config);
    return provider;
  }

  #engine;
  #child;
  #ended;
  #client;
  #said;

  /**
   * @param {net.Server} engine
   * @param {import("node:child_process").ChildProcess} child
   * @param {number} port
   * @param {{text: string}} said
   */
  constructor(engine, child, port, said) {
    this.#engine = engine;
    this.#said = said;
    this.#child = child;
    this.#ended = events.once(child, "exit");
    this.#client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
    });
  }

  /** All that the process printed so far. */
  get said() {
    return this.#said.text;
  }

  /** Whether the engine that started it lives. A dead one records nothing. */
  get engineLives() {
    return this.#engine.listening;
  }

  /** @param {Record<string, string>} config */
  async #configure(config) {
    const request = new rpc.ConfigureRequest().setArgs(struct(config));
    await answerTo((done) => this.#client.configure(request, done));
  }

  /**
   * @param {Properties} olds the old inputs
   * @param {Properties} news
   */
  async check(olds, news) {
    const request = new rpc.CheckRequest().setOlds(struct(olds)).setNews(struct(news));
    const answer = await answerTo((done) => this.#client.check(request, done));
    /** @type {rpc.CheckFailure[]} */
    const list = answer.getFailuresList();
    const failures = list.map((each) => `${each.getProperty()} ${each.getReason()}`);
    return { inputs: properties(answer.getInputs()), failures };
  }

  /**
   * @param {string} id
   * @param {Properties} olds the old outputs
   * @param {Properties} news the checked inputs
   */
  async diff(id, olds, news) {
    const request = new rpc.DiffRequest().setId(id).setOlds(struct(olds)).setNews(struct(news));
    const answer = await answerTo((done) => this.#client.diff(request, done));
    const changes = answer.getChanges() === rpc.DiffResponse.DiffChanges.DIFF_SOME;
    return { changes, replaces: answer.getReplacesList().length > 0 };
  }

  /** @param {Properties} inputs */
  async create(inputs) {
    const request = new rpc.CreateRequest().setProperties(struct(inputs));
    const answer = await answerTo((done) => this.#client.create(request, done));
    return { id: answer.getId(), outputs: properties(answer.getProperties()) };
  }

  /**
   * @param {string} id
   * @param {Properties} outputs
   */
  async read(id, outputs) {
    const request = new rpc.ReadRequest().setId(id).setProperties(struct(outputs));
    const answer = await answerTo((done) => this.#client.read(request, done));
    return { id: answer.getId(), outputs: properties(answer.getProperties()) };
  }

  /**
   * @param {string} id
   * @param {Properties} olds the old outputs
   * @param {Properties} news the checked inputs
   */
  async update(id, olds, news) {
    const request = new rpc.UpdateRequest().setId(id).setOlds(struct(olds)).setNews(struct(news));
    return properties((await answerTo((done) => this.#client.update(request, done))).getProperties());
  }

  /**
   * @param {string} id
   * @param {Properties} outputs
   */
  async delete(id, outputs) {
    const request = new rpc.DeleteRequest().setId(id).setProperties(struct(outputs));
    await answerTo((done) => this.#client.delete(request, done));
  }

  /** The engine dies, and the process lives on. */
  async loseEngine() {
    if (this.engineLives) await new Promise((resolve) => this.#engine.close(resolve));
  }

  /** @param {NodeJS.Signals} signal */
  async end(signal = "SIGKILL") {
    this.#child.kill(signal);
    await this.#ended;
    this.#client.close();
    await this.loseEngine();
  }
}

const script = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");

/** This process's, without what a developer has set for a service of their own. */
function environment() {
  const names = Object.keys(process.env).filter((name) => !name.startsWith("MONITORING_"));
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** @param {net.Server} server */
function portOf(server) {
  const address = server.address();
  return typeof address === "object" ? address?.port : undefined;
}

/** @param {Properties} values */
function struct(values) {
  /** @type {Record<string, JavaScriptValue>} */
  const plain = JSON.parse(JSON.stringify(values));
  return Struct.fromJavaScript(plain);
}

/**
 * @param {Struct | undefined} values
 * @returns {Properties}
 */
function properties(values) {
  return values?.toJavaScript() ?? {};
}

/** Far more than any verb takes: for one that never comes to an end. */
const longestMs = 600_000;

/**
 * @template Answer
 * @param {(done: (error: grpc.ServiceError | null, answer: Answer) => void) => void} ask
 * @returns {Promise<Answer>}
 */
function answerTo(ask) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error("The provider process doesn't come to answer.")),
      longestMs,
    );
    ask((error, answer) => {
      clearTimeout(late);
      if (error) reject(failureOf(error));
      else resolve(answer);
    });
  });
}

module.exports = { ProviderProcess };
