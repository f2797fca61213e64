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
    "provider/protocol/decide.ts",
    "the list is searched for one id",
    [
      'return { at: "decide", lineage, lookedUp: [] };',
      'return { at: "decide", lineage, lookedUp: ["Stryker was here"] };',
    ],
    [
      "return recordOf({ past: [] }, { ...declared, occurrence }, update, []);",
      'return recordOf({ past: [] }, { ...declared, occurrence }, update, ["Stryker was here"]);',
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
    "provider/protocol/guards.ts",
    "no update is this text, or has it as an id",
    [
      "const counted = count < declared.occurrence ? [] : [identical[declared.occurrence - 1], ...free];",
      'const counted = count < declared.occurrence ? ["Stryker was here"] : [identical[declared.occurrence - 1], ...free];',
    ],
    [
      "const ownIds = [ownId(declared, 0), ...(repeated?.ownIds ?? [])];",
      'const ownIds = [ownId(declared, 0), ...(repeated?.ownIds ?? ["Stryker was here"])];',
    ],
    [
      'if (isLaterEntry(declared, post)) return !ledger.owners.has(id ?? "");',
      'if (isLaterEntry(declared, post)) return !ledger.owners.has(id ?? "Stryker was here!");',
    ],
  ],
  [
    "provider/protocol/index.ts",
    "the lists are searched for one id, and for the note of one post",
    [
      'if (was.kind === "sent") return { at: "settle", sent: was, isMoved, lookedUp: [], noted: [] };',
      'if (was.kind === "sent") return { at: "settle", sent: was, isMoved, lookedUp: ["Stryker was here"], noted: [] };',
    ],
    [
      'if (was.kind === "sent") return { at: "settle", sent: was, isMoved, lookedUp: [], noted: [] };',
      'if (was.kind === "sent") return { at: "settle", sent: was, isMoved, lookedUp: [], noted: ["Stryker was here"] };',
    ],
    [
      'return isMoved ? { at: "move", posted: was, lookedUp: [] } : editPhase(was);',
      'return isMoved ? { at: "move", posted: was, lookedUp: ["Stryker was here"] } : editPhase(was);',
    ],
  ],
  [
    "provider/protocol/index.ts",
    "what is adopted is shown: the compiler demands the check",
    [
      "const isShown = recorded.published !== undefined && matches(task.declared, recorded.published);",
      "const isShown = true && matches(task.declared, recorded.published);",
    ],
  ],
  [
    "provider/protocol/index.ts",
    "it has no status",
    [
      "shown: readonly StatusPageIncidentUpdate[] = [],",
      'shown: readonly StatusPageIncidentUpdate[] = ["Stryker was here"],',
    ],
  ],
  [
    "provider/credentials/shapes.ts",
    "no part of a shorter text is long enough, and that is decided fast",
    ["if (text.length < shortestToken) return undefined;", "if (false) return undefined;"],
  ],
  [
    "provider/credentials/shapes.ts",
    "this text is no token, and one piece is as few as none",
    [
      "return [...word.split(writtenRun), ...(word.match(run) ?? [])].some((part) => isScrambled(part, meanPiece));",
      'return [...word.split(writtenRun), ...(word.match(run) ?? ["Stryker was here"])].some((part) => isScrambled(part, meanPiece));',
    ],
    [
      "const runs = (text.match(run) ?? []).filter((one) => !time.test(one));",
      'const runs = (text.match(run) ?? ["Stryker was here"]).filter((one) => !time.test(one));',
    ],
    [
      "return mixed.some((one) => one.length >= shortestToken && (one.match(/[a-z]+|\\d+/gi) ?? []).length > 3);",
      'return mixed.some((one) => one.length >= shortestToken && (one.match(/[a-z]+|\\d+/gi) ?? ["Stryker was here"]).length > 3);',
    ],
    [
      "const piecesIn = (text: string): number => (text.match(piece) ?? []).length;",
      'const piecesIn = (text: string): number => (text.match(piece) ?? ["Stryker was here"]).length;',
    ],
  ],
  [
    "provider/credentials/services.ts",
    "no host has this name, and each place has a host",
    ["if (hostname.length > 253) return [];", 'if (hostname.length > 253) return ["Stryker was here"];'],
    [
      'const isAt = ([host = "", ...path]: string[]) => hosts.includes(host) && path.every(isSegment);',
      'const isAt = ([host = "Stryker was here!", ...path]: string[]) => hosts.includes(host) && path.every(isSegment);',
    ],
  ],
  [
    "provider/credentials/placeholders.ts",
    "no example has this host, and no sequence these words",
    [
      'export function isUnfilledUrl(text: string, { hostname = "" }: UrlParts, isRandom: boolean): boolean {',
      'export function isUnfilledUrl(text: string, { hostname = "Stryker was here!" }: UrlParts, isRandom: boolean): boolean {',
    ],
    [
      'const path = short.replace(/[?#].*|(?<![\\w-])\\d+(?![\\w-])/gs, "");',
      'const path = short.replace(/[?#].*|(?<![\\w-])\\d+(?![\\w-])/gs, "Stryker was here!");',
    ],
  ],
  [
    "provider/credentials/known.ts",
    "each row has a number",
    [
      'const [least = "", ...all] = words.slice(at);',
      'const [least = "Stryker was here!", ...all] = words.slice(at);',
    ],
  ],
  [
    "provider/credentials/known.ts",
    "no known credential is so short, and where none is, that is decided fast",
    ["if (text.length < shortest) return undefined;", "if (false) return undefined;"],
    ["if (text.search(form) < 0) return false;", "if (false) return false;"],
  ],
  [
    "provider/credentials/judge.ts",
    "nothing asks about such a kind or class: it is as good as none",
    [
      'return nameClass !== "other" && plain.split(" ").some(isMixed) ? "name" : "none";',
      'return nameClass !== "other" && plain.split(" ").some(isMixed) ? "name" : "";',
    ],
  ],
  ["provider/credentials/judge.ts", "no host, header or segment is so called"],
  ["provider/credentials/judge.ts", "no kind is a literal: the compiler demands the check"],
  [
    "provider/credentials/judge.ts",
    "nothing asks about such a kind or class: it is as good as none",
    [
      'const id = settings.some(({ authenticates }) => authenticates) ? "none" : "random";',
      'const id = settings.some(({ authenticates }) => authenticates) ? "" : "random";',
    ],
    [
      "if (!Array.isArray(value) || !value.every(isPair)) return { kinds: [], hasParts: false };",
      'if (!Array.isArray(value) || !value.every(isPair)) return { kinds: ["Stryker was here"], hasParts: false };',
    ],
    [
      'return ([...recognitions, "hidden", "reference"] as const).find((kind) => kinds.includes(kind)) ?? "none";',
      'return ([...recognitions, "hidden", "reference"] as const).find((kind) => kinds.includes(kind)) ?? "";',
    ],
    [
      'const nameClass = name === "" ? "likely" : classOfName(name);',
      'const nameClass = name === "" ? "" : classOfName(name);',
    ],
    [
      'if (nameClass === "id" || !/\\w/.test(plain)) return "none";',
      'if (nameClass === "id" || !/\\w/.test(plain)) return "";',
    ],
    [
      'if (plain === text && nameClass === "secret") return choice.test(text) ? "none" : "name";',
      'if (plain === text && nameClass === "secret") return choice.test(text) ? "" : "name";',
    ],
    ['if (segment === "") return "none";', 'if (segment === "") return "";'],
    [
      "const kinds = [...grammar.bodyValues(text).flatMap(kindsOfMember), ...(known === undefined ? [] : [known])];",
      "const kinds = [...grammar.bodyValues(text).flatMap(kindsOfMember), ...(false ? [] : [known])];",
    ],
    [
      "const kinds = [...grammar.bodyValues(text).flatMap(kindsOfMember), ...(known === undefined ? [] : [known])];",
      'const kinds = [...grammar.bodyValues(text).flatMap(kindsOfMember), ...(known === undefined ? ["Stryker was here"] : [known])];',
    ],
    [
      "return [...pairs.map((pair) => kindOfPair(pair, 1)), ...(isHook ? kindsOfPath(url) : [])];",
      'return [...pairs.map((pair) => kindOfPair(pair, 1)), ...(isHook ? kindsOfPath(url) : ["Stryker was here"])];',
    ],
    [
      'return text.includes(mark.secret) ? ["reference"] : [];',
      'return text.includes(mark.secret) ? ["reference"] : ["Stryker was here"];',
    ],
  ],
  [
    "provider/credentials/judge.ts",
    "no host, header or segment is so called",
    [
      'const [word = "", first = ""] = scheme.exec(text) ?? [];',
      'const [word = "", first = "Stryker was here!"] = scheme.exec(text) ?? [];',
    ],
    [
      'const { hostname = "", parameters } = url;',
      'const { hostname = "Stryker was here!", parameters } = url;',
    ],
    [
      'function kindsOfPath({ hostname = "", segments }: UrlParts): Kind[] {',
      'function kindsOfPath({ hostname = "Stryker was here!", segments }: UrlParts): Kind[] {',
    ],
    [
      'const isId = collection.test(segments[index - 1] ?? "") && /^[a-z]/.test(segments[index + 1] ?? "");',
      'const isId = collection.test(segments[index - 1] ?? "Stryker was here!") && /^[a-z]/.test(segments[index + 1] ?? "");',
    ],
    [
      'const isId = collection.test(segments[index - 1] ?? "") && /^[a-z]/.test(segments[index + 1] ?? "");',
      'const isId = collection.test(segments[index - 1] ?? "") && /^[a-z]/.test(segments[index + 1] ?? "Stryker was here!");',
    ],
    ['const { hostname = "", segments } = url;', 'const { hostname = "Stryker was here!", segments } = url;'],
    [
      'function isIncompleteSlackUrl(text: string, { hostname = "", segments }: UrlParts): boolean {',
      'function isIncompleteSlackUrl(text: string, { hostname = "Stryker was here!", segments }: UrlParts): boolean {',
    ],
  ],
  [
    "provider/credentials/judge.ts",
    "no kind is a literal: the compiler demands the check",
    [
      'const isOne = (part: SecretPart) => part !== "literal" && kinds.includes(part);',
      "const isOne = (part: SecretPart) => true && kinds.includes(part);",
    ],
    [
      'const isOne = (part: SecretPart) => part !== "literal" && kinds.includes(part);',
      'const isOne = (part: SecretPart) => part !== "" && kinds.includes(part);',
    ],
  ],
];

const equivalents = reasons.flatMap(([file, why, ...changes]) =>
  changes.map(([from, to]) => ({ file, why, from, to })),
);

module.exports = { equivalents };
