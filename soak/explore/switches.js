/**
 * Rules of the protocol, switched off one at a time: each must be caught by the configuration that is named. `old`: a rule of
 * release 0.1, or what it lacked.
 */

/**
 * @typedef {object} Switch
 * @property {string} name what the protocol then does
 * @property {readonly import("./core").Replacement[]} replacements
 * @property {string} [caughtBy] a configuration
 * @property {boolean} [old]
 */

/** @param {string} name @param {string} file @param {string} text @param {string} by @returns {Switch} */
const off = (name, file, text, by) => ({ name, replacements: [{ file, text, by }] });

/** @type {readonly Switch[]} */
const switches = [
  // What 0.1 did.
  {
    ...off(
      "A, B, A is recognized by the order of the shown history",
      "choose",
      "if (past !== undefined || !current ||",
      "if (!current ||",
    ),
    old: true,
  },
  off(
    "A, B, A is adopted",
    "choose",
    "  if (before) return failed",
    "  if (before && !before) return failed",
  ),
  {
    name: "A, B, A is decided by the order of the shown history alone",
    old: true,
    replacements: [
      { file: "choose", text: "  if (before) return failed", by: "  if (before && !before) return failed" },
      { file: "choose", text: "if (past !== undefined || !current ||", by: "if (!current ||" },
    ],
  },
  {
    ...off(
      "adopts what another resource has",
      "choose",
      "otherOwner(ledger, resource, id) === undefined);\n  const [pick]",
      "id !== undefined);\n  const [pick]",
    ),
    old: true,
  },
  {
    ...off(
      "records no lineage",
      "finish",
      "const { past = [], current } = lineage;",
      "const { past = [], current } = { past: [], current: undefined, ...(lineage && {}) } as typeof lineage;",
    ),
    old: true,
  },
  {
    ...off(
      "posts on a full history",
      "choose",
      "if (!ledger.view.complete && !consent?.isSame)",
      "if (ledger.service === '')",
    ),
    old: true,
  },
  {
    ...off(
      "ignores onChange while the update is unconfirmed",
      "settle",
      'if (declared.onChange === "refuse")',
      'if (declared.onChange === "refuse" && was.incidentId === "")',
    ),
    old: true,
  },
  {
    ...off(
      "checks the order of a timeline only when the history is full",
      "choose",
      "if (later.size === 0) return undefined;",
      "if (later.size === 0 || ledger.view.complete) return undefined;",
    ),
    old: true,
  },
  {
    ...off(
      "a consent drops the notes of all identical posts",
      "choose",
      "nonce === consent?.nonce) return false",
      "consent !== undefined) return false",
    ),
    old: true,
  },
  {
    ...off(
      "an update that was found loses its note",
      "choose",
      "if (mayAppearUntil <= now ||",
      "if (mayAppearUntil <= now || id !== undefined ||",
    ),
    old: true,
  },
  {
    ...off(
      "a consent counts for every post",
      "search",
      'consumed: declared.onUnconfirmed === "resend"',
      "consumed: false",
    ),
    old: true,
  },
  {
    ...off(
      "counts an update twice that the list holds twice",
      "ledger",
      "const latest = new Map(shown.map((update) => [update.id, update]));",
      "const latest = new Map(shown.map((update, index) => [`${update.id}${index}`, update]));",
    ),
    old: true,
  },
  {
    ...off(
      "a forced replacement forgets what the state holds",
      "index",
      'if (plan?.kind === "keeps" && !unsettled && isStill(plan.recorded, declared))',
      'if (plan?.kind === "keeps" && !unsettled && plan.recorded.id === "")',
    ),
    old: true,
  },
  {
    ...off(
      "settles with what another resource has",
      "search",
      "const free = candidates.filter(({ id }) => !ownerOf(id));",
      "const free = candidates.filter(({ id }) => !ownerOf(id) || id !== '');",
    ),
    old: true,
  },
  // Ledger.
  off("forgets what an earlier read showed", "ledger", "...known.filter(({ id }) => !latest.has(id))]", "]"),
  off(
    "takes a full history for complete after a complete one",
    "ledger",
    "(ledger.view.complete && overlaps)",
    "ledger.view.complete",
  ),
  off(
    "a found update of a refresh counts as another resource's",
    "ledger",
    "return owner && !owner.refreshed && owner.by",
    "return owner && owner.by",
  ),
  off(
    "a replaced resource keeps its update",
    "ledger",
    "withPlan(withoutOwner(known, resource, id), resource, plan)",
    "withPlan(known, resource, plan)",
  ),
  off(
    "two resources keep one update",
    "ledger",
    "if (twin !== undefined) return",
    "if (twin !== undefined && twin === '') return",
  ),
  off(
    "learns nothing about ids from the state",
    "ledger",
    'if (ids !== "unknown") return false;\n  return [0',
    'if (ids !== "off") return false;\n  return [0',
  ),
  off(
    "an entry of a timeline can't change its occurrence",
    "ledger",
    "declared.followedBy !== undefined ? {",
    'declared.incidentId === "" ? {',
  ),
  // Choosing.
  off(
    "does not recognize twins",
    "choose",
    "if (twin) return failed(ledger, task, {",
    "if (twin && twin.by === '') return failed(ledger, task, {",
  ),
  off(
    "does not recognize twins by the id",
    "choose",
    "if (isTwin || id === ownId(ledger.service, declared, attempt))",
    "if (isTwin && attempt >= 0)",
  ),
  off(
    "a refresh makes twins",
    "choose",
    "if (owner.by === resource || owner.refreshed) continue;",
    "if (owner.by === resource) continue;",
  ),
  off(
    "counts only what the history shows",
    "choose",
    "standing.length + declaredElsewhere(ledger, task, standing).length",
    "standing.length",
  ),
  off(
    "doesn't count what the resource had",
    "choose",
    "[...others, ...(pastWith(lineage) ?? [])]",
    "[...others, ...(lineage ? [] : [])]",
  ),
  off("takes the first free update", "choose", "[standing[declared.occurrence - 1], ...free]", "[...free]"),
  off(
    "an update is ours by its text alone",
    "choose",
    'if (ids === "off") return false;\n',
    "if (ids) return false;\n",
  ),
  off(
    "posts a second occurrence before the first",
    "choose",
    "(count < declared.occurrence - 1 &&",
    "(count < 0 &&",
  ),
  off("ignores that another resource is unconfirmed", "choose", "    unsettledTwin(ledger, task) ||\n", ""),
  off("a resource of which nothing was sent is an obstacle", "choose", " || plan.recorded.nothingSent)", ")"),
  off("a resource that was given up is an obstacle", "choose", " || plan.isConsented", ""),
  off(
    "ignores what check found when diff isn't called",
    "choose",
    "    undecidedChange(ledger, resource) ||\n",
    "",
  ),
  off(
    "ignores the order of a timeline before a post",
    "choose",
    "    undecidedChange(ledger, resource) ||\n    orderRefusal(ledger, task);",
    "    undecidedChange(ledger, resource);",
  ),
  off(
    "ignores entries that the state shows as public",
    "choose",
    "[...others.filter((owner) => later.has(entryKey(owner.key, owner.occurrence))), ...counted]",
    "[...counted]",
  ),
  off(
    "counts no entries that the history doesn't show",
    "choose",
    "const counted = [...unseen, ...shown]",
    "const counted = [...unseen.slice(0, 0), ...shown]",
  ),
  off("ignores notes", "choose", "if (mayAppearUntil <= now ||", "if (now >= 0 ||"),
  off(
    "waits for a note although its update is shown",
    "choose",
    "  if (id !== undefined && ledger.view.updates.some((update) => update.id === id)) return false;\n",
    "",
  ),
  off(
    "doesn't wait for later entries of a timeline",
    "choose",
    "if (declared.followedBy?.includes(entryKey(key, occurrence))) return true;",
    "",
  ),
  off(
    "waits for what another resource has",
    "choose",
    "(id === undefined || otherOwner(ledger, resource, id) === undefined)",
    "id !== ''",
  ),
  off(
    "doesn't ask for an update that a note names",
    "choose",
    "if (unread?.id !== undefined) return ask(ledger, task, unread.id);",
    "",
  ),
  off(
    "a consent to another content permits a post on a full history",
    "choose",
    "!consent?.isSame) {",
    "!consent) {",
  ),
  off(
    "an honoured id permits a post on a full history without a look",
    "choose",
    "if (!task.asked.includes(id)) return ask(ledger, task, id);",
    "",
  ),
  off(
    "honoured ids don't matter on a full history",
    "choose",
    'const isKnownById = ledger.ids === "honoured" && id',
    'const isKnownById = ledger.service === "" && id',
  ),
  off(
    "learns nothing about ids from the history",
    "choose",
    'if (ledger.ids !== "unknown") return ledger;\n',
    "if (ledger.ids) return ledger;\n",
  ),
  off(
    "the history before a post is that of the service alone",
    "choose",
    "...owners.keys()]",
    "...[...owners.keys()].slice(0, 0)]",
  ),
  // Settling.
  off(
    "settles only by what is free",
    "search",
    "if (left && candidates.length > 0)",
    "if (left && candidates.length < 0)",
  ),
  off(
    "any identical update settles a post",
    "search",
    "const candidates = standing.filter(isNew);",
    "const candidates = standing.filter((update) => isNew(update) || update.id !== '');",
  ),
  off(
    "the clock doesn't matter after a full history",
    "search",
    "(seen.ids.length < fullFrom || notBefore(created, seen.newest, clockSkewMs))",
    "(seen.ids.length < fullFrom || created !== '' || clockSkewMs < 0 || notBefore(created, ''))",
  ),
  off(
    "does not say which resource has the update",
    "settle",
    "  if (heldBy) {\n",
    "  if (heldBy && heldBy.by === '') {\n",
  ),
  off(
    "a later declaration of an unconfirmed resource is not found by the lookalike",
    "settle",
    "if (miss.lookalike && !isElsewhere && matches(declared, miss.lookalike))",
    "if (miss.lookalike && isElsewhere && matches(declared, miss.lookalike))",
  ),
  off(
    "resends before later entries",
    "settle",
    "if (order) return failed",
    "if (order && order.why !== 'later') return failed",
  ),
  off(
    "a consent is never renewed",
    "settle",
    'declared.onUnconfirmed === "fail" ? { ...unsettled, consumed: false } : unsettled',
    "unsettled",
  ),
  off("a consumed consent counts", "settle", '"fail" || consumed || miss', '"fail" || miss'),
  off(
    "resends although an unseen lookalike stands there",
    "settle",
    "consumed || miss.lookalike || isBlocked",
    "consumed || isBlocked",
  ),
  off(
    "resends although the history can't be read",
    "settle",
    "|| miss.lookalike || isBlocked) {",
    "|| miss.lookalike) {",
  ),
  off("a consent drops no note", "choose", "drop: consent?.nonce }", "drop: undefined }"),
  off(
    "a consent waits for the lost post",
    "choose",
    " || nonce === consent?.nonce) return false",
    ") return false",
  ),
  off(
    "the found update is no predecessor",
    "settle",
    "lineage: { past, current: pastOf(settled) } }",
    "lineage: { past } }",
  ),
  off(
    "the settled update is not recorded when the next fails",
    "settle",
    "    settled,\n    unsettled: undefined,",
    "    unsettled: undefined,",
  ),
  off(
    "a lost post doesn't know its predecessors",
    "search",
    "      past,\n    },",
    "      past: [],\n    },",
  ),
  off(
    "a found update keeps no note",
    "settle",
    "applied: nonce === undefined ? given.applied :",
    "applied: nonce !== undefined ? given.applied :",
  ),
  off(
    "a posted update keeps no id in its note",
    "finish",
    "const applied = nonce === undefined ? task.applied :",
    "const applied = nonce !== undefined ? task.applied :",
  ),
  off(
    "a failed resource keeps what it gives up",
    "finish",
    "if (isGivenUp) return",
    "if (isGivenUp && resource === '') return",
  ),
  off(
    "a consented resource is an obstacle again after a failure",
    "finish",
    "return isKnown ? ledger : withPlan",
    "return isKnown && resource === '' ? ledger : withPlan",
  ),
  // Ids.
  off(
    "looks for a lost post in the history alone",
    "search",
    'if (ids !== "unknown" && ids !== "honoured") return [];',
    "if (ids) return [];",
  ),
  off(
    "looks for a lost post by the last id alone",
    "search",
    "(_, index) => ownId(service, declared, index)",
    "() => ownId(service, declared, attempt)",
  ),
  off(
    "a resend repeats an id that is taken",
    "search",
    "post.isTaken || task.consent?.isSame ? attempt + 1 : attempt",
    "task.consent?.isSame ? attempt + 1 : attempt",
  ),
  off(
    "a second resend repeats the id",
    "search",
    "post.isTaken || task.consent?.isSame ? attempt + 1 : attempt",
    "post.isTaken ? attempt + 1 : attempt",
  ),
  off(
    "a first resend takes the next id",
    "index",
    "attempt: isSame ? (unsettled.attempt ?? 0) : 0,",
    "attempt: isSame ? (unsettled.attempt ?? 0) + 1 : 0,",
  ),
  off(
    "a taken id of another resource is searched for",
    "search",
    "if (heldBy && post.isTaken) return",
    "if (heldBy && post.isTaken && post.id === '') return",
  ),
  off(
    "a service that rejects ids is never asked without",
    "index",
    'if (ledger.ids === "unknown") {',
    'if (ledger.ids === "off") {',
  ),
  off(
    "an invalid update is sent again although ids are honoured",
    "index",
    'if (ledger.ids === "honoured") return',
    'if (ledger.ids === "off") return',
  ),
  off(
    "a conflict is searched for although ids are ignored",
    "index",
    'if (event.isTaken && ledger.ids === "ignored")',
    'if (event.isTaken && ledger.ids === "off")',
  ),
  off(
    "learns nothing about ids from a response",
    "index",
    'event.update.id === post.id ? "honoured" : "ignored"',
    'event.update.id === post.id ? "unknown" : "unknown"',
  ),
  off(
    "an edited update with our id is another",
    "index",
    "const isOurs = event.update !== undefined &&",
    "const isOurs = event.update !== undefined && event.id === '' &&",
  ),
  off(
    "an unconfirmed update of which nothing was sent is searched for",
    "index",
    "unsettled !== undefined && unsettled.nothingSent !== true;",
    "unsettled !== undefined;",
  ),
  off(
    "what was only refused is published with the ledger of the old incident",
    "index",
    "if (!settles && unsettled && unsettled.declared.incidentId !== declared.incidentId) {",
    "if (!settles && unsettled && unsettled.declared.incidentId === '') {",
  ),
];

module.exports = { switches };
