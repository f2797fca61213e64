/** What a stack declares and remembers, and from that what the public is to see next. */

/** @typedef {{version: number, resend: boolean, notify: boolean, occurrence: number}} Declared */
/**
 * Published when it says as which update, unconfirmed when it says what had been seen before.
 * @typedef {Declared & {id?: string, seen?: ReadonlySet<string>}} Tracked
 */
/** @typedef {{id: string, status: string, description: string, created_at?: string | null}} Update */
/** @typedef {"create" | "replace" | "update" | "same" | "refused"} Step */
/**
 * What an `up` comes to for one name.
 * @typedef {{step: Step, fails: boolean, posts: string[], tracked: Tracked | undefined}} Outcome What is tracked without
 * an id is the update that is then posted.
 */

const statuses = /** @type {const} */ ({ a: "INVESTIGATING", b: "IDENTIFIED", c: "MONITORING" });
const updates = /** @type {const} */ (["a", "b", "c"]);
/** An update of the program, whatever its resource is called. @typedef {(typeof updates)[number]} UpdateName */
/** What its resource is called, at first and after a rename. @typedef {UpdateName | `${UpdateName}-renamed`} Name */

/** Of the keys, the one that the service knows no more. */
const revoked = 2;
/** How updates begin that someone wrote by hand. */
const edited = "Edited by hand";

/** @param {Name} name @returns {UpdateName} */
const updateOf = (name) => /** @type {UpdateName} */ (name[0]);

/** @param {Name} name @param {number} version */
const words = (name, version) => `Update ${updateOf(name)}, in its words number ${version}.`;

class Model {
  /** @type {Map<Name, Declared>} */
  declared = new Map();
  /** @type {Map<Name, Tracked>} */
  tracked = new Map();
  /** What the configuration says. */
  access = { account: "own", key: 0 };
  /** What it said in the last `up`: refresh and destroy go by that. */
  stateAccess = this.access;
  /** How often something was declared to be public: its highest occurrence, by its words. @type {Map<string, number>} */
  most = new Map();
  /** What the resources are called. @type {Record<UpdateName, Name>} */
  #names = { a: "a", b: "b", c: "c" };

  /** The program that is declared, without the incident and the account. */
  get program() {
    return Object.fromEntries(
      [...this.declared].map(([name, { version, resend, notify, occurrence }]) => {
        const content = { status: statuses[updateOf(name)], description: words(name, version), occurrence };
        const onUnconfirmed = resend ? "resend" : "fail";
        return [name, { ...content, notifySubscribers: notify, onUnconfirmed }];
      }),
    );
  }

  /** Another stack of the same program. */
  get another() {
    const other = new Model();
    other.declared = new Map(this.declared);
    other.access = this.access;
    return other;
  }

  /** @param {UpdateName} update */
  nameOf(update) {
    return this.#names[update];
  }

