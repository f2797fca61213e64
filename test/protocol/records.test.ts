/** The records of updates in the state of Pulumi. The engine stores them as JSON. */
import {
  decode,
  encode,
  isKept,
  type Declaration,
  type NotedPost,
  type PostedUpdate,
  type UpdateRecord,
  toKeptRecord,
  type UnconfirmedPost,
  normalizeContent,
  withNotedEdit,
} from "../../provider/protocol";
import { computeContentVersion } from "../../provider/protocol/identity";
import { declaration, keyed, note, posted, sent } from "./steps";

const names = { containerId: "incidentId", id: "incidentUpdateId" };
const identity = declaration({ publicIncidentUpdateDate: "2026-01-01T00:00:00Z", statusPageId: "p" });
/** A record with every field. It doesn't compile if a field is missing. */
const anyPosted: Required<PostedUpdate> = {
  ...{ kind: "posted", declared: identity, id: "a", createdAt: "2026-01-01", missing: true },
  ...{ written: "m", editedAt: 1, mayShow: [{ version: "n", until: 2 }, { version: "" }] },
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
  return JSON.parse(JSON.stringify(encode(recorded, names))) as Record<string, unknown>;
}

/** The declaration that is read also contains the property of the program that identifies the container. */
const withLocation = (recorded: UpdateRecord) => ({
  ...recorded,
  declared: { ...recorded.declared, incidentId: recorded.declared.containerId },
});

it.each<[string, UpdateRecord]>([
  ["a public update", anyPosted],
  ["a post without a response", anySent],
])("the record of %s is read from the state as it was written", (_, recorded) => {
  expect(decode(stored(recorded), names)).toEqual(withLocation(recorded));
});

it("the record of an incident is read from the state with its page", () => {
  const { declared } = posted("a", { containerId: "p", statusPageId: "p", name: "N" });
  const namesOfIncident = { containerId: "statusPageId", id: "incidentId" };
  const state = encode({ ...anyPosted, declared }, namesOfIncident);
  expect(state).toMatchObject({ statusPageId: "p", incidentId: "a", name: "N" });
  expect(decode(state, namesOfIncident)).toEqual({ ...anyPosted, declared });
});

it("the state contains the inputs, but neither the other entries nor computed values", () => {
  const recorded = posted("a", { ...keyed, entry: "01", follows: "00", followedBy: ["02"] });
  const state = stored(recorded);
  const { status, description, statusPageId } = recorded.declared;
  expect(state).toEqual({
    ...{ statusPageId, incidentId: "i", status, description, notifySubscribers: false },
    ...{ incidentUpdateId: "a", missing: false, published: { status, description } },
    record: { version: 1, posted: { written: recorded.written } },
  });
});

it("the state contains only the content of an update", () => {
  const shown = { ...posted("a").published, notifySubscribers: true, id: "a", unexpected: 1 };
  const recorded = posted("a", {}, { published: { description: "A", status: "INVESTIGATING", ...shown } });
  const { status, description, notifySubscribers } = shown;
  expect(stored(recorded)["published"]).toEqual({ status, description, notifySubscribers });
});

it("the state of a post without a response contains no ID, and isn't missing", () => {
  const { ids, record, ...state } = stored(sent());
  expect(state).toMatchObject({ incidentId: "i", missing: false });
  expect(state).not.toHaveProperty("incidentUpdateId");
  const { nonce, at } = sent();
  expect(record).toEqual({ version: 1, sent: { ids: [], nonce, at, isTextSecret: false } });
});

it("a description is treated as a secret, unless the state records that it wasn't one", () => {
  const { nonce, at } = sent();
  const record = { version: 1, sent: { ids: [], nonce, at } };
  expect(decode({ ...stored(sent()), record }, names)).toMatchObject({ isTextSecret: true });
});

it("a state is readable if the service returned an unexpected update", () => {
  const state = { ...stored(posted("a")), published: { description: null } };
  expect(decode(state, names)).toEqual({ ...withLocation(posted("a")), published: undefined });
});

