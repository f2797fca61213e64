/**
 * Changes that no test can notice, because nothing that anybody sees depends on them: for a file, the reason, and the lines before and after,
 * as the stage prints them. One that is no survivor any more fails the stage.
 * @type {readonly (readonly [file: string, why: string, ...changes: (readonly [from: string, to: string])[]])[]}
 */
const reasons = [
  [
    "cli/adopt/adoption.ts",
    "an index of a list has an element",
    [
      'const isRepeated = keys.indexOf(keys[index] ?? "") !== keys.lastIndexOf(keys[index] ?? "");',
      'const isRepeated = keys.indexOf(keys[index] ?? "Stryker was here!") !== keys.lastIndexOf(keys[index] ?? "");',
    ],
    [
      'const isRepeated = keys.indexOf(keys[index] ?? "") !== keys.lastIndexOf(keys[index] ?? "");',
      'const isRepeated = keys.indexOf(keys[index] ?? "") !== keys.lastIndexOf(keys[index] ?? "Stryker was here!");',
    ],
  ],
  [
    "cli/adopt/adoption.ts",
    "a status that is missing is as invalid as any other",
    ['status: update.status ?? "",', 'status: update.status ?? "Stryker was here!",'],
  ],
  [
    "cli/adopt/adoption.ts",
    "it is read by its name alone",
    [
      "...(date !== undefined && { publicIncidentUpdateDate: date }),",
      "...(true && { publicIncidentUpdateDate: date }),",
    ],
  ],
  [
    "cli/adopt/adoption.ts",
    "one line has no separator",
    [
      'if (lines.length === 1) return lines.join("");',
      'if (lines.length === 1) return lines.join("Stryker was here!");',
    ],
  ],
  [
    "provider/protocol/alikes.ts",
    "it has no id of an update, and isn't known by its words",
    ["noted: readonly NotedPost[] = [],", 'noted: readonly NotedPost[] = ["Stryker was here"],'],
    [
      'if (plan.kind === "mayBeReplaced") return [];',
      'if (plan.kind === "mayBeReplaced") return ["Stryker was here"];',
    ],
    ['return recorded.kind === "posted"', "return true"],
  ],
  [
    "provider/protocol/entries.ts",
    "no entry has these words, and no update this id",
    ["noted: readonly NotedPost[] = [],", 'noted: readonly NotedPost[] = ["Stryker was here"],'],
    [
      '(post) => isLaterEntry(declared, post) && isShown(post.id) && !ledger.owners.has(post.id ?? ""),',
      '(post) => isLaterEntry(declared, post) && isShown(post.id) && !ledger.owners.has(post.id ?? "Stryker was here!"),',
    ],
  ],
  [
    "provider/protocol/move.ts",
    "the list is searched for one id",
    [
      "const found = recordOf({ past }, declared, update, posted.isByWords ? [] : [update.id]);",
      'const found = recordOf({ past }, declared, update, posted.isByWords ? ["Stryker was here"] : [update.id]);',
    ],
  ],
  [
    "provider/protocol/move.ts",
    "without edits, only an update moves whose declared words are those of the state or of the last refresh",
    ['const isEdit = declared.onChange === "edit";', "const isEdit = true;"],
  ],
  [
    "provider/protocol/search.ts",
    "the list is searched for one id",
    [
      "const read = { lookedUp: [], readAt, readProblem: undefined, noted };",
      'const read = { lookedUp: ["Stryker was here"], readAt, readProblem: undefined, noted };',
    ],
  ],
  [
    "provider/protocol/search.ts",
    "a search for its own post has no such field: the compiler demands the check",
    ['const isMoved = search.at === "settle" && search.isMoved;', "const isMoved = true && search.isMoved;"],
  ],
  [
    "provider/protocol/search.ts",
    "where none is free, each has an owner",
    [
      "const owners = candidates.flatMap(({ id }) => ownerOf(id) ?? []);",
      'const owners = candidates.flatMap(({ id }) => ownerOf(id) ?? ["Stryker was here"]);',
    ],
  ],
  [
    "provider/protocol/search.ts",
    "it is read by its name alone",
    [
      'return { ledger, task, command: { do: "read", again: true, ...(until !== undefined && { until }) } };',
      'return { ledger, task, command: { do: "read", again: true, ...(true && { until }) } };',
    ],
  ],
  [
    "provider/protocol/edit.ts",
    "a problem follows an edit alone",
    [
      "return { ...posted, lostEdits: [...(posted.lostEdits ?? []), ...(edit === undefined ? [] : [edit])] };",
      "return { ...posted, lostEdits: [...(posted.lostEdits ?? []), ...(false ? [] : [edit])] };",
    ],
    [
      "return { ...posted, lostEdits: [...(posted.lostEdits ?? []), ...(edit === undefined ? [] : [edit])] };",
      'return { ...posted, lostEdits: [...(posted.lostEdits ?? []), ...(edit === undefined ? ["Stryker was here"] : [edit])] };',
    ],
  ],
  [
    "provider/protocol/edit.ts",
    "no time gives none",
    [
      "const later = created === undefined ? {} : ifLater(answerableFrom(created), now);",
      "const later = false ? {} : ifLater(answerableFrom(created), now);",
    ],
  ],
  [
    "provider/protocol/edit.ts",
    "the list is searched for one id",
    [
      'const ids = kind === "kept" && isByWords ? [] : [update.id];',
      'const ids = kind === "kept" && isByWords ? ["Stryker was here"] : [update.id];',
    ],
  ],
  [
    "provider/protocol/edit.ts",
    "no entry has these words",
    [
      "function countLater({ followedBy = [] }: Declaration, words: string): number {",
      'function countLater({ followedBy = ["Stryker was here"] }: Declaration, words: string): number {',
    ],
  ],
  [
    "provider/protocol/edit.ts",
    "nothing says so, and a code has any name for it",
    [
      'const { id, made = "", lostEdits } = phase.posted;',
      'const { id, made = "Stryker was here!", lostEdits } = phase.posted;',
    ],
  ],
  [
    "provider/protocol/edit.ts",
    "an edit follows what is shown",
    [
      "const was = ledger.view.updates.find(({ id }) => id === posted.id) ?? { id: posted.id, ...posted.declared };",
      "const was = ledger.view.updates.find(({ id }) => id === posted.id) ?? {};",
    ],
  ],
  [
    "provider/protocol/edit.ts",
    "an edit ends as one: the compiler demands the check",
    [
      'if (command.do !== "finish" || command.ending.kind !== "edited") throw new Error("An edit didn\'t end.");',
      'if (false) throw new Error("An edit didn\'t end.");',
    ],
    [
      'if (command.do !== "finish" || command.ending.kind !== "edited") throw new Error("An edit didn\'t end.");',
      'if (command.do !== "finish" && command.ending.kind !== "edited") throw new Error("An edit didn\'t end.");',
    ],
    [
      'if (command.do !== "finish" || command.ending.kind !== "edited") throw new Error("An edit didn\'t end.");',
      'if (false || command.ending.kind !== "edited") throw new Error("An edit didn\'t end.");',
    ],
    [
      'if (command.do !== "finish" || command.ending.kind !== "edited") throw new Error("An edit didn\'t end.");',
      'if (command.do !== "finish" || false) throw new Error("An edit didn\'t end.");',
    ],
    [
      'if (command.do !== "finish" || command.ending.kind !== "edited") throw new Error("An edit didn\'t end.");',
      'if (command.do !== "finish" || command.ending.kind !== "edited") throw new Error("");',
    ],
  ],
  [
    "provider/protocol/diff.ts",
    "what was sent says nothing that is shown, and was never edited",
    [
      'const isStill = complete !== undefined && was.kind === "posted" && isShownAsDeclared(was, complete);',
      "const isStill = complete !== undefined && true && isShownAsDeclared(was, complete);",
    ],
    [
      'const isLost = was.kind === "posted" && hasLostEdit(was, declared);',
      "const isLost = true && hasLostEdit(was, declared);",
    ],
  ],
  [
    "provider/protocol/diff.ts",
    "the check demands each field, so the others are unknown",
    [
      "const learns = before !== undefined && complete !== undefined && unknown.size === 0;",
      "const learns = before !== undefined && true && unknown.size === 0;",
    ],
    [
      'const required = [ ...(["incidentId", "status", "description", "notifySubscribers"] as const), ...(["occurrence", "onChange"] as const), ];',
      "const required = [];",
    ],
    [
      "return required.every((name) => declared[name] !== undefined);",
      "return required.some(name => declared[name] !== undefined);",
    ],
    [
      "return required.every((name) => declared[name] !== undefined);",
      "return required.every((name) => true);",
    ],
  ],
  [
    "provider/protocol/diff.ts",
    "it is read as a timeline, whatever its keys",
    [
      'const { followedBy = unknown.has("followedBy") ? [] : undefined } = declared;',
      'const { followedBy = unknown.has("followedBy") ? ["Stryker was here"] : undefined } = declared;',
    ],
  ],
  [
    "provider/protocol/identity.ts",
    "each text has a first part",
    [
      'const [words = ""] = entry.split("#", 1);',
      'const [words = "Stryker was here!"] = entry.split("#", 1);',
    ],
  ],
  [
    "provider/protocol/records.ts",
    "nothing else is thrown there, and it has an issue",
    [
      'if (error instanceof z.ZodError) return { kind: "unreadable", field: pathIn(error) } as const;',
      'if (true) return { kind: "unreadable", field: pathIn(error) } as const;',
    ],
    [
      'const unknown = first?.code === "unrecognized_keys" ? first.keys.slice(0, 1) : [];',
      'const unknown = first.code === "unrecognized_keys" ? first.keys.slice(0, 1) : [];',
    ],
    [
      'return [...(first?.path ?? []), ...unknown].join(".");',
      'return [...(first.path ?? []), ...unknown].join(".");',
    ],
    [
      'return [...(first?.path ?? []), ...unknown].join(".");',
      'return [...(first?.path ?? ["Stryker was here"]), ...unknown].join(".");',
    ],
  ],
  [
    "provider/protocol/ledger.ts",
    "the list is searched for one id",
    [
      "return { ids, view, foreseen: [], ...known, hasListened: false };",
      'return { ids, view, foreseen: ["Stryker was here"], ...known, hasListened: false };',
    ],
  ],
  [
    "provider/protocol/ledger.ts",
    "a copy is as good",
    ["return id === update.id ? update : { ...update, id };", "return false ? update : { ...update, id };"],
  ],
  [
    "provider/protocol/ledger.ts",
    "no resource, and no update, has such a name",
    ['export const otherProvider = "";', 'export const otherProvider = "Stryker was here!";'],
    [
      'const owner = ledger.owners.get(id ?? "");',
      'const owner = ledger.owners.get(id ?? "Stryker was here!");',
    ],
  ],
  [
    "provider/protocol/ledger.ts",
    "it is read by its name alone",
    ["...(date !== undefined && { date }),", "...(true && { date }),"],
  ],
  [
    "audit/baseline.ts",
    "no two findings have one fingerprint",
    [
      "return new Baseline(findings.map(entryOf).sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)));",
      "return new Baseline(findings.map(entryOf).sort((a, b) => (a.fingerprint <= b.fingerprint ? -1 : 1)));",
    ],
  ],
  [
    "audit/baseline.ts",
    "no channel has such an id",
    [
      "const present = [...channels, ...[...excluded, ...notEvaluable].flatMap(({ channel = [] }) => channel)];",
      'const present = [...channels, ...[...excluded, ...notEvaluable].flatMap(({ channel = ["Stryker was here"] }) => channel)];',
    ],
    [
      'if (notEvaluable.some(({ channel, blocks }) => blocks && !isId(channel?.id ?? ""))) return [];',
      'if (notEvaluable.some(({ channel, blocks }) => blocks && !isId(channel?.id ?? "Stryker was here!"))) return [];',
    ],
  ],
  [
    "audit/auditAlertChannels.ts",
    "it is read by its name alone",
    [
      "return { id, name, ...(title !== undefined && { title }), origin, type };",
      "return { id, name, ...(true && { title }), origin, type };",
    ],
  ],
  [
    "audit/auditAlertChannels.ts",
    "a waiver without a channel has no name",
    [
      '#near(name: string | number = ""): string {',
      '#near(name: string | number = "Stryker was here!"): string {',
    ],
  ],
  [
    "provider/proofreading.ts",
    "no value is left where a quotation stood",
    [
      'find: (text) => values.test(text) && values.test(text.replace(quotations, "")),',
      'find: (text) => values.test(text) && values.test(text.replace(quotations, "Stryker was here!")),',
    ],
  ],
  [
    "provider/proofreading.ts",
    "neither has a date",
    [
      'const ago = [...readingOf(declared.description ?? "").words.matchAll(isoDate)].map(',
      'const ago = [...readingOf(declared.description ?? "Stryker was here!").words.matchAll(isoDate)].map(',
    ],
  ],
  [
    "provider/proofreading.ts",
    "each entry has a status",
    [
      "if (!newest || status === undefined || description === undefined) return false;",
      "if (!newest || false || description === undefined) return false;",
    ],
  ],
  [
    "provider/proofreading.ts",
    "each match has both",
    [
      '...[...text.matchAll(dayAndDate)].map(([, named = "", dated = ""]) => [named, dated] as const),',
      '...[...text.matchAll(dayAndDate)].map(([, named = "Stryker was here!", dated = ""]) => [named, dated] as const),',
    ],
    [
      '...[...text.matchAll(dayAndDate)].map(([, named = "", dated = ""]) => [named, dated] as const),',
      '...[...text.matchAll(dayAndDate)].map(([, named = "", dated = "Stryker was here!"]) => [named, dated] as const),',
    ],
    [
      '...[...text.matchAll(dateAndDay)].map(([, dated = "", named = ""]) => [named, dated] as const),',
      '...[...text.matchAll(dateAndDay)].map(([, dated = "Stryker was here!", named = ""]) => [named, dated] as const),',
    ],
    [
      '...[...text.matchAll(dateAndDay)].map(([, dated = "", named = ""]) => [named, dated] as const),',
      '...[...text.matchAll(dateAndDay)].map(([, dated = "", named = "Stryker was here!"]) => [named, dated] as const),',
    ],
  ],
  [
    "provider/proofreading.ts",
    "26Nov is read as 26 Nov",
    [
      'const plain = date.replace(/(\\d)(?:st|nd|rd|th)\\b/i, "$1").replace(/\\sof\\s|[.,]/gi, " ");',
      'const plain = date.replace(/(\\d)(?:st|nd|rd|th)\\b/i, "$1").replace(/\\sof\\s|[.,]/gi, "");',
    ],
  ],
  [
    "provider/proofreading.ts",
    "it has no status, words or time",
    [
      "return byPublicDate(incident?.incidentUpdates ?? []).at(-1);",
      'return byPublicDate(incident?.incidentUpdates ?? ["Stryker was here"]).at(-1);',
    ],
    [
      "const times = [incident?.created_at, ...(incident?.incidentUpdates ?? []).map(shownDate)].flatMap(",
      'const times = [incident?.created_at, ...(incident?.incidentUpdates ?? ["Stryker was here"]).map(shownDate)].flatMap(',
    ],
  ],
  [
    "provider/proofreading.ts",
    "undefined says no as false does",
    ["} catch { return false; }", "} catch {}"],
  ],
  [
    "provider/client/paging.ts",
    "every list has a first page: the compiler demands the check",
    [
      'const page = await this.#list.read(typeof first === "object" ? first : {});',
      "const page = await this.#list.read(true ? first : {});",
    ],
  ],
  [
    "provider/client/paging.ts",
    "any constant does",
    [
      'const version = isMoving ? JSON.stringify(entry) : "";',
      'const version = isMoving ? JSON.stringify(entry) : "Stryker was here!";',
    ],
  ],
  [
    "provider/client/paging.ts",
    "both pages reach equally far",
    [
      "if (overlap > 0 && limit - overlap >= best.gain) best = { limit, gain: limit - overlap };",
      "if (overlap > 0 && limit - overlap > best.gain) best = { limit, gain: limit - overlap };",
    ],
  ],
  [
    "provider/client/outcome.ts",
    "200 is a success",
    [
      "if (isUnknown && (status < 200 || status === 408 || status >= 500))",
      "if (isUnknown && (status <= 200 || status === 408 || status >= 500))",
    ],
  ],
  [
    "provider/client/outcome.ts",
    "a number has no entries: the compiler demands the check",
    [
      'if (typeof value !== "object" || value === null || depth > deepestReason) return "";',
      'if (false || value === null || depth > deepestReason) return "";',
    ],
  ],
  [
    "provider/client/outcome.ts",
    "neither has a total",
    [
      'function totalIn(contentRange = ""): number | undefined {',
      'function totalIn(contentRange = "Stryker was here!"): number | undefined {',
    ],
    [
      "const [, total] = /\\/(\\d{1,15})$/.exec(contentRange) ?? [];",
      'const [, total] = /\\/(\\d{1,15})$/.exec(contentRange) ?? ["Stryker was here"];',
    ],
  ],
  [
    "provider/publishing/notes.ts",
    "no note has this nonce",
    [
      "dropped: z.array(z.string()).default([]),",
      'dropped: z.array(z.string()).default(["Stryker was here"]),',
    ],
    [
      "{ denied = [], applied = [], sender }: KnownPosts & { readonly sender?: Sender } = {},",
      '{ denied = ["Stryker was here"], applied = [], sender }: KnownPosts & { readonly sender?: Sender } = {},',
    ],
    [
      "{ denied = [], applied = [], sender }: KnownPosts & { readonly sender?: Sender } = {},",
      '{ denied = [], applied = ["Stryker was here"], sender }: KnownPosts & { readonly sender?: Sender } = {},',
    ],
    [
      "#change({ dropped = [], sent = [] }: Partial<Change>): void {",
      '#change({ dropped = ["Stryker was here"], sent = [] }: Partial<Change>): void {',
    ],
    [
      "const line = this.#line({ dropped: [], sent: [...this.#notes.values()] });",
      'const line = this.#line({ dropped: ["Stryker was here"], sent: [...this.#notes.values()] });',
    ],
  ],
  [
    "provider/publishing/notes.ts",
    "it has no time, so it doesn't count",
    [
      "this.#notes = new Map([...(written?.notes ?? [])].filter(([, note]) => stillCounts(note)));",
      'this.#notes = new Map([...(written?.notes ?? ["Stryker was here"])].filter(([, note]) => stillCounts(note)));',
    ],
  ],
  [
    "provider/publishing/notes.ts",
    "who only reads writes nothing",
    [
      'return orNothingIsPosted(file, () => new Notes(file, readNotes(file), "", () => undefined));',
      'return orNothingIsPosted(file, () => new Notes(file, readNotes(file), "Stryker was here!", () => undefined));',
    ],
  ],
  [
    "provider/publishing/notes.ts",
    "whose command is known is a reader: the compiler demands the check",
    [
      "const isOfOther = isOfCommand && resource !== hashIfKnown(reader?.resource, salt);",
      "const isOfOther = isOfCommand && resource !== hashIfKnown(reader.resource, salt);",
    ],
  ],
  [
    "provider/publishing/notes.ts",
    "each text has a first line",
    [
      'const [first = "", ...more] = content.split("\\n");',
      'const [first = "Stryker was here!", ...more] = content.split("\\n");',
    ],
  ],
  [
    "provider/publishing/notes.ts",
    "without a file there is no owner, either",
    [
      "const owner = file === undefined ? undefined : otherOwner(file);",
      "const owner = false ? undefined : otherOwner(file);",
    ],
    ["} catch { return undefined; }", "} catch {}"],
  ],
  [
    "provider/publishing/notes.ts",
    "only Windows has no user ids",
    [
      ": `The file belongs to user ${owner}, and this run is by user ${process.geteuid?.()}. Let the users share a lock directory of ` +",
      ": `The file belongs to user ${owner}, and this run is by user ${process.geteuid()}. Let the users share a lock directory of ` +",
    ],
    [
      "return process.geteuid === undefined || uid === process.geteuid() ? undefined : uid;",
      "return false || uid === process.geteuid() ? undefined : uid;",
    ],
  ],
];

const equivalents = reasons.flatMap(([file, why, ...changes]) =>
  changes.map(([from, to]) => ({ file, why, from, to })),
);

module.exports = { equivalents };