  /** @param {UpdateName} update @param {Partial<Declared>} declared what differs from a plain declaration */
  declare(update, declared) {
    const whole = { version: 1, resend: false, notify: false, occurrence: 1, ...declared };
    this.declared.set(this.#names[update], whole);
    const wanted = words(update, whole.version);
    this.most.set(wanted, Math.max(whole.occurrence, this.most.get(wanted) ?? 0));
  }

  /** @param {UpdateName} update */
  turnFlag(update) {
    const declared = this.declared.get(this.#names[update]);
    if (declared) this.declare(update, { ...declared, notify: !declared.notify });
  }

  /**
   * Its resource gets another name, without an alias; but not one that is unconfirmed: it forgets that it was sent.
   * @param {UpdateName} update
   */
  rename(update) {
    const name = this.#names[update];
    const declared = this.declared.get(name);
    if (!declared || this.tracked.get(name)?.seen) return;
    this.declared.delete(name);
    this.#names[update] = name === update ? `${update}-renamed` : update;
    this.declare(update, declared);
  }

  /** Whether an `up` looks for a lost post that isn't there. @param {readonly Update[]} history */
  looksInVain(history) {
    return [...this.tracked].some(
      ([name, { seen, version }]) => seen && !foundIn(history, name, version, seen),
    );
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
    const failed = { fails: true, posts: [], tracked: old };
    /** @param {string} [replaced] the id of the update that is replaced */
    const published = (replaced) => publicationOf(name, declared, history, replaced) ?? failed;
    const reachable = isReachable(this.access);
    if (!old) return { step: "create", ...(reachable ? published() : failed) };
    if (this.access.account !== "own") return { step: "refused", ...failed };
    const rewords = old.version !== declared.version || old.occurrence !== declared.occurrence;
    if (!old.seen) {
      if (rewords) return { step: "replace", ...(reachable ? published(old.id) : failed) };
      const same = old.resend === declared.resend && old.notify === declared.notify;
      const tracked = { ...declared, ...(old.id !== undefined && { id: old.id }) };
      return { step: same ? "same" : "update", fails: false, posts: [], tracked };
    }
    if (!reachable) return { step: "update", ...failed };
    const found = foundIn(history, name, old.version, old.seen);
    if (!found)
      return { step: "update", ...(this.#goesOn(name, declared, old, history) ? published() : failed) };
    const settled = { fails: false, posts: [], tracked: { ...declared, id: found.id } };
    return { step: "update", ...(rewords ? published(found.id) : settled) };
  }

  /**
   * Whether what is declared is published although the lost post isn't found.
   * @param {Name} name
   * @param {Declared} declared
   * @param {Tracked} old
   * @param {readonly Update[]} history
   */
  #goesOn(name, declared, { version, seen }, history) {
    const lookalike = history.find(
      ({ id, status, description }) =>
        status === statuses[updateOf(name)] && !seen?.has(id) && description !== words(name, version),
    );
    return lookalike ? lookalike.description === words(name, declared.version) : declared.resend;
  }
}

/**
 * Adopts the update when it exists, otherwise posts it. Undefined when it is refused: what exists is older than what it
 * would replace, or an earlier occurrence is missing.
 *
 * @param {Name} name
 * @param {Declared} declared
 * @param {readonly Update[]} history
 * @param {string} [replaced]
 */
function publicationOf(name, declared, history, replaced) {
  const { version, occurrence } = declared;
  const existing = standingIn(history, name, version);
  const adopted = existing[occurrence - 1];
  if (adopted) {
    if (isOlder(adopted.id, replaced, history)) return undefined;
    return { fails: false, posts: [], tracked: { ...declared, id: adopted.id } };
  }
  if (existing.length < occurrence - 1) return undefined;
  return { fails: false, posts: [words(name, version)], tracked: declared };
}

/** The updates with these words, oldest first. @param {readonly Update[]} history @param {Name} name @param {number} version */
function standingIn(history, name, version) {
  return oldestFirst(history).filter(({ description }) => description === words(name, version));
}

/**
 * What became of a post after `seen`.
 * @param {readonly Update[]} history
 * @param {Name} name
 * @param {number} version
 * @param {ReadonlySet<string>} seen
 */
function foundIn(history, name, version, seen) {
  return standingIn(history, name, version).find(({ id }) => !seen.has(id));
}

/** @param {string} id @param {string | undefined} other @param {readonly Update[]} history */
function isOlder(id, other, history) {
  const ids = oldestFirst(history).map((update) => update.id);
  return other !== undefined && ids.indexOf(id) < ids.indexOf(other);
}

/** By the dates that the service gives; among equal ones by its order. @param {readonly Update[]} history newest first */
function oldestFirst(history) {
  const dateOf = (/** @type {Update} */ { created_at }) => Date.parse(created_at ?? "");
  return [...history].reverse().sort((one, other) => dateOf(one) - dateOf(other));
}

/** What an `up` is to publish. @param {ReadonlyMap<Name, Outcome>} outcomes */
function wantedBy(outcomes) {
  return [...outcomes.values()].flatMap(({ posts }) => posts);
}

/** @param {Model["access"]} access */
function isReachable({ account, key }) {
  return account === "own" && key !== revoked;
}

module.exports = {
  edited,
  foundIn,
  isReachable,
  Model,
  revoked,
  standingIn,
  statuses,
  updates,
  wantedBy,
  words,
};
