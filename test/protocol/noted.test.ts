import { begin, type SentPost, type Step, step, type Unconfirmed } from "../../provider/protocol";
import {
  choice,
  decided,
  declaration,
  entry,
  fullHistory,
  history,
  ledgerOf,
  note,
  now,
  unconfirmed,
  update,
} from "./steps";

describe("a noted update that is found by its id", () => {
  const publicIncidentUpdateDate = "2026-01-01T00:00:00Z";
  const declared = declaration({ publicIncidentUpdateDate });
  it.each([
    [
      "has another date, for the service changed it",
      { publicIncidentUpdateDate: "2026-02-01T00:00:00Z" },
      "has u",
    ],
    ["has the declared date", { publicIncidentUpdateDate }, "has u"],
    [
      "has another text, for the service changed it",
      { publicIncidentUpdateDate, description: "A." },
      "has u",
    ],
  ])("%s", (_, others, outcome) => {
    const sent = [note("x", { id: "u", date: publicIncidentUpdateDate })];
    const begun = begin(ledgerOf(), { resource: "own", declared, nonce: "n" });
    const asked = step(begun.ledger, begun.task, history([], sent));
    expect(decided(asked)).toBe("asks for u");
    const found = { on: "update" as const, id: "u", update: { ...update("u"), ...others }, sent, now };
    expect(decided(step(asked.ledger, asked.task, found))).toBe(outcome);
  });
});

it("a noted update with another date than the declared one is another update", () => {
  const begun = begin(ledgerOf(), {
    resource: "own",
    declared: declaration({ publicIncidentUpdateDate: "2026-01-01T00:00:00Z" }),
    nonce: "n",
  });
  const longAgo = { mayAppearUntil: now - 3_600_000, isReported: true };
  const sent = [note("x", longAgo), note("y", { ...longAgo, date: "2026-02-01T00:00:00Z" })];
  expect(decided(step(begun.ledger, begun.task, history([], sent)))).toBe("posts");
});

describe("a noted update that isn't found by its id", () => {
  const sent = [note("x", { id: "u", mayAppearUntil: now - 3_600_000 })];
  const notFound = { on: "update" as const, id: "u", update: undefined, sent, now };
  const asked = (declared = {}, unsettled?: Unconfirmed) => {
    const begun = begin(ledgerOf(), {
      resource: "own",
      declared: declaration(declared),
      nonce: "n",
      unsettled,
    });
    const { ledger, task } = step(begun.ledger, begun.task, history([], sent));
    return step(ledger, task, notFound);
  };

  it.each([
    ["is posted no second time", {}, "refuses: noted, keeps it"],
    [
      "is waited for by an earlier entry",
      { description: "C", followedBy: [entry("A")] },
      "refuses: noted, keeps it",
    ],
    ["counts for the next occurrence", { occurrence: 2 }, "posts"],
  ])("%s", (_, declared, outcome) => {
    expect(decided(asked(declared))).toBe(outcome);
  });

  it("is posted again with a consent that answers the question", () => {
    const resend = { onUnconfirmed: "resend" } as const;
    const before = unconfirmed({}, { nothingSent: true, about: "x" });
    const begun = begin(ledgerOf(), {
      resource: "own",
      declared: declaration(resend),
      nonce: "n",
      unsettled: before,
    });
    expect(decided(step(begun.ledger, begun.task, history([], sent)))).toBe("posts");
    expect(decided(asked(resend))).toBe("refuses: noted, keeps it");
    expect(decided(asked(resend, { ...before, about: "y" }))).toBe("refuses: noted, keeps it");
  });
});

describe("several noted posts", () => {
  const longAgo = { mayAppearUntil: now - 3_600_000, isReported: true };
  const declared = { followedBy: [entry("B"), entry("C")] };
  const sent = [
    note("a", longAgo),
    note("b", { ...longAgo, text: "B" }),
    note("c", { ...longAgo, text: "C" }),
  ];
  const asked = (posts: readonly SentPost[], changes = {}, unsettled?: Unconfirmed) => {
    const beginning = {
      resource: "own",
      declared: declaration({ ...declared, ...changes }),
      nonce: "n",
      unsettled,
    };
    const begun = begin(ledgerOf(), beginning);
    return step(begun.ledger, begun.task, history([], posts));
  };
  const keepOf = ({ command }: Step) =>
    command.do === "finish" && command.result.kind === "failed" ? command.result.keep : undefined;

  it.each([
    [1, { about: "a", alsoAbout: [] }],
    [2, { about: "b", alsoAbout: ["a"] }],
    [3, { about: "b", alsoAbout: ["c", "a"] }],
  ])("are asked about at once: %i", (count, about) => {
    expect(keepOf(asked(sent.slice(0, count)))).toMatchObject({ kind: "unconfirmed", ...about });
  });

  it("are consented to at once", () => {
    const keep = keepOf(asked(sent));
    const answer = keep?.kind === "unconfirmed" ? keep : undefined;
    const resend = { onUnconfirmed: "resend" } as const;
    expect(decided(asked(sent, resend, answer))).toBe("posts");
    const more = [...sent, note("d", longAgo)];
    expect(decided(asked(more, resend, answer))).toBe("refuses: noted, keeps it");
  });

  it("are not what another question is about", () => {
    const keep = keepOf(choice({ shown: fullHistory() }));
    expect(keep).toMatchObject({ about: undefined, alsoAbout: [] });
  });
});
