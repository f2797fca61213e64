/** Which guarantee follows from what two posts of one id show: every combination. */
import { idTestOf, idTestText } from "../../cli/idResults";

type Observation = Parameters<typeof idTestOf>[1];

const sent = "2026-01-02T10:30:37.000Z";
const statuses = [undefined, 200, 201, 302, 303, 400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 504];
const lineCounts = [undefined, 0, 1, 2, 3];
const seconds = statuses.flatMap((httpStatus) =>
  [true, false].flatMap((isFirst) => lineCounts.map((lines) => ({ httpStatus, isFirst, lines }))),
);
const dates = {
  kept: "2026-01-02T10:30:37Z",
  changed: "2026-01-02T10:30:38Z",
  dropped: null,
  unknown: undefined,
};
const observations: Observation[] = [undefined, ...seconds].flatMap((second) =>
  (["used", "ignored", "rejected"] as const).flatMap((ids) =>
    Object.values(dates).map((shown) => {
      const shownMs = shown === undefined ? undefined : 12;
      return { ids, shownMs, hiddenMs: undefined, date: { sent, shown }, isTextKept: true, second };
    }),
  ),
);

const once = /^A declared update exists once, also with two machines/;

test("the whole guarantee is promised only if one line and the response prove it, for every observation", () => {
  for (const observation of observations) {
    const { ids, second } = observation;
    const { isConclusive, guarantee } = idTestOf("https://service.example", observation);
    const isRejection = [400, 409, 422].includes(second?.httpStatus ?? 0);
    const isProven = ids === "used" && second?.lines === 1 && (second.isFirst || isRejection);
    const isDisproven = ids !== "used" || (second?.lines ?? 0) > 1;
    const text = guarantee.join(" ");
    expect([observation, once.test(text), isConclusive]).toEqual([
      observation,
      isProven,
      isProven || isDisproven,
    ]);
    expect([observation, /run this again/.test(text)]).toEqual([observation, !isConclusive]);
    const isInDoubt = isProven && [400, 422].includes(second.httpStatus ?? 0);
    expect([observation, text.includes("keep `monitoring:clientIds`")]).toEqual([observation, isInDoubt]);
  }
});

const first: Observation = {
  ids: "rejected",
  shownMs: 12,
  hiddenMs: undefined,
  date: { sent, shown: sent },
  isTextKept: true,
  second: undefined,
};

test.each([
  ["rejected (HTTP 409)", { httpStatus: 409, isFirst: false, lines: 1 }],
  ["returned the first update (HTTP 200)", { httpStatus: 200, isFirst: true, lines: 1 }],
  ["created a second update (HTTP 409)", { httpStatus: 409, isFirst: false, lines: 2 }],
  ["unknown (no response)", { httpStatus: undefined, isFirst: false, lines: 1 }],
])("%s: %j", (text, second) => {
  const test = idTestOf("", { ...first, ids: "used", second });
  expect(idTestText(test)).toContain(`- Second post of the same id: ${text}\n`);
});

test("each sentence that follows from an observation, and the whole text", () => {
  const few = observations.filter(({ second }) => [undefined, 200, 422, 429].includes(second?.httpStatus));
  const others = [
    { isTextKept: false },
    { hiddenMs: 999, shownMs: 1_000 },
    { hiddenMs: 1_000, shownMs: 1_200 },
  ];
  const observed = [...few, ...others.map((other) => ({ ...first, ...other }))];
  const sentences = new Set(observed.flatMap((observation) => idTestOf("", observation).guarantee));
  expect([...sentences].sort()).toMatchSnapshot();
  const text = idTestText(
    idTestOf("https://service.example", { ...first, hiddenMs: 61_000, shownMs: undefined }),
  );
  expect(text.replace(/^###.*/, "")).toMatchSnapshot();
});

test.each([
  ["kept", "returned to the second"],
  ["changed", `changed: ${sent} was sent, 2026-01-02T10:30:38Z is returned`],
  ["dropped", `changed: ${sent} was sent, none is returned`],
  ["unknown", "unknown"],
] as const)("a date that is %s", (name, text) => {
  const test = idTestOf("", { ...first, date: { sent, shown: dates[name] } });
  expect(idTestText(test)).toContain(`- Public date: ${text}\n`);
});

test.each([
  [true, "returned as sent"],
  [false, "changed"],
  [undefined, "unknown"],
])("a text that is kept: %s", (isTextKept, text) => {
  expect(idTestText(idTestOf("", { ...first, isTextKept }))).toContain(`- Text: ${text}\n`);
});
