/** The state that Pulumi's engine keeps of a stack, and the calls that it makes: for resources that don't depend on each other, or each on the one before it. */
const { programInput } = require("./adapters");
const { PartialFailure } = require("./call");

/** @typedef {import("./provider").ProviderProcess} ProviderProcess */
/** @typedef {import("./provider").Properties} Properties */
/** @typedef {{id: string, inputs: Properties, outputs: Properties, unfinished: boolean}} Resource */
/** @typedef {{step: "create" | "update" | "replace" | "same", inputs: Properties, old?: Resource}} Plan */
/** @typedef {{resource?: Resource, error?: Error}} Outcome */
/** @typedef {"unseen" | "without diff" | "unchanged"} Replace why it is replaced: `--replace`, `replaceWith`, or the engine's own reasons */
/** @typedef {Readonly<Record<string, Properties>>} Program what is declared, by name */

class Stack {
  /** @type {Map<string, Resource>} */
  resources = new Map();
  /** What a replacement took the place of, until it is deleted. @type {(Resource & {name: string})[]} */
  #replaced = [];
  #kindOf;

  /** @param {(name: string) => import("./adapters").ResourceType} [kindOf] what is declared by that name */
  constructor(kindOf = () => "IncidentUpdate") {
    this.#kindOf = kindOf;
  }

