/** Any record that a state holds is read as it was written. */
import fc, { type Arbitrary } from "fast-check";
import { updateStatuses } from "../../provider/api/enums";
import {
  decode,
  encode,
  type PastUpdate,
  type Posted,
  type Recorded,
  type Snapshot,
  type Unconfirmed,
} from "../../provider/protocol";
import { declaration, posted, unconfirmed } from "./steps";

/** An arbitrary value for each field of the type: without one, it doesn't compile. */
type Arbitraries<Type> = { readonly [Name in keyof Type]-?: Arbitrary<Type[Name]> };

const text = fc.string();
const maybe = <Value>(value: Arbitrary<Value>) => fc.option(value, { nil: undefined });
const maybeNull = <Value>(value: Arbitrary<Value>) => maybe(fc.option(value));

const declared = fc.record({
  incidentId: text,
  status: fc.constantFrom(...updateStatuses),
  description: text,
  notifySubscribers: fc.boolean(),
  publicIncidentUpdateDate: maybe(text),
  occurrence: fc.nat(),
} satisfies Arbitraries<Recorded["declared"]>);

const past = fc.array(
  fc.record({
    id: text,
    key: text,
    occurrence: fc.nat(),
    date: maybe(text),
    incident: text,
  } satisfies Arbitraries<PastUpdate>),
);

const published = fc.record({
  status: fc.constantFrom(...updateStatuses),
  description: text,
  publicIncidentUpdateDate: maybeNull(text),
} satisfies Arbitraries<NonNullable<Posted["published"]>>);

const anyPosted = fc.record({
  kind: fc.constant("posted"),
  declared,
  id: text,
  published: maybe(published),
  createdAt: maybeNull(text),
  missing: fc.boolean(),
  past,
} satisfies Arbitraries<Posted>);

const anyUnconfirmed = fc.record({
  kind: fc.constant("unconfirmed"),
  declared,
  seen: fc.record({ ids: fc.array(text), newest: maybe(text) } satisfies Arbitraries<Snapshot>),
  nonce: text,
  answered: maybe(text),
  nothingSent: maybe(fc.boolean()),
  about: maybe(text),
  alsoAbout: maybe(fc.array(text)),
  isRepeat: maybe(fc.boolean()),
  consumed: maybe(fc.boolean()),
  attempt: maybe(fc.nat()),
  past,
} satisfies Arbitraries<Unconfirmed>);

/** The engine stores JSON. */
function stored(recorded: Recorded): Record<string, unknown> {
  return JSON.parse(JSON.stringify(encode(recorded))) as Record<string, unknown>;
}

it("any record, written and read, is the same", () => {
  fc.assert(
    fc.property(fc.oneof(anyPosted, anyUnconfirmed), (recorded: Recorded) => {
      expect(decode(stored(recorded))).toEqual({ kind: "recorded", recorded });
    }),
  );
});

it("holds the program's other inputs, and not the entries after it", () => {
  const recorded = posted("a", { onChange: "refuse", followedBy: ["0123"] });
  const { followedBy, ...kept } = declaration({ onChange: "refuse" });
  expect(decode(stored(recorded))).toMatchObject({ recorded: { declared: kept } });
  expect(stored(recorded)).not.toHaveProperty("followedBy");
});

it("holds of an update what it says", () => {
  const shown = { ...posted("a").published, notifySubscribers: true, id: "a", unexpected: 1 };
  const recorded = posted("a", {}, { published: { description: "A", status: "INVESTIGATING", ...shown } });
  const { status, description, notifySubscribers } = shown;
  expect(stored(recorded)["published"]).toEqual({ status, description, notifySubscribers });
});

it("has no update that was only read", () => {
  const { past: none, ...state } = stored(posted("a"));
  expect(decode(state)).toEqual({ kind: "read" });
});

it("isn't missing while it is unconfirmed, and isn't read as one that was only read", () => {
  const { past: none, ...state } = stored(unconfirmed());
  expect(state).toMatchObject({ missing: false });
  expect(decode(state)).toEqual({ kind: "unreadable", field: "past" });
});

it("is unreadable with the first of several unknown fields", () => {
  const state = stored(unconfirmed());
  const more = { ...(state["unconfirmed"] as object), future: 1, later: 1 };
  expect(decode({ ...state, unconfirmed: more })).toEqual({
    kind: "unreadable",
    field: "unconfirmed.future",
  });
});

it("is readable with an unexpected update of the service", () => {
  const { published: shown, ...recorded } = posted("a");
  const state = { ...stored(recorded), published: { description: null } };
  expect(decode(state)).toEqual({ kind: "recorded", recorded: { ...recorded, published: undefined } });
});

const lost = { consumed: true, nothingSent: true, attempt: 1 };

it.each<[field: string, Recorded, change: (state: Record<string, unknown>) => object]>([
  ["status", posted("a"), () => ({ status: "FUTURE" })],
  ["occurrence", unconfirmed(), () => ({ occurrence: undefined })],
  ["incidentUpdateId", posted("a"), () => ({ incidentUpdateId: 7 })],
  ["missing", posted("a"), () => ({ missing: undefined })],
  ["past", unconfirmed(), () => ({ past: undefined })],
  ["past.0.id", posted("a"), () => ({ past: [{ key: "k", occurrence: 1, incident: "i" }] })],
  [
    "past.0.since",
    posted("a"),
    () => ({ past: [{ id: "b", key: "k", occurrence: 1, incident: "i", since: 1 }] }),
  ],
  ["unconfirmed", unconfirmed(), () => ({ unconfirmed: null })],
  ...Object.entries({
    nonce: 1,
    consumed: "true",
    nothingSent: 1,
    attempt: "1",
    ids: {},
    newest: 1,
    future: true,
  }).map(([name, value]): [string, Recorded, (state: Record<string, unknown>) => object] => [
    `unconfirmed.${name}`,
    unconfirmed({}, lost),
    ({ unconfirmed: fields }) => ({ unconfirmed: { ...(fields as object), [name]: value } }),
  ]),
])("is unreadable with another %s", (field, recorded, change) => {
  const state = stored(recorded);
  expect(decode({ ...state, ...change(state) })).toEqual({ kind: "unreadable", field });
});

it.each([
  ["posted", posted("a", {}, { past: [], ...{ later: 1 } })],
  ["unconfirmed", unconfirmed({}, { past: [], ...{ later: 1 } })],
  ["a snapshot", unconfirmed({}, { seen: { ids: [], ...{ later: 1 } } })],
])("a field without a schema isn't written: %s", (_, recorded) => {
  expect(() => encode(recorded)).toThrow("later");
});
