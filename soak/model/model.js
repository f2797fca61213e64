/** What a stack declares and remembers, and from that what the public is to see next. */

/** @typedef {{version: number, resend: boolean}} Declared */
/**
 * Published when it says as which update, unconfirmed when it says what had been seen before.
 * @typedef {Declared & {id?: string, seen?: ReadonlySet<string>}} Tracked
 */
/** @typedef {{id: string, status: string, description: string}} Update */
/** @typedef {"create" | "replace" | "update" | "same" | "refused"} Step */
/**
 * What an `up` comes to for one name.
 * @typedef {{step: Step, fails: boolean, posts: string[], tracked: Tracked | undefined}} Outcome What is tracked without
 * an id is the update that then says this.
 */

const statuses = /** @type {const} */ ({ a: "INVESTIGATING", b: "IDENTIFIED", c: "MONITORING" });
const names = /** @type {const} */ (["a", "b", "c"]);
/** @typedef {(typeof names)[number]} Name */

/** Of the keys, the one that the service knows no more. */
const revoked = 2;
/** How updates begin that someone wrote by hand. */
const edited = "Edited by hand";

/** @param {Name} name @param {number} version */
const words = (name, version) => `Update ${name}, in its words number ${version}.`;

class Model {
  /** @type {Map<Name, Declared>} */
  declared = new Map();
  /** @type {Map<Name, Tracked>} */
  tracked = new Map();
  /** What the configuration says. */
  access = { account: "own", key: 0 };
  /** What it said in the last `up`: refresh and destroy go by that. */
  stateAccess = this.access;

  /** The program that is declared, without the incident and the account. */
  get program() {
    return Object.fromEntries(
      [...this.declared].map(([name, { version, resend }]) => {
        const onUnconfirmed = resend ? "resend" : "fail";
        return [name, { status: statuses[name], description: words(name, version), onUnconfirmed }];
      }),
    );
  }

  /** Whether an `up` looks for a lost post that isn't there. @param {readonly Update[]} history */
  looksInVain(history) {
    return [...this.tracked].some(([name, { seen, version }]) => seen && !standsIn(history, name, version));
  }

  /** What the public saw so far decides what it is to see. @param {readonly Update[]} history @returns {Map<Name, Outcome>} */
  next(history) {
    return new Map([...this.declared.keys()].map((name) => [name, this.#outcomeOf(name, history)]));
  }

  /** @param {Name} name @param {readonly Update[]} history @returns {Outcome} */
  #outcomeOf(name, history) {
    const declared = this.declared.get(name);
    const old = this.tracked.get(name);
    if (!declared) throw new Error(`${name} is not declared.`);
    const reachable = isReachable(this.access);
    const stands = (/** @type {number} */ version) => standsIn(history, name, version);
    const published = {
      fails: false,
      posts: stands(declared.version) ? [] : [words(name, declared.version)],
      tracked: declared,
    };
    const failed = { fails: true, posts: [], tracked: old };
    if (!old) return { step: "create", ...(reachable ? published : failed) };
    if (this.access.account !== "own") return { step: "refused", ...failed };
    const rewords = old.version !== declared.version;
    if (!old.seen) {
      if (rewords) return { step: "replace", ...(reachable ? published : failed) };
      const step = old.resend === declared.resend ? "same" : "update";
      return { step, fails: false, posts: [], tracked: { ...old, resend: declared.resend } };
    }
    const settled = stands(old.version) || (declared.resend && !lookalike(name, old.seen, history));
    return { step: "update", ...(reachable && settled ? published : failed) };
  }
}

/** @param {readonly Update[]} history @param {Name} name @param {number} version */
function standsIn(history, name, version) {
  return history.some(({ description }) => description === words(name, version));
}

/** What an `up` is to publish. @param {ReadonlyMap<Name, Outcome>} outcomes */
function wantedBy(outcomes) {
  return [...outcomes.values()].flatMap(({ posts }) => posts);
}

/** @param {Model["access"]} access */
function isReachable({ account, key }) {
  return account === "own" && key !== revoked;
}

/** Whether one that nobody had seen says something else now: it may be what was posted. @param {Name} name @param {ReadonlySet<string>} seen @param {readonly Update[]} history */
function lookalike(name, seen, history) {
  return history.some(
    ({ id, status, description }) =>
      status === statuses[name] && !seen.has(id) && description.startsWith(edited),
  );
}

module.exports = { edited, isReachable, Model, names, revoked, statuses, wantedBy, words };
