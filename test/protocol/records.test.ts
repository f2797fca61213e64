/** Any record that a state holds is read as it was written. */
import { updateStatuses } from "../../provider/api/enums";
import {
  decode,
  encode,
  type PastUpdate,
  type Posted,
  type Recorded,
  type Sent,
} from "../../provider/protocol";
import { fc } from "../propertySeed";
import { declaration, posted, sent } from "./steps";

/** An arbitrary value for each field of the type: without one, it doesn't compile. */
type Arbitraries<Type> = { readonly [Name in keyof Type]-?: fc.Arbitrary<Type[Name]> };

const text = fc.string();
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const maybeNull = <Value>(value: fc.Arbitrary<Value>) => maybe(fc.option(value));

const declared = fc.record({
  incidentId: text,
  status: fc.constantFrom(...updateStatuses),
  description: text,
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
    isByWords: maybe(fc.boolean()),
  } satisfies Arbitraries<PastUpdate>),
);

const published = fc.record({
  status: fc.constantFrom(...updateStatuses),
  description: text,
  publicIncidentUpdateDate: maybeNull(text),
  notifySubscribers: maybeNull(fc.boolean()),
} satisfies Arbitraries<NonNullable<Posted["published"]>>);

const anyPosted = fc.record({
  kind: fc.constant("posted"),
  declared,
  id: text,
  published: maybe(published),
  createdAt: maybeNull(text),
  missing: fc.boolean(),
  isByWords: maybe(fc.boolean()),
  past,
} satisfies Arbitraries<Posted>);

const anySent = fc.record({
  kind: fc.constant("sent"),
  declared,
  seen: fc.record({ ids: fc.array(text), newest: maybe(text) } satisfies Arbitraries<Sent["seen"]>),
  nonce: text,
  at: fc.nat(),
  ownIds: fc.array(text),
  answered: maybe(text),
  isTextSecret: fc.boolean(),
  past,
} satisfies Arbitraries<Sent>);

/** The engine stores JSON. */
function stored(recorded: Recorded): Record<string, unknown> {
  return JSON.parse(JSON.stringify(encode(recorded))) as Record<string, unknown>;
}

it("any record, written and read, is the same", () => {
  fc.assert(
    fc.property(fc.oneof(anyPosted, anySent), (recorded: Recorded) => {
      expect(decode(stored(recorded))).toEqual(recorded);
    }),
  );
});

it("holds the program's other inputs, and not the entries after it", () => {
  const recorded = posted("a", { onChange: "refuse", followedBy: ["0123"] });
  const { followedBy, ...kept } = declaration({ onChange: "refuse" });
  expect(decode(stored(recorded))).toMatchObject({ declared: kept });
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
  expect(decode(state)).toBeUndefined();
});

it("isn't missing while it is unconfirmed, and isn't read as one that was only read", () => {
  const { past: none, ...state } = stored(sent());
  expect(state).toMatchObject({ missing: false });
  expect(decode(state)).toEqual({ kind: "unreadable", field: "past" });
});

it("was a secret, unless it says that it wasn't", () => {
  const { isTextSecret, ...unconfirmed } = stored(sent())["unconfirmed"] as Record<string, unknown>;
  expect(isTextSecret).toBe(false);
  expect(decode({ ...stored(sent()), unconfirmed })).toMatchObject({ isTextSecret: true });
});

it("is readable with an unexpected update of the service", () => {
  const { published: shown, ...recorded } = posted("a");
  const state = { ...stored(recorded), published: { description: null } };
  expect(decode(state)).toEqual({ ...recorded, published: undefined });
});

/** With every field. */
const lost = sent({}, { answered: "i", seen: { ids: ["a"], newest: "2026-01-01" } });
const pastOne = { id: "b", key: "k", occurrence: 1, incident: "i" };

describe("is unreadable", () => {
  it.each<[field: string, Recorded, change: object]>([
    ["status", posted("a"), { status: "FUTURE" }],
    ["past", sent(), { past: undefined }],
    ["past.0.since", sent(), { past: [{ ...pastOne, since: 1 }] }],
    ["unconfirmed", sent(), { unconfirmed: null }],
  ])("without a valid %s: %#", (field, recorded, change) => {
    expect(decode({ ...stored(recorded), ...change })).toEqual({ kind: "unreadable", field });
  });

  it.each([
    ["nonce", 1],
    ["ids", undefined],
    ["future", undefined],
  ])("when what was sent has another %s: %j", (name, value) => {
    const state = stored(lost);
    const unconfirmed = { ...(state["unconfirmed"] as object), [name]: value };
    expect(decode({ ...state, unconfirmed })).toEqual({ kind: "unreadable", field: `unconfirmed.${name}` });
  });
});

it.each([
  ["posted", posted("a", {}, { past: [], ...{ later: 1 } })],
  ["a snapshot", sent({}, { seen: { ids: [], ...{ later: 1 } } })],
])("a field without a schema isn't written: %s", (_, recorded) => {
  expect(() => encode(recorded)).toThrow("later");
});
