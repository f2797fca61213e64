/** Any record that a state holds is read as it was written. */
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
/** As the state contains it: the names are those of the first releases. */
const storedPast = { id: "b", words: "k", occurrence: 2, date: "2026-01-01", incident: "i", isByWords: true };
const identity = { ...declaration({ publicIncidentUpdateDate: "2026-01-01T00:00:00Z", occurrence: 2 }) };
/** With every field: without one, it doesn't compile. */
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
])("a state has the record of %s as it was written", (_, recorded) => {
  expect(decode(stored(recorded))).toEqual(recorded);
});

it("a state holds the program's other inputs, and neither the entries after it nor what is computed", () => {
  const recorded = posted("a", { onChange: "refuse", followedBy: ["0123"] });
  const { followedBy, ...kept } = declaration({ onChange: "refuse" });
  expect(decode(stored(recorded))).toMatchObject({ declared: kept });
  for (const name of ["followedBy", "text", "words"]) expect(stored(recorded)).not.toHaveProperty(name);
});

it("a state holds of an update what it says", () => {
  const shown = { ...posted("a").published, notifySubscribers: true, id: "a", unexpected: 1 };
  const recorded = posted("a", {}, { published: { description: "A", status: "INVESTIGATING", ...shown } });
  const { status, description, notifySubscribers } = shown;
  expect(stored(recorded)["published"]).toEqual({ status, description, notifySubscribers });
});

it("a state isn't missing while it is unconfirmed", () => {
  expect(stored(sent())).toMatchObject({ missing: false });
});

it("the description of a state was a secret, unless it says that it wasn't", () => {
  const { isTextSecret, ...unconfirmed } = stored(sent())["unconfirmed"] as Record<string, unknown>;
  expect(isTextSecret).toBe(false);
  expect(decode({ ...stored(sent()), unconfirmed })).toMatchObject({ isTextSecret: true });
});

it.each<UpdateRecord>([posted("a", undefined, { past }), sent({}, { past })])(
  "a state names a container as the first release did: %#",
  (recorded) => {
    expect(encode(recorded)).toMatchObject({ incidentId: recorded.declared.containerId, past: [storedPast] });
  },
);

it("a state is readable with an unexpected update of the service", () => {
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

it("a state is unreadable unless it is of an update that was only read", () => {
  const { past: none, ...state } = stored(posted("a"));
  expect(decode(state)).toBeUndefined();
  const { past: ofSent, ...unconfirmed } = stored(sent());
  expect(decode(unconfirmed)).toEqual({ kind: "unreadable", field: "past" });
});

it.each([["future", undefined]])(
  "a state is unreadable when what was sent has another %s: %j",
  (name, value) => {
    const state = stored(anySent);
    // Of several, the first one is named.
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
  "a state records an update that a program takes over as %s",
  (_, taken, history, occurrence) => {
    const recorded = createImportedRecord(declaration(), taken, history);
    expect(recorded).toMatchObject({ id: taken.id, declared: declaration({ occurrence }), past: [] });
    expect(recorded.isByWords).toBe(true);
  },
);
