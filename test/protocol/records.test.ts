/** A record in the state is read as it was written. */
import {
  decode,
  encode,
  createImportedRecord,
  type PastUpdate,
  type PostedUpdate,
  type UpdateRecord,
  type UnconfirmedPost,
  normalizeContent,
} from "../../provider/protocol";
import { declaration, posted, sent, update } from "./steps";

const past: Required<PastUpdate>[] = [
  { id: "b", words: "k", occurrence: 2, date: "2026-01-01", container: "i", isByWords: true },
];
/** An earlier update as the state contains it, with the names of the first releases. */
const storedPast = { id: "b", words: "k", occurrence: 2, date: "2026-01-01", incident: "i", isByWords: true };
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
    maySay: [{ said: "n", until: 2 }],
    past,
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
  ...{ answered: "i", repeats: 1, isTextSecret: true, past },
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

it.each<UpdateRecord>([posted("a", undefined, { past }), sent({}, { past })])(
  "the state uses the names of the first release for a container: %#",
  (recorded) => {
    expect(encode(recorded)).toMatchObject({ incidentId: recorded.declared.containerId, past: [storedPast] });
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
  const { past: none, ...state } = stored(posted("a"));
  expect(decode(state)).toBeUndefined();
  const { past: ofSent, ...unconfirmed } = stored(sent());
  expect(decode(unconfirmed)).toEqual({ kind: "unreadable", field: "past" });
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
  ["posted", posted("a", {}, { past: [], ...{ later: 1 } })],
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
    expect(recorded).toMatchObject({ id: taken.id, declared: declaration({ occurrence }), past: [] });
    expect(recorded.isByWords).toBe(true);
  },
);
