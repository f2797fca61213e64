/** Which guarantee follows from what two posts of one id show: every combination. */
import { idTestOf, idTestText, limitLines, type Measures } from "../../cli/idResults";

type Observation = Parameters<typeof idTestOf>[1];

const sent = "2026-01-02T10:30:37.000Z";
const statuses = [undefined, 200, 201, 302, 303, 400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 504];
const lineCounts = [undefined, 0, 1, 2, 3];
const seconds = statuses.flatMap((httpStatus) =>
  [true, false].flatMap((isFirst) => lineCounts.map((lines) => ({ httpStatus, isFirst, lines }))),
);
/** Kept, changed, dropped and unknown. */
const dates = ["2026-01-02T10:30:37Z", "2026-01-02T10:30:38Z", null, undefined];
const observations: Observation[] = [undefined, ...seconds].flatMap((second) =>
  (["used", "ignored", "rejected"] as const).flatMap((ids) =>
    dates.map((shown) => {
      const shownMs = shown === undefined ? undefined : 12;
      return { ids, shownMs, hiddenMs: undefined, date: { sent, shown }, isTextKept: true, second };
    }),
  ),
);

const once = /^A declared update exists once, also with two machines/;

test("the whole guarantee is promised only if one line and the response prove it, for every observation", () => {
  const promises = observations.map((observation) => {
    const { ids, second } = observation;
    const { isConclusive, guarantee } = idTestOf("https://service.example", observation);
    const text = guarantee.join(" ");
    const isRejection = [400, 409, 422].includes(second?.httpStatus ?? 0);
    const isProven = ids === "used" && second?.lines === 1 && (second.isFirst || isRejection);
    const isDisproven = ids !== "used" || (second?.lines ?? 0) > 1;
    const isInDoubt = isProven && [400, 422].includes(second.httpStatus ?? 0);
    const expected = { isOnce: isProven, isConclusive: isProven || isDisproven, isInDoubt };
    return {
      promised: {
        observation,
        ...{ isOnce: once.test(text), isConclusive, isInDoubt: text.includes("keep `monitoring:clientIds`") },
        isRepeated: text.includes("run this again"),
      },
      proven: { observation, ...expected, isRepeated: !expected.isConclusive },
    };
  });
  expect(promises.map(({ promised }) => promised)).toEqual(promises.map(({ proven }) => proven));
});

const first: Observation = {
  ids: "rejected",
  shownMs: 12,
  hiddenMs: undefined,
  date: { sent, shown: sent },
  isTextKept: true,
  second: undefined,
};

test("each sentence that follows from an observation, and the whole text", () => {
  const few = observations.filter(({ second }) => [undefined, 200, 422, 429].includes(second?.httpStatus));
  const late = [999, 1_000].map((hiddenMs) => ({ ...first, hiddenMs, shownMs: 1_200 }));
  const observed = [...few, ...late, { ...first, isTextKept: false }];
  const sentences = new Set(observed.flatMap((observation) => idTestOf("", observation).guarantee));
  expect([...sentences].sort()).toMatchSnapshot();
  const never = { ...first, hiddenMs: 61_000, shownMs: undefined };
  const text = idTestText(idTestOf("https://service.example", never));
  expect(text.replace(/^###.*/, "")).toMatchSnapshot();
});

test.each<[measured: Partial<Measures>, twoMinutes: string, search: string, history: string]>([
  [{}, "kept", "kept", "kept"],
  [{ shownMs: 15_501 }, "kept", "NOT KEPT", "kept"],
  [{ shownMs: 60_001 }, "NOT KEPT", "NOT KEPT", "kept"],
  [{ shownMs: undefined }, "NOT KEPT", "NOT KEPT", "kept"],
  [{ postMs: 60_001 }, "NOT KEPT", "kept", "kept"],
  [{ updates: 99 }, "kept", "kept", "NOT KEPT"],
  [{ updates: 99, isFull: false }, "kept", "kept", "unknown"],
  [{ updates: 100, isFull: false }, "kept", "kept", "kept"],
  [{ updates: undefined }, "kept", "kept", "unknown"],
])("the limits that a service keeps where it shows %j", (measured, ...kept) => {
  const lines = limitLines({ shownMs: 15_500, postMs: 60_000, updates: 101, isFull: true, ...measured });
  expect(lines.map((line) => /: (.*?);/.exec(line)?.[1])).toEqual(kept);
});
