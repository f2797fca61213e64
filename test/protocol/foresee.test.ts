/** What a preview says of a declaration: where its steps ended or, if nothing was read, what the state and the program say. */
import { predict, predictWrite, type Step } from "../../provider/protocol";
import { computeDeclarationKey } from "../../provider/protocol/identity";
import { type Declaration } from "../../provider/protocol/identity";
import { begun, choice, declaration, history, learned, now, posted, sent, settled, update } from "./steps";

type Given = Parameters<typeof predict>;
const recorded = posted("a");
const shown = recorded.published;
const notKnown = (fields: string[], isRefused?: true) => {
  const told = { kind: "notKnown", fields } as const;
  return [isRefused ? { ...told, isRefused } : told];
};

it.each<[string, Partial<Declaration>, unknown: string[], foreseen: object, remarks?: object[]]>([
  ["another text, known", { description: "B" }, [], { kind: "kept", recorded }],
  [
    "a text that isn't known",
    {},
    ["description"],
    { kind: "unknown", replaced: shown },
    notKnown(["description"]),
  ],
  [
    "the same, refuse",
    { onChange: "refuse" },
    ["description"],
    { kind: "kept", recorded },
    notKnown(["description"], true),
  ],
  [
    "another text, edit",
    { onChange: "edit", description: "B" },
    [],
    { kind: "edited", recorded, was: shown, isUnverified: true },
  ],
  [
    "a text that isn't known, edit",
    { onChange: "edit" },
    ["description"],
    { kind: "edited", recorded, was: shown, isUnverified: true },
    notKnown(["description"]),
  ],
  [
    "an incident that isn't known, edit",
    { onChange: "edit" },
    ["containerId"],
    { kind: "kept", recorded },
    notKnown(["containerId"], true),
  ],
  [
    "another text of an incident that isn't known, edit",
    { onChange: "edit", description: "B" },
    ["containerId"],
    { kind: "edited", recorded, was: shown, isUnverified: true },
    notKnown(["containerId"], true),
  ],
])(
  "a preview without a read, of an update that the state has: %s",
  (_, changes, names, foreseen, remarks = []) => {
    const unknown = new Set(names);
    const declared = Object.fromEntries(
      Object.entries(declaration(changes)).filter(([name]) => !unknown.has(name)),
    );
    const given = { declared, recorded, unknown };
    expect(predict(given)).toEqual({ ...foreseen, notices: remarks });
    // What isn't known is said alone: it is known before the service is asked.
    const unread = [{ kind: "unread", why: "503" }];
    const said = remarks.length > 0 ? remarks : unread;
    expect(predict({ ...given, unread: "503" }, { kind: "posted", notices: [] })).toEqual({
      ...foreseen,
      notices: said,
    });
  },
);

it("a preview without a read says that an update isn't recorded, is unconfirmed, or isn't shown", () => {
  const declared = declaration({ description: "B" });
  expect(predict({ declared })).toEqual({ kind: "unknown", notices: [] });
  expect(predict({ declared, recorded: sent() })).toEqual({ kind: "unconfirmed", notices: [] });
  const replacedBy = (changes: object) =>
    predict({ declared, unknown: new Set(["description"]), recorded: { ...recorded, ...changes } });
  expect(replacedBy({ missing: true })).toMatchObject({ kind: "unknown", replaced: undefined });
  expect(replacedBy({ published: undefined })).toMatchObject({ replaced: recorded.declared });
});

const behind = { kind: "behind" } as const;
const waits = { kind: "waits", ms: 1, isLater: false } as const;
const occurrence = { kind: "occurrence", count: 0 } as const;
const earlierEntry = { kind: "earlierEntry" } as const;
const gone = { kind: "gone", id: "a" } as const;
const twin = { kind: "unsettledTwin", by: "other" } as const;
const replaced = { ...update("a"), isRedated: true };
const refused = (refusal: typeof occurrence | typeof gone | typeof twin | typeof earlierEntry) =>
  ({ kind: "refused", refusal, notices: [] }) as const;

it.each<[string, Omit<Given[0], "declared">, Given[1], foreseen: object | undefined]>([
  [
    "a post after a denied one",
    {},
    { kind: "posted", notices: [{ kind: "resent", at: 1 }] },
    { kind: "posted", notices: [{ kind: "resent", at: 1 }] },
  ],
  ["a kept one", { isBehind: true }, { kind: "kept", recorded, notices: [waits] }, undefined],
  [
    "a post in place of one with another date",
    {},
    { kind: "posted", replaced, notices: [] },
    { kind: "posted", replaced, notices: [{ kind: "redated" }] },
  ],
  [
    "a post behind another",
    { isBehind: true },
    { kind: "posted", notices: [] },
    { kind: "waits", notices: [behind] },
  ],
  [
    "a post whose code is too early",
    {},
    { kind: "posted", notices: [{ kind: "early", from: 1 }] },
    { kind: "waits", notices: [{ kind: "early", from: 1 }] },
  ],
  ["a refusal", { isBehind: true }, refused(gone), undefined],
  [
    "a refusal that waits",
    {},
    { ...refused(gone), notices: [waits] },
    { kind: "waits", refusal: gone, notices: [] },
  ],
  ["a twin that is unsettled", {}, refused(twin), { kind: "waits", refusal: twin, notices: [] }],
  [
    "no first one, behind another",
    { isBehind: true },
    refused(occurrence),
    { kind: "waits", notices: [behind] },
  ],
  ["no earlier entry", {}, refused(earlierEntry), undefined],
  [
    "no earlier entry, behind another",
    { isBehind: true },
    refused(earlierEntry),
    { kind: "waits", notices: [behind] },
  ],
])("a preview that ended with %s", (_, foresight, ending, foreseen) => {
  expect(predict({ declared: declaration(), ...foresight }, ending)).toEqual(foreseen ?? ending);
});

const foreseenAt = ({ ledger, task }: Step) => predictWrite(ledger, task);
const B = { description: "B" };
const noon = { publicIncidentUpdateDate: "2026-01-01T12:00:00Z" };
it.each<[string, Step, object | undefined]>([
  ["another date", choice({ declared: noon, state: recorded }), { ...shown, isRedated: true }],
  [
    "what an earlier run sent",
    settled({ declared: B, events: [history([update("a")])] }),
    { ...shown, isRedated: false },
  ],
])("a preview that ends at a post says that it replaces %s", (_, step, replaced) => {
  const { notices } = step.task;
  expect(foreseenAt(step).foreseen).toEqual({ kind: "posted", replaced, notices });
});

it("a preview that ends at a post knows its update for the rest of the run, as the newest", () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const declared = { ...B, ...noon };
  const step = choice({ declared, shown: [update("a")] });
  const { ledger } = foreseenAt(step);
  const own = { id: computeDeclarationKey(declaration(declared)), status: "INVESTIGATING", ...declared };
  const newest = { ...own, created_at: at(now + 1_001) };
  expect(ledger.view.updates).toMatchObject([newest, update("a")]);
  const { plan, owns } = learned({ ...step, ledger });
  expect(plan).toMatchObject({ kind: "keeps", recorded: { id: own.id, published: newest, past: [] } });
  expect(plan).not.toHaveProperty("recorded.isByWords");
  expect(owns).toEqual([own.id]);
  expect(foreseenAt(choice({ declared })).ledger.view.updates).toMatchObject([
    { ...own, created_at: at(now) },
  ]);
  expect(() => foreseenAt(begun({}))).toThrow("A write is foreseen in phase decide.");
});
