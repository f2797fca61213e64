/** A code answers one question, as long as that is the same. */
import { codeOf, codeOfPost, daysOfAnswers } from "../../provider/protocol/question";
import { choice, type Choice, codesOf, decided, fullHistory, now, posted, rejected, update } from "./steps";

const day = 86_400_000;
const [ofDay = NaN] = daysOfAnswers(now);
const about = { about: "update", ownId: "id", newestOther: "b", day: 1 } as const;

it("differs for other questions", () => {
  const questions = [
    { about: "post", nonce: "x" } as const,
    { about: "post", nonce: "y" } as const,
    about,
    { ...about, ownId: "x" },
    { ...about, newestOther: "x" },
    { ...about, newestOther: undefined },
    { ...about, day: 2 },
  ];
  const codes = questions.map(codeOf);
  expect(new Set(codes).size).toBe(questions.length);
  for (const code of codes) expect(code).toMatch(/^[0-9a-f]{8}$/);
});

it("is the same in each release: a user may answer after an upgrade", () => {
  expect([codeOfPost({ nonce: "x" }), codeOf(about)]).toEqual(["70e266c4", "6badd538"]);
});

it.each([
  [Date.UTC(1970, 0, 1, 23, 59, 59, 999), 0],
  [Date.UTC(1970, 0, 2), 1],
])("answers of the day of %d, which is %d, and of the day before count", (ms, today) => {
  expect(daysOfAnswers(ms)).toEqual([today, today - 1]);
});

describe("an answer beyond a full history", () => {
  const others = fullHistory(update("b", "B", -2), update("c", "C", -3));
  const newer = update("newer", "X", -1);
  const question: Choice = { ids: "ignored", shown: others };
  const codes = codesOf(choice(question));
  const midnight = (ofDay + 1) * day;
  const mine = { owners: { other: posted("newer", { description: "X" }) } };

  it.each<[when: string, given: Choice, outcome: string]>([
    ["now", {}, "posts"],
    ["at the end of the day", { at: midnight - 1 }, "posts"],
    ["the next day", { at: midnight }, "posts"],
    ["at the end of the next day", { at: midnight + day - 1 }, "posts"],
    ["the day after", { at: midnight + day }, "refuses: full"],
    ["the day before, by a clock that jumped", { at: midnight - day - 1 }, "refuses: full"],
    ["with a newer update of others", { shown: [newer, ...others] }, "posts"],
    ["with a newer update of others, the next day", { shown: [newer, ...others], at: midnight }, "posts"],
    ["when the newest of then isn't shown any more", { shown: [newer, ...others.slice(1)] }, "refuses: full"],
    ["with a newer update of the program", { shown: [newer, ...others], ...mine }, "posts"],
    [
      "with what the program has, which the run didn't know then",
      { owners: { other: posted("b", { description: "B" }) } },
      "posts",
    ],
    ["about other content", { declared: { description: "Y" } }, "refuses: full"],
    ["about another occurrence", { declared: { occurrence: 2 } }, "refuses: full"],
    ["about another incident", { declared: { incidentId: "j" } }, "refuses: full"],
    ["with another flag", { declared: { notifySubscribers: true } }, "posts"],
    ["among other codes", { codes: ["0000aaaa", ...codes] }, "posts"],
  ])("%s", (_, given, outcome) => {
    expect(decided(choice({ ...question, codes, ...given }))).toBe(outcome);
  });

  it("is asked for with the newest update of others", () => {
    const asked = (given: Choice) => codesOf(choice({ ...question, ...given }));
    expect(codes).toEqual(["eff1fa0d"]);
    expect(asked({ shown: [newer, ...others], ...mine })).toEqual(codes);
    expect(asked({ shown: [newer, ...others] })).not.toEqual(codes);
    expect(asked({ at: midnight })).not.toEqual(codes);
  });

  it("counts where the program has every update that is shown", () => {
    const all = fullHistory();
    const owners = Object.fromEntries(all.map(({ id }) => [id, posted(id, { description: id })]));
    const given = { shown: all, ids: "ignored", owners } as const;
    const answer = codesOf(choice(given));
    expect(decided(choice({ ...given, codes: answer }))).toBe("posts");
    expect(decided(choice({ ...given, codes: answer, at: midnight }))).toBe("posts");
  });

  it("is used by the post that it permits, and by nothing else", () => {
    const { task } = choice({ ...question, codes: [...codes, "0000aaaa"] });
    expect(task).toMatchObject({ used: codes, notices: [] });
    expect(choice({ codes }).task.used).toEqual([]);
    expect(choice({ ...question, codes, events: [rejected] }).task.used).toEqual(codes);
  });

  it("is used with the one of the day before", () => {
    const both = [...codesOf(choice({ ...question, at: midnight })), ...codes];
    expect(choice({ ...question, at: midnight, codes: both }).task.used).toEqual(both);
  });

  it("says how many updates are shown", () => {
    expect(choice(question).command).toMatchObject({ result: { refusal: { count: others.length } } });
  });
});
