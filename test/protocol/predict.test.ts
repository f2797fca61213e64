/** Predictions of a preview for a declaration, from the end of its steps or, without a read, from the state and the program. */
import { predict, predictWrite, type Step } from "../../provider/protocol";
import { computeDeclarationKey } from "../../provider/protocol/identity";
import { type Declaration } from "../../provider/protocol/identity";
import { begun, choice, declaration, keyed, learned, now, posted, sent, update } from "./steps";

type Given = Parameters<typeof predict>;
const recorded = posted("a");
const ofKey = posted("a", keyed);
const shown = recorded.published;
const notKnown = (fields: string[], isRejected?: true) => {
  const told = { kind: "notKnown", fields } as const;
  return [isRejected ? { ...told, isRejected } : told];
};

it.each<[string, Partial<Declaration>, unknown: string[], prediction: object, remarks?: object[]]>([
  ["a different text", { description: "B" }, [], { kind: "kept", recorded }],
  [
    "an unknown text, with a key",
    keyed,
    ["description"],
    { kind: "edited", recorded: ofKey, was: shown, isUnverified: true },
    notKnown(["description"]),
  ],
  [
    "an unknown incident, with a key",
    keyed,
    ["containerId"],
    { kind: "kept", recorded: ofKey },
    notKnown(["containerId"], true),
  ],
  [
    "a different text on an unknown incident, with a key",
    { ...keyed, description: "B" },
    ["containerId"],
    { kind: "edited", recorded: ofKey, was: shown, isUnverified: true },
    notKnown(["containerId"], true),
  ],
])(
  "a preview without a read, for an update in the state: %s",
  (_, changes, names, prediction, remarks = []) => {
    const unknown = new Set(names);
    const declared = Object.fromEntries(
      Object.entries(declaration(changes)).filter(([name]) => !unknown.has(name)),
    );
    const given = { declared, recorded: "key" in declared ? ofKey : recorded, unknown };
    expect(predict(given)).toEqual({ ...prediction, notices: remarks });
    // Unknown values are the only notice, because they are detected before the service is called.
    const unread = [{ kind: "unread", why: "503" }];
    const said = remarks.length > 0 ? remarks : unread;
    expect(predict({ ...given, unread: "503" }, { kind: "posted", notices: [] })).toEqual({
      ...prediction,
      notices: said,
    });
  },
);

it("a preview without a read reports an update that isn't recorded, is unconfirmed or is missing", () => {
  const declared = declaration({ description: "B" });
  expect(predict({ declared })).toEqual({ kind: "unknown", notices: [] });
  expect(predict({ declared, recorded: sent() })).toEqual({ kind: "unconfirmed", notices: [] });
});

const behind = { kind: "behind" } as const;
const waits = { kind: "waits", ms: 1, isLater: false } as const;
const earlierEntry = { kind: "earlierEntry" } as const;
const gone = { kind: "gone", id: "a" } as const;
const twin = { kind: "twin", by: "other" } as const;
const owned = { ...twin, id: "a" } as const;
const refused = (rejection: typeof gone | typeof twin | typeof owned | typeof earlierEntry) =>
  ({ kind: "refused", rejection, notices: [] }) as const;

it.each<[string, Omit<Given[0], "declared">, Given[1], prediction: object | undefined]>([
  [
    "a post after a denied post",
    {},
    { kind: "posted", notices: [{ kind: "resent", at: 1 }] },
    { kind: "posted", notices: [{ kind: "resent", at: 1 }] },
  ],
  ["a kept update", { isBehind: true }, { kind: "kept", recorded, notices: [waits] }, undefined],
  [
    "a post after an unconfirmed update",
    { isBehind: true },
    { kind: "posted", notices: [] },
    { kind: "waits", notices: [behind] },
  ],
  [
    "a post whose code was set too early",
    {},
    { kind: "posted", notices: [{ kind: "early", from: 1 }] },
    { kind: "waits", notices: [{ kind: "early", from: 1 }] },
  ],
  ["a rejection", { isBehind: true }, refused(gone), undefined],
  [
    "a rejection after a wait",
    {},
    { ...refused(gone), notices: [waits] },
    { kind: "waits", rejection: gone, notices: [] },
  ],
  [
    "a twin whose post has an unknown result",
    {},
    refused(twin),
    { kind: "waits", rejection: twin, notices: [] },
  ],
  ["a twin with an update", {}, refused(owned), undefined],
  ["a missing previous entry", {}, refused(earlierEntry), undefined],
  [
    "a missing previous entry after an unconfirmed update",
    { isBehind: true },
    refused(earlierEntry),
    { kind: "waits", notices: [behind] },
  ],
])("a preview that ended with %s", (_, input, prediction, expected) => {
  expect(predict({ declared: declaration(), ...input }, prediction)).toEqual(expected ?? prediction);
});

const predictStep = ({ ledger, task }: Step) => predictWrite(ledger, task);
const B = { description: "B" };
const noon = { publicIncidentUpdateDate: "2026-01-01T12:00:00Z" };
it("a preview that ends at a post treats its update as the newest one for the rest of the run", () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const declared = { ...B, ...noon };
  const step = choice({ declared, shown: [update("a")] });
  const { ledger } = predictStep(step);
  const own = { id: computeDeclarationKey(declaration(declared)), status: "INVESTIGATING", ...declared };
  const newest = { ...own, created_at: at(now + 1_001) };
  expect(ledger.view.updates).toMatchObject([newest, update("a")]);
  const { plan, owns } = learned({ ...step, ledger });
  expect(plan).toMatchObject({ kind: "keeps", recorded: { id: own.id, published: newest } });
  expect(owns).toEqual([own.id]);
  expect(predictStep(choice({ declared })).ledger.view.updates).toMatchObject([
    { ...own, created_at: at(now) },
  ]);
  expect(() => predictStep(begun({}))).toThrow("A write is predicted in phase decide.");
});
