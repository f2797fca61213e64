/**
 * Models the state of a stack and the calls that the Pulumi engine makes. The resources are independent, or each depends on the
 * previous resource.
 */
const { programInput, unknownValue } = require("./adapters");
const { PartialFailure } = require("./call");

/** @typedef {import("./provider").Provider} Provider */
/** @typedef {import("./provider").Properties} Properties */
/** @typedef {{id: string, inputs: Properties, outputs: Properties, unfinished: boolean}} Resource */
/** @typedef {{step: "create" | "update" | "replace" | "same", inputs: Properties, old?: Resource | undefined}} Plan */
/** @typedef {{resource?: Resource, error?: Error}} Outcome */
/** @typedef {"unseen" | "without diff" | "unchanged"} Replace the reason for a replacement: `--replace`, `replaceWith`, or the engine itself */
/** @typedef {Readonly<Record<string, Properties>>} Program the declared arguments, by resource name */

/**
 * A call as data. The stack adds the old values from its state and the inputs that the last check returned.
 *
 * @typedef {object} Call
 * @property {"check" | "diff" | "create" | "update" | "read" | "import" | "delete"} verb
 * @property {string} name the name of the resource
 * @property {Properties} [args] the declared arguments of a check
 * @property {string} [id] the ID of an import
 * @property {true} [previews]
 * @property {true} [isNew] set if the engine calls without old inputs, as if the stack didn't contain the resource
 */

/** An output of another resource, as an argument. Its value is unknown until that resource is created. */
class Output {
  #resource;
  #property;

  /** @param {string} resource @param {string} property */
  constructor(resource, property) {
    this.#resource = resource;
    this.#property = property;
  }

  /** @param {ReadonlyMap<string, Resource>} resources */
  read(resources) {
    return resources.get(this.#resource)?.outputs[this.#property] ?? unknownValue();
  }
}

class Stack {
  /** @type {Map<string, Resource>} */
  resources = new Map();
  /** All calls so far, oldest first. @type {Call[]} */
  calls = [];
  /** The properties that a remediating policy sets, by resource name. @type {Record<string, Properties>} */
  policy = {};
  /** Replaced resources that aren't deleted yet. @type {(Resource & {name: string})[]} */
  #replaced = [];
  /** The inputs that the last check of a resource returned. @type {Map<string, Properties>} */
  #checked = new Map();
  #getResourceType;

  /** @param {(name: string) => import("./adapters").ResourceType} [getResourceType] returns the type of the resource with this name */
  constructor(getResourceType = () => "IncidentUpdate") {
    this.#getResourceType = getResourceType;
  }