const ofPosted = stored(posted("a"))["record"] as object;
const ofSent = (stored(sent())["record"] as { readonly sent: object }).sent;
it.each<[string, field: string, UpdateRecord, change: object]>([
  ["a status of a later version", "status", posted("a"), { status: "FUTURE" }],
  ["no ID", "record", posted("a"), { incidentUpdateId: undefined }],
  ["no incident", "containerId", posted("a"), { incidentId: undefined }],
  ["no version", "record", posted("a"), { record: { ...ofPosted, version: undefined } }],
  ["the next version", "record", posted("a"), { record: { ...ofPosted, version: 2 } }],
  ["an additional field", "record", posted("a"), { record: { ...ofPosted, later: 1 } }],
  [
    "an additional field of a post",
    "record.sent",
    sent(),
    { record: { version: 1, sent: { ...ofSent, later: 1 } } },
  ],
])("a state with %s is unreadable", (_, field, recorded, change) => {
  expect(decode({ ...stored(recorded), ...change }, names)).toEqual({ kind: "unreadable", field });
});

it("a state without a record is the state of an update that a program only reads", () => {
  const { record, ...state } = stored(posted("a"));
  expect(decode(state, names)).toBeUndefined();
});

it.each([
  ["the record of an update", { ...posted("a"), ...{ later: 1 } }],
  ["the snapshot of a post", sent({}, { seen: { ids: [], ...{ later: 1 } } })],
])("a field without a schema isn't written in %s", (_, recorded) => {
  expect(() => encode(recorded, names)).toThrow("later");
});

const noon = { publicIncidentUpdateDate: "2026-01-01T12:00:00Z" };
const textB = { description: "B" };
const lostEdit = posted("a", {}, { mayShow: [{ version: "x" }] });
const drifted = { published: { ...declaration(), description: "B" }, written: posted("a").written };
it.each<[string, UpdateRecord, Partial<Declaration>, is: boolean]>([
  ["the declaration is unchanged", posted("a"), {}, true],
  ["only the declared date is removed", posted("a", { ...keyed, ...noon }), keyed, true],
  ["an edit changes its text", posted("a", keyed), { ...keyed, ...textB }, false],
  ["someone changed it, and an edit can change it", posted("a", keyed, drifted), keyed, false],
  ["someone changed and deleted it", posted("a", keyed, { ...drifted, missing: true }), keyed, true],
  ["an earlier edit has an unknown result", lostEdit, {}, false],
  ["its post has an unknown result", sent(), {}, false],
])("`pulumi up` leaves an update as it is or not if %s", (_, recorded, declared, is) =>
  expect(isKept(recorded, declaration(declared))).toBe(is),
);

const unreadB = { status: "INVESTIGATING", ...textB };
const writtenB = { written: computeContentVersion(declaration(textB)), published: { description: "B" } };
it.each<[string, Partial<Declaration>, shown: typeof unreadB | undefined, kept: object | undefined]>([
  [
    "matches the recorded declaration",
    { notifySubscribers: true },
    undefined,
    { declared: { notifySubscribers: true } },
  ],
  ["isn't read", textB, undefined, undefined],
  ["matches the text that was read", textB, unreadB, { declared: textB, ...writtenB }],
  ["matches neither", { description: "C" }, unreadB, undefined],
])("the record of an update whose declaration %s is kept or not", (_, declared, shown, kept) => {
  const recorded = toKeptRecord(posted("a"), declaration(declared), shown);
  if (kept) expect(recorded).toMatchObject(kept);
  else expect(recorded).toBeUndefined();
});

const edits = (changes: Parameters<typeof note>[1] = {}) => note("n", { edits: "a", at: 5, ...changes });
const atNoon = { date: "2026-01-01T12:00:00Z" };
it.each<[string, notes: NotedPost[], isAdded: boolean, declared?: Partial<Declaration>]>([
  ["has no result", [edits()], true],
  ["is of another update", [edits({ edits: "b", isOwn: true })], false],
  ["was sent before the recorded one", [edits({ at: 4 })], false],
  ["is of another resource and has a result", [edits({ id: "a", text: "B" })], false],
  ["was applied, with another text", [edits({ id: "a", isOwn: true, text: "B" })], true],
  ["was applied, with a date that isn't declared", [edits({ id: "a", isOwn: true, ...atNoon })], false],
  ["was applied, with another date", [edits({ id: "a", isOwn: true, date: "2026-01-02" })], true, noon],
])("the state contains an edit of a killed run whose note %s, or not", (_, notes, isAdded, declared = {}) => {
  const recorded = posted("a", declared, { editedAt: 5, mayShow: [{ version: "x" }] });
  const { mayShow } = withNotedEdit(recorded, notes);
  expect(mayShow).toEqual(isAdded ? [{ version: "x" }, { version: "" }] : [{ version: "x" }]);
  expect(withNotedEdit(posted("a"), []).mayShow).toBeUndefined();
});
