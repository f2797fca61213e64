/** A record in the state is read as it was written. */
import {
  type Declaration,
  decode,
  encode,
  createImportedRecord,
  isKept,
  type NotedPost,
  type PostedUpdate,
  type UpdateRecord,
  toKeptRecord,
  type UnconfirmedPost,
  normalizeContent,
  withNotedEdit,
} from "../../provider/protocol";
import { computeContentVersion } from "../../provider/protocol/identity";
import { declaration, note, posted, sent, update } from "./steps";

const identity = { ...declaration({ publicIncidentUpdateDate: "2026-01-01T00:00:00Z", occurrence: 2 }) };
/** A record with every field. It doesn't compile if a field is missing. */
const anyPosted: Required<PostedUpdate> = {
  ...{
    kind: "posted",
    declared: identity,
    id: "a",
    createdAt: "2026-01-01",
    missing: true,
    isByWords: true,
    made: "m",
    madeAt: 1,
    maySay: [
      { said: "n", until: 2 },
    ],
  },
  published: normalizeContent({
    status: "RESOLVED",
    description: "B",
    publicIncidentUpdateDate: null,
    notifySubscribers: true,
  }),
};
const anySent: Required<UnconfirmedPost> = {
  ...{ kind: "sent", declared: identity, seen: { ids: ["a"], newest: "2026-01-01" }, nonce: "n", at: 1 },
  ...{ answered: "i", repeats: 1, isTextSecret: true },
};

/** The engine stores JSON. */
function stored(recorded: UpdateRecord): Record<string, unknown> {
  return JSON.parse(JSON.stringify(encode(recorded))) as Record<string, unknown>;
}

it.each<[string, UpdateRecord]>([
  ["a public update", anyPosted],
  ["a post without a response", anySent],
])("the record of %s is read from the state as it was written", (_, recorded) => {
  expect(decode(stored(recorded))).toEqual(recorded);
});

it("the state contains the program's other inputs, but neither later entries nor computed values", () => {
  const recorded = posted("a", { onChange: "refuse", followedBy: ["0123"] });
  const { followedBy, ...kept } = declaration({ onChange: "refuse" });
  expect(decode(stored(recorded))).toMatchObject({ declared: kept });
  for (const name of ["followedBy", "text", "words"]) expect(stored(recorded)).not.toHaveProperty(name);
});

it("the state contains only the content of an update", () => {
  const shown = { ...posted("a").published, notifySubscribers: true, id: "a", unexpected: 1 };
  const recorded = posted("a", {}, { published: { description: "A", status: "INVESTIGATING", ...shown } });
  const { status, description, notifySubscribers } = shown;
  expect(stored(recorded)["published"]).toEqual({ status, description, notifySubscribers });
});

it("an unconfirmed update isn't missing", () => {
  expect(stored(sent())).toMatchObject({ missing: false });
});

it("a description is treated as a secret, unless the state records that it wasn't one", () => {
  const { isTextSecret, ...unconfirmed } = stored(sent())["unconfirmed"] as Record<string, unknown>;
  expect(isTextSecret).toBe(false);
  expect(decode({ ...stored(sent()), unconfirmed })).toMatchObject({ isTextSecret: true });
});

it.each<UpdateRecord>([posted("a"), sent()])(
  "the state uses the name of the first release for a container: %#",
  (recorded) => {
    expect(encode(recorded)).toMatchObject({ incidentId: recorded.declared.containerId });
  },
);

it("a state is readable if the service returned an unexpected update", () => {
  const { published: shown, ...recorded } = posted("a");
  const state = { ...stored(recorded), published: { description: null } };
  expect(decode(state)).toEqual({ ...recorded, published: undefined });
});

it.each<[field: string, UpdateRecord, change: object]>([
  ["status", posted("a"), { status: "FUTURE" }],
  ["unconfirmed", sent(), { unconfirmed: null }],
])("a state is unreadable without a valid %s: %#", (field, recorded, change) => {
  expect(decode({ ...stored(recorded), ...change })).toEqual({ kind: "unreadable", field });
});

it("a state without a record is unreadable, unless its update was only read", () => {
  const { made, ...state } = stored(posted("a"));
  expect(decode(state)).toBeUndefined();
});