  /**
   * Creates and updates the declared resources, and deletes all others unless something failed.
   *
   * @param {Provider} provider
   * @param {Program} program
   * @param {boolean} [chained] whether each resource depends on the one before it
   * @returns {Promise<string[]>} the provider's error messages
   */
  async up(provider, program, chained = false) {
    const declared = Object.entries(program);
    const failures = chained
      ? await this.#declareChained(provider, declared)
      : await listFailures(declared.map(([name, args]) => this.#declare(provider, name, args)));
    if (failures.length > 0) return failures;
    const removed = [...this.resources.keys()].filter((name) => !(name in program));
    const deleted = [...this.#replaced.map(({ name }) => name), ...removed];
    return listFailures(deleted.map((name) => this.remove(provider, name)));
  }

  /** Deletes a resource that the program no longer declares, or a replaced resource. @param {Provider} provider @param {string} name */
  remove(provider, name) {
    return this.#ask(provider, { verb: "delete", name });
  }

  /**
   * Plans an `up`.
   *
   * @param {Provider} provider
   * @param {Program} program
   * @param {boolean} [chained] whether each resource depends on the one before it
   * @returns {Promise<string[]>} `create`, `update`, `replace` or an error message for each changed resource
   */
  async preview(provider, program, chained = false) {
    /** @type {Promise<string>[]} */
    const steps = [];
    for (const [name, args] of Object.entries(program)) {
      steps.push(this.#previewResource(provider, name, args));
      if (chained) await Promise.allSettled(steps);
    }
    const planned = await Promise.allSettled(steps);
    return planned
      .map((plan) => (plan.status === "rejected" ? getMessage(plan.reason) : plan.value))
      .filter((step) => step !== "same");
  }

  /** @param {Provider} provider */
  refresh(provider) {
    return listFailures([...this.resources.keys()].map((name) => this.refreshOne(provider, name)));
  }

  /** @param {Provider} provider @param {string} name */
  async refreshOne(provider, name) {
    const old = this.resources.get(name);
    if (!old) return;
    await this.#ask(provider, { verb: "read", name });
    // The engine calls `diff` with the inputs that it has just read.
    this.#checked.set(name, this.resources.get(name)?.inputs ?? {});
    if (this.resources.has(name)) await this.#ask(provider, { verb: "diff", name });
  }

  /**
   * Repeats the calls of a command.
   * @param {Provider} provider @param {readonly Call[]} calls
   * @returns {Promise<string[]>} the error messages
   */
  async repeat(provider, calls) {
    /** @type {string[]} */
    const failures = [];
    for (const call of calls) {
      const { verb, name, previews } = call;
      const isWrite = !previews && (verb === "create" || verb === "update");
      const work = isWrite
        ? this.#do(provider, name, {
            ...{ step: verb, inputs: this.#checked.get(name) ?? {} },
            old: this.resources.get(name),
          })
        : this.#ask(provider, call);
      failures.push(...(await listFailures([work])));
    }
    return failures;
  }

  /**
   * Calls `check` and `diff`, and returns the operation that the engine then plans.
   * @param {Provider} provider
   * @param {string} name
   * @param {Properties} args
   * @param {{previews?: true, replace?: Replace | undefined}} [options]
   * @returns {Promise<Plan>}
   */
  async plan(provider, name, args, { previews, replace } = {}) {
    const known = this.resources.get(name);
    const old = replace === "unseen" ? undefined : known;
    const of = { name, ...(previews && { previews }) };
    const isUnseen = known && !old;
    const inputs = await this.#check(provider, {
      verb: "check",
      ...of,
      args: Object.fromEntries(
        Object.entries(args).map(([property, value]) => [
          property,
          value instanceof Output ? value.read(this.resources) : value,
        ]),
      ),
      ...(isUnseen && { isNew: true }),
    });
    if (!old) return { step: "create", inputs };
    if (replace !== "without diff") {
      const { changes, replaces } = await this.#ask(provider, { verb: "diff", ...of });
      const isReplaced = replaces || (replace === "unchanged" && !changes);
      if (!isReplaced) return { step: changes || old.unfinished ? "update" : "same", inputs, old };
    }
    // The engine checks a replacement like a new resource.
    return {
      step: "replace",
      inputs: await this.#check(provider, { verb: "check", ...of, args, isNew: true }),
      old,
    };
  }

  /**
   * Performs a planned operation. Returns the resource to record, which some failures also return, and the error.
   * @param {Provider} provider
   * @param {string} name
   * @param {Plan} plan
   * @returns {Promise<Outcome>}
   */
  async perform(provider, name, { step, inputs, old }) {
    if (old && step === "same") return { resource: { ...old, inputs } };
    const updated = step === "update" ? old : undefined;
    try {
      const { id, outputs } = await this.#ask(provider, { verb: updated ? "update" : "create", name });
      return { resource: { id: updated?.id ?? id, inputs, outputs, unfinished: false } };
    } catch (error) {
      if (!(error instanceof PartialFailure))
        return { error: error instanceof Error ? error : new Error(String(error)) };
      // If an update fails, the engine keeps its ID and its old inputs.
      const kept = updated ?? { id: error.id, inputs };
      return { resource: { ...kept, outputs: error.outputs, unfinished: true }, error };
    }
  }

  /** @param {Provider} provider @param {string} name @param {Properties} args */
  async #previewResource(provider, name, args) {
    const { step } = await this.plan(provider, name, args, { previews: true });
    if (provider.adapter.creates && step !== "same")
      await this.#ask(provider, { verb: step === "update" ? "update" : "create", name, previews: true });
    return step;
  }

