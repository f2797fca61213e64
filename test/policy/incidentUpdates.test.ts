import { forbiddenWords, mailOnlyFrom } from "../../policy";
import { resourceViolations } from "./validation";

const update = (props: Record<string, unknown>, stack?: string) =>
  ({ kind: "IncidentUpdate", props, stack }) as const;

describe("who may mail subscribers", () => {
  const policy = mailOnlyFrom({ stacks: ["production", "shop/staging"] });

  it.each(["shop/production", "blog/production", "shop/staging"])("%s, which is listed", async (stack) => {
    expect(await resourceViolations(policy, update({ notifySubscribers: true }, stack))).toEqual([]);
  });

  it.each(["shop/test", "blog/staging", "shop/production-2"])("not %s, which isn't", async (stack) => {
    expect(await resourceViolations(policy, update({ notifySubscribers: true }, stack))).toEqual([
      `notifySubscribers: true, but only production, shop/staging may email subscribers, and this is ${stack}. ` +
        "Declare notifySubscribers: false, or declare the update in a listed stack.",
    ]);
  });

  it("is nobody when no stack is listed", async () => {
    const [message] = await resourceViolations(
      mailOnlyFrom({ stacks: [] }),
      update({ notifySubscribers: true }),
    );
    expect(message).toContain("but no stack may email subscribers");
  });

  it.each([{ notifySubscribers: false }, {}])(
    "doesn't matter to an update that mails nobody: %j",
    async (props) => {
      expect(await resourceViolations(policy, update(props))).toEqual([]);
    },
  );

  it("doesn't matter to another kind of resource", async () => {
    const channel = { kind: "AlertChannel", props: { notifySubscribers: true } } as const;
    expect(await resourceViolations(policy, channel)).toEqual([]);
  });

  it("is a rule that fails a run", () => {
    expect(policy).toMatchObject({ name: "mail-only-from", enforcementLevel: "mandatory" });
  });
});

describe("words that a description must not hold", () => {
  const holds = async (words: string[], description: string): Promise<boolean> =>
    (await resourceViolations(forbiddenWords(words), update({ description }))).length > 0;

  it.each([
    ["in another case", "blame", "Blame the cache."],
    ["at the end", "blame", "we know who to blame"],
    ["next to punctuation", "c++", "It was (C++)."],
    ["with other white space", "data loss", "There was data\n  loss."],
    ["with letters written in another way", "caf\u00e9", "the cafe\u0301 page"],
    ["written as an entity", "r&d", "R&amp;D looks into it"],
    ["in a script that puts no spaces", "障害", "大規模障害が発生"],
  ])("are found %s", async (_how, word, description) => {
    expect(await holds([word], description)).toBe(true);
  });

  it.each([
    ["a longer word", "eta", "The beta is fine."],
    ["a word with an ending", "blame", "blameless"],
    ["what a pattern would match", "a.c", "abc"],
  ])("are not found in %s", async (_where, word, description) => {
    expect(await holds([word], description)).toBe(false);
  });

  it("are named by their places in the list alone: the description may be a secret", async () => {
    const policy = forbiddenWords(["cause", "breach", "leak"]);
    const messages = await resourceViolations(policy, update({ description: "A leak after a breach." }));
    expect(messages).toEqual([
      "description: contains forbiddenWords[1], forbiddenWords[2] of the policy pack. Reword the description.",
    ]);
    expect(policy).toMatchObject({ name: "forbidden-words", enforcementLevel: "mandatory" });
  });

  it("don't matter to another kind of resource", async () => {
    const channel = { kind: "AlertChannel", props: { description: "blame" } } as const;
    expect(await resourceViolations(forbiddenWords(["blame"]), channel)).toEqual([]);
  });
});