it.each([["future", undefined]])(
  "a state is unreadable if the record of a post has an additional field: %s",
  (name, value) => {
    const state = stored(anySent);
    // Only the first of several unknown fields is reported.
    const later = name === "future" && { later: 1 };
    const unconfirmed = { ...(state["unconfirmed"] as object), [name]: value, ...later };
    expect(decode({ ...state, unconfirmed })).toEqual({ kind: "unreadable", field: `unconfirmed.${name}` });
  },
);

it.each([
  ["posted", { ...posted("a"), ...{ later: 1 } }],
  ["a snapshot", sent({}, { seen: { ids: [], ...{ later: 1 } } })],
])("a field without a schema isn't written: %s", (_, recorded) => {
  expect(() => encode(recorded)).toThrow("later");
});

const [a, second] = [update("a"), update("second", "A", 1)];
const shown = [second, update("b", "B"), a, update("c", "C", -1)];
it.each([["the second of two", second, shown, 2]])(
  "the state records an imported update as %s",
  (_, taken, history, occurrence) => {
    const recorded = createImportedRecord(declaration(), taken, history);
    expect(recorded).toMatchObject({ id: taken.id, declared: declaration({ occurrence }) });
    expect(recorded.isByWords).toBe(true);
  },
);

const noon = { publicIncidentUpdateDate: "2026-01-01T12:00:00Z" };
const [edit, textB] = [{ onChange: "edit" } as const, { description: "B" }];
const lostEdit = posted("a", {}, { maySay: [{ said: "x" }] });
it.each<[string, UpdateRecord, Partial<Declaration>, is: boolean]>([
  ["the declaration is unchanged", posted("a"), {}, true],
  ["only the declared date is removed", posted("a", noon), edit, true],
  ["an edit changes its text", posted("a"), { ...edit, ...textB }, false],
  ["an earlier edit has an unknown result", lostEdit, {}, false],
  ["its post has an unknown result", sent(), {}, false],
])("`pulumi up` leaves an update as it is or not if %s", (_, recorded, declared, is) =>
  expect(isKept(recorded, declaration(declared))).toBe(is),
);

const unreadB = { status: "INVESTIGATING", ...textB };
const madeB = { made: computeContentVersion(declaration(textB)), published: { description: "B" } };
it.each<[string, Partial<Declaration>, shown: typeof unreadB | undefined, kept: object | undefined]>([
  ["matches the recorded declaration", edit, undefined, { declared: { onChange: "edit" } }],
  ["isn't read", textB, undefined, undefined],
  ["matches the text that was read", textB, unreadB, { declared: textB, ...madeB }],
  ["matches neither", { description: "C" }, unreadB, undefined],
])("the record of an update whose declaration %s is kept or not", (_, declared, shown, kept) => {
  const recorded = toKeptRecord(posted("a"), declaration(declared), shown);
  if (kept) expect(recorded).toMatchObject(kept);
  else expect(recorded).toBeUndefined();
});

const edits = (changes: Parameters<typeof note>[1] = {}) => note("n", { edits: "a", at: 5, ...changes });
const atNoon = { date: "2026-01-01T12:00:00Z" };
it.each<[string, noted: NotedPost[], isAdded: boolean, declared?: Partial<Declaration>]>([
  ["has no result", [edits()], true],
  ["is of another update", [edits({ edits: "b", isOwn: true })], false],
  ["was sent before the recorded one", [edits({ at: 4 })], false],
  ["is of another resource and has a result", [edits({ id: "a", text: "B" })], false],
  ["was applied, with another text", [edits({ id: "a", isOwn: true, text: "B" })], true],
  ["was applied, with the recorded text", [edits({ id: "a", isOwn: true })], false],
  ["was applied, with the recorded date", [edits({ id: "a", isOwn: true, ...atNoon })], false, noon],
  ["was applied, with a date that isn't declared", [edits({ id: "a", isOwn: true, ...atNoon })], false],
  ["was applied, with another date", [edits({ id: "a", isOwn: true, date: "2026-01-02" })], true, noon],
  ["is followed by one with the recorded text", [edits(), edits({ id: "a", isOwn: true })], false],
])("the state contains an edit of a killed run whose note %s, or not", (_, noted, isAdded, declared = {}) => {
  const recorded = posted("a", declared, { madeAt: 5, maySay: [{ said: "x" }] });
  const { maySay } = withNotedEdit(recorded, noted);
  expect(maySay).toEqual(isAdded ? [{ said: "x" }, { said: "" }] : [{ said: "x" }]);
  expect(withNotedEdit(posted("a"), []).maySay).toBeUndefined();
});