  /**
   * Does what is declared, and deletes the rest unless something failed.
   *
   * @param {ProviderProcess} provider
   * @param {Program} program
   * @param {boolean} [chained] whether each resource depends on the one before it
   * @returns {Promise<string[]>} what failed, in the provider's words
   */
  async up(provider, program, chained = false) {
    const declared = Object.entries(program);
    const failures = chained
      ? await this.#declareChained(provider, declared)
      : await failuresOf(declared.map(([name, args]) => this.#declare(provider, name, args)));
    if (failures.length > 0) return failures;
    const replaced = this.#replaced.map(({ name, id, outputs }) =>
      provider.delete(this.#urnOf(provider, name), id, outputs),
    );
    const removed = [...this.resources.keys()].filter((name) => !(name in program));
    return failuresOf([...replaced, ...removed.map((name) => this.#forget(provider, name))]).finally(() => {
      this.#replaced = [];
    });
  }

  /**
   * What an `up` would do.
   *
   * @param {ProviderProcess} provider
   * @param {Program} program
   * @returns {Promise<string[]>} `create`, `update` or `replace`, and what fails
   */
  async preview(provider, program) {
    const steps = Object.entries(program).map(([name, args]) => this.#previewOf(provider, name, args));
    const planned = await Promise.allSettled(steps);
    return planned
      .map((plan) => (plan.status === "rejected" ? messageOf(plan.reason) : plan.value.step))
      .filter((step) => step !== "same");
  }

  /** @param {ProviderProcess} provider @param {string} name @param {Properties} args */
  async #previewOf(provider, name, args) {
    const planned = await this.plan(provider, name, args, { previews: true });
    const { step, inputs, old } = planned;
    const urn = this.#urnOf(provider, name);
    if (!provider.adapter.creates || step === "same") return planned;
    if (old && step === "update") await provider.update(urn, old.id, old.outputs, inputs, true);
    else await provider.create(urn, inputs, true);
    return planned;
  }

  /** @param {ProviderProcess} provider */
  refresh(provider) {
    return failuresOf([...this.resources.keys()].map((name) => this.refreshOne(provider, name)));
  }

  /**
   * What the engine decides to do, by `check` and `diff`.
   * @param {ProviderProcess} provider
   * @param {string} name
   * @param {Properties} args
   * @param {{previews?: boolean, replace?: Replace | undefined}} [options]
   * @returns {Promise<Plan>}
   */
  async plan(provider, name, args, { previews = false, replace } = {}) {
    const old = replace === "unseen" ? undefined : this.resources.get(name);
    const urn = this.#urnOf(provider, name);
    const news = provider.adapter.inputsOf(this.#kindOf(name), args, { urn, previews });
    const { inputs, failures } = await provider.check(urn, old?.inputs ?? {}, news);
    if (failures.length > 0) throw new Error(failures.join("; "));
    // What a preview returns to the program, which then fails at its end.
    const { problem } = Object(inputs[programInput()]);
    if (typeof problem === "string") throw new Error(problem);
    if (!old) return { step: "create", inputs };
    if (replace !== "without diff") {
      const { changes, replaces } = await provider.diff(urn, old.id, old.outputs, inputs);
      const isReplaced = replaces || (replace === "unchanged" && !changes);
      if (!isReplaced) return { step: changes || old.unfinished ? "update" : "same", inputs, old };
    }
    // The engine checks a replacement as something new.
    return { step: "replace", inputs: (await provider.check(urn, {}, news)).inputs, old };
  }

  /**
   * What the engine then calls, and what it records: of some failures, too.
   * @param {ProviderProcess} provider
   * @param {string} name
   * @param {Plan} plan
   * @returns {Promise<Outcome>}
   */
  async perform(provider, name, { step, inputs, old }) {
    if (old && step === "same") return { resource: { ...old, inputs } };
    const urn = this.#urnOf(provider, name);
    const updated = step === "update" ? old : undefined;
    try {
      const done = updated
        ? { id: updated.id, outputs: await provider.update(urn, updated.id, updated.outputs, inputs) }
        : await provider.create(urn, inputs);
      return { resource: { ...done, inputs, unfinished: false } };
    } catch (error) {
      if (!(error instanceof PartialFailure))
        return { error: error instanceof Error ? error : new Error(String(error)) };
      // The engine keeps the id and the old inputs of an update that fails.
      const kept = updated ?? { id: error.id, inputs };
      return { resource: { ...kept, outputs: error.outputs, unfinished: true }, error };
    }
  }

  /**
   * Until one fails.
   * @param {ProviderProcess} provider
   * @param {[string, Properties][]} declared
   */
  async #declareChained(provider, declared) {
    for (const [name, args] of declared) {
      const failures = await failuresOf([this.#declare(provider, name, args)]);
      if (failures.length > 0) return failures;
    }
    return [];
  }

  /** @param {ProviderProcess} provider @param {string} name @param {Properties} args */
  async #declare(provider, name, args) {
    const plan = await this.plan(provider, name, args);
    const { resource, error } = await this.perform(provider, name, plan);
    if (resource) {
      if (plan.old && plan.step === "replace") this.#replaced.push({ ...plan.old, name });
      this.resources.set(name, resource);
    }
    if (error) throw error;
  }

  /** @param {ProviderProcess} provider @param {string} name */
  async #forget(provider, name) {
    const old = this.resources.get(name);
    if (old) await provider.delete(this.#urnOf(provider, name), old.id, old.outputs);
    this.resources.delete(name);
  }

  /** @param {ProviderProcess} provider @param {string} name */
  async refreshOne(provider, name) {
    const old = this.resources.get(name);
    if (!old) return;
    const urn = this.#urnOf(provider, name);
    const { id, outputs } = await provider.read(urn, old.id, old.outputs);
    // A refresh forgets that a create was unfinished, and asks what an `up` would do about what was read.
    if (id === "") this.resources.delete(name);
    else this.resources.set(name, { ...old, id, outputs, unfinished: false });
    await provider.diff(urn, id, outputs, old.inputs);
  }

  /** @param {ProviderProcess} provider @param {string} name */
  #urnOf(provider, name) {
    return `urn:pulumi:test::test::${provider.adapter.typeOf(this.#kindOf(name))}::${name}`;
  }
}

/**
 * Waits for all, and gives what failed.
 * @param {Promise<unknown>[]} works
 */
async function failuresOf(works) {
  const outcomes = await Promise.allSettled(works);
  return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [messageOf(outcome.reason)] : []));
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

exports.Stack = Stack;