  /**
   * Declares the resources one after the other, until one fails.
   * @param {Provider} provider
   * @param {[string, Properties][]} declared
   */
  async #declareChained(provider, declared) {
    for (const [name, args] of declared) {
      const failures = await listFailures([this.#declare(provider, name, args)]);
      if (failures.length > 0) return failures;
    }
    return [];
  }

  /** @param {Provider} provider @param {string} name @param {Properties} args */
  async #declare(provider, name, args) {
    await this.#do(provider, name, await this.plan(provider, name, args));
  }

  /** @param {Provider} provider @param {string} name @param {Plan} plan */
  async #do(provider, name, plan) {
    const { resource, error } = await this.perform(provider, name, plan);
    const isCreated = plan.step === "replace" || plan.step === "create";
    if (resource && plan.old && isCreated) this.#replaced.push({ ...plan.old, name });
    if (resource) this.resources.set(name, resource);
    if (error) throw error;
  }

  /** @param {Provider} provider @param {Call} call */
  async #check(provider, call) {
    await this.#ask(provider, call);
    return this.#checked.get(call.name) ?? {};
  }

  /** Makes a call and records its result, except for a create or an update, whose caller records it. @param {Provider} provider @param {Call} call */
  async #ask(provider, call) {
    this.calls.push(call);
    const { verb, name, args = {}, id = "", previews = false } = call;
    const { adapter } = provider;
    const urn = `urn:pulumi:test::test::${adapter.getToken(this.#getResourceType(name))}::${name}`;
    const known = this.resources.get(name);
    const old = known ?? { id: "", inputs: {}, outputs: {}, unfinished: false };
    const inputs = this.#checked.get(name) ?? {};
    const nothing = { id: old.id, outputs: old.outputs, changes: false, replaces: false };
    switch (verb) {
      case "check": {
        const news = adapter.toInputs(this.#getResourceType(name), args, { urn, previews });
        const { inputs, failures } = await provider.check(urn, call.isNew ? {} : old.inputs, news);
        if (failures.length > 0) throw new Error(failures.join("; "));
        // A preview returns a problem as an input. The program then fails at its end.
        const { problem } = Object(inputs[programInput()]);
        if (typeof problem === "string") throw new Error(problem);
        // The engine ignores a policy's changes of a replacement.
        this.#checked.set(name, { ...inputs, ...(!call.isNew && this.policy[name]) });
        return nothing;
      }
      case "diff":
        return { ...nothing, ...(await provider.diff(urn, old.id, old.outputs, inputs)) };
      case "create":
        return { ...nothing, ...(await provider.create(urn, inputs, previews)) };
      case "update":
        return { ...nothing, outputs: await provider.update(urn, old.id, old.outputs, inputs, previews) };
      case "read": {
        const { inputs: readInputs, ...read } = await provider.read(urn, old.id, old.outputs, old.inputs);
        // After a refresh, an unfinished create is treated as finished.
        if (read.id === "") this.resources.delete(name);
        else
          this.resources.set(name, {
            ...old,
            ...read,
            ...(Object.keys(readInputs).length > 0 && { inputs: readInputs }),
            unfinished: false,
          });
        return { ...nothing, ...read };
      }
      case "import": {
        const read = await provider.read(urn, id, {});
        this.resources.set(name, { unfinished: false, ...read });
        return { ...nothing, ...read };
      }
      case "delete": {
        const replaced = this.#replaced.find((each) => each.name === name);
        const gone = replaced ?? old;
        await provider.delete(urn, gone.id, gone.outputs);
        this.#replaced = this.#replaced.filter((each) => each !== replaced);
        if (!replaced) this.resources.delete(name);
        return nothing;
      }
    }
  }
}

/**
 * Waits for all results and returns the error messages.
 * @param {Promise<unknown>[]} works
 */
async function listFailures(works) {
  const outcomes = await Promise.allSettled(works);
  return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [getMessage(outcome.reason)] : []));
}

/** @param {unknown} error */
function getMessage(error) {
  return error instanceof Error ? error.message : String(error);
}

exports.Output = Output;
exports.Stack = Stack;
