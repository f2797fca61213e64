/** Sequences of what users, networks and people on the service do, against a model of what the public is to see. */
const fc = require("fast-check");
const { step } = require("../../scripts/setup/progress");
const { dynamic, plugin } = require("../../test/driver/adapters");
const { all, none } = require("../bars");
const { startService } = require("../service");
const { Relay } = require("../wire/relay");
const { DrivenEngine } = require("./drivenEngine");
const { Model } = require("./model");
const { Phases } = require("./phases");
const { PulumiEngine } = require("./pulumiEngine");
const { inTheEnd, sequences } = require("./steps");
const { World } = require("./world");

/** @typedef {import("..").Figure} Figure */
/**
 * `struck` counts posts; a second mail is one of those that the model says were not to be sent.
 * @typedef {{sequences: number, steps: number, struck: number, mails: number, secondMails: number, mistakes: string[]}} Tally
 */
/**
 * @typedef {object} Plan
 * @property {number} runs
 * @property {number} most steps of a sequence
 * @property {number} seed
 * @property {string} [replay] `SEED:PATH` of one sequence
 * @property {(text: string) => void} [tell]
 */

/** Sequences that share their processes. */
const atOnce = 100;

/** Those that a sequence may run on: the small one, and, for a few, the real one. */
const engines = {
  small: { run: runModel, most: 30, share: 0.5, takes: "seconds a step, a hundred at once" },
  plugin: { run: runModelOnPlugin, most: 30, share: 0.5, takes: "seconds a step, a hundred at once" },
  real: { run: runModelOnPulumi, most: 12, share: 0.01, takes: "a minute each" },
};

/** @param {import("..").Options} options @returns {Promise<Figure[]>} */
async function stage({ short, seed, runs = short ? 25 : 2_000, replay = "" }) {
  const [only, path] = replay.split(" ");
  /** @type {Figure[]} */
  const figures = [];
  for (const [name, { run, most, share, takes }] of Object.entries(engines)) {
    if (path !== undefined && only !== name) continue;
    const count = path === undefined ? Math.max(1, Math.round(runs * share)) : 1;
    const tally = await step(`Model, ${name} engine`, `${count} sequences, ${takes}`, (tell) =>
      run({ runs: count, most, seed, tell, ...(path !== undefined && { replay: path }) }),
    );
    for (const mistake of tally.mistakes) process.stderr.write(`  --replay "${name} ${mistake}\n`);
    figures.push(...figuresOf(name, tally));
  }
  return figures;
}

/** @param {string} engine @param {Tally} tally @returns {Figure[]} */
function figuresOf(engine, { sequences: right, steps, struck, mails, secondMails, mistakes }) {
  const what = `sequences, ${steps} steps and ${struck} struck posts in all, on the ${engine} engine: the public saw what the model says`;
  return [
    all(what, right, right + mistakes.length),
    none(`duplicate emails of ${mails}, on the ${engine} engine`, secondMails),
  ];
}

/** On the small engine, by the native plugin. @param {Plan} plan */
function runModelOnPlugin(plan) {
  return runModel(plan, plugin);
}

/** On the small engine. @param {Plan} plan @param {import("../../test/driver/adapters").Adapter} [adapter] */
async function runModel(plan, adapter = dynamic) {
  const lanes = Math.min(atOnce, plan.runs);
  const phases = new Phases(lanes, adapter);
  return runLanes(
    lanes,
    plan,
    (relay) => new DrivenEngine(phases, relay),
    () => phases.leave(),
  );
}

/** On the real one. @param {Plan} plan */
async function runModelOnPulumi(plan) {
  return runLanes(Math.min(2, plan.runs), plan, (relay) => PulumiEngine.create(relay));
}

/**
 * @param {number} lanes so many sequences at once
 * @param {Plan} plan
 * @param {(relay: Relay) => DrivenEngine | Promise<PulumiEngine>} engineBehind
 * @param {() => void} [leave] called as each lane ends
 * @returns {Promise<Tally>}
 */
async function runLanes(lanes, { runs, most, seed, replay, tell = () => undefined }, engineBehind, leave) {
  /** @type {Tally} */
  const tally = { sequences: 0, steps: 0, struck: 0, mails: 0, secondMails: 0, mistakes: [] };
  const property = fc.asyncProperty(sequences(most), async (commands) => {
    await runSequence(engineBehind, commands, tally);
    tell(`${++tally.sequences} of ${runs}`);
  });
  const [replayed = "", path = ""] = replay?.split(/:(.*)/s) ?? [];
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      // Each lane has sequences of its own.
      const parameters = {
        seed: seed + lane * 1_000_003,
        numRuns: Math.floor((runs + lane) / lanes),
        endOnFailure: true,
      };
      const again = { seed: Number(replayed), path, numRuns: 1 };
      const result = await fc.check(property, replay === undefined ? parameters : again).finally(leave);
      if (result.failed) tally.mistakes.push(mistakeOf(result));
    }),
  );
  return tally;
}

/** @param {Pick<fc.RunDetails<unknown>, "counterexample" | "counterexamplePath" | "seed" | "errorInstance">} result */
function mistakeOf({ counterexample, counterexamplePath, seed, errorInstance }) {
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `${seed}:${counterexamplePath}"\n  ${String(counterexample)}\n  ${message}`;
}

/**
 * One sequence, with a service of its own; in the end all is healthy, and what is declared has to be public and tracked.
 * @param {(relay: Relay) => DrivenEngine | Promise<PulumiEngine>} engineBehind
 * @param {Iterable<fc.AsyncCommand<Model, World>>} commands
 * @param {Tally} tally
 */
async function runSequence(engineBehind, commands, tally) {
  const { sandbox, accounts } = await startService(2);
  const relay = await Relay.open(sandbox.url);
  const engine = await engineBehind(relay);
  const [own, other] = accounts;
  if (!own || !other) throw new Error("A sequence needs two accounts.");
  const model = new Model();
  const real = new World(engine, sandbox, relay, own, other);
  try {
    await fc.asyncModelRun(() => ({ model, real }), commands);
    for (const mending of inTheEnd) await mending.run(model, real);
  } finally {
    // Of one that fails, too.
    tally.steps += real.steps;
    tally.struck += relay.struck;
    tally.mails += real.mails;
    tally.secondMails += Math.max(0, real.mails - real.mailsDue);
    if (engine instanceof PulumiEngine) engine.remove();
    await relay.close();
    await sandbox.close();
  }
}

module.exports = { runModel, stage };
