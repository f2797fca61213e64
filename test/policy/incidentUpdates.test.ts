import { forbiddenWords, mailOnlyFrom } from "../../policy";
import { resourceViolations } from "./validation";

const update = (props: Record<string, unknown>, stack?: string) =>
  ({ kind: "IncidentUpdate", props, stack }) as const;
const channel = (props: Record<string, unknown>) => ({ kind: "AlertChannel", props }) as const;
const mail = { notifySubscribers: true };

describe("who may mail subscribers", () => {
  const policy = mailOnlyFrom({ stacks: ["production", "shop/staging"] });

  it.each([
    ["an update of a stack that is listed", update(mail, "shop/production")],
    ["one of another project", update(mail, "blog/production")],
    ["one of a stack that is listed with its project", update(mail, "shop/staging")],
    ["an update that mails nobody", update({ notifySubscribers: false })],
    ["an update that doesn't say", update({})],
    ["another kind of resource", channel(mail)],
  ])("%s passes", async (_, declared) => {
    expect(await resourceViolations(policy, declared)).toEqual([]);
  });

  it.each(["shop/test", "blog/staging", "shop/production-2"])("not %s, which isn't listed", async (stack) => {
    expect(await resourceViolations(policy, update(mail, stack))).toEqual([
      `notifySubscribers: true, but only production, shop/staging may email subscribers, and this is ${stack}. ` +
        "Declare notifySubscribers: false, or declare the update in a listed stack.",
    ]);
  });

  it("is nobody when no stack is listed", async () => {
    const [message] = await resourceViolations(mailOnlyFrom({ stacks: [] }), update(mail));
    expect(message).toContain("but no stack may email subscribers");
  });
});

describe("words that a description must not hold", () => {
  it.each([
    ["are found in another case", "blame", "Blame the cache.", 1],
    ["are found at the end", "blame", "we know who to blame", 1],
    ["are found next to punctuation", "c++", "It was (C++).", 1],
    ["are found with other white space", "data loss", "There was data\n  loss.", 1],
    ["are found with letters written in another way", "caf\u00e9", "the cafe\u0301 page", 1],
    ["are found written as an entity", "r&d", "R&amp;D looks into it", 1],
    ["are found in a script that puts no spaces", "障害", "大規模障害が発生", 1],
    ["are not found in a longer word", "eta", "The beta is fine.", 0],
    ["are not found in a word with an ending", "blame", "blameless", 0],
    ["are not found in what a pattern would match", "a.c", "abc", 0],
  ])("%s", async (_, word, description, count) => {
    expect(await resourceViolations(forbiddenWords([word]), update({ description }))).toHaveLength(count);
  });

  it("are named by their places in the list alone: the description may be a secret", async () => {
    const policy = forbiddenWords(["cause", "breach", "leak"]);
    expect(await resourceViolations(policy, update({ description: "A leak after a breach." }))).toEqual([
      "description: contains forbiddenWords[1], forbiddenWords[2] of the policy pack. Reword the description.",
    ]);
  });

  it("don't matter to another kind of resource", async () => {
    const declared = channel({ description: "blame" });
    expect(await resourceViolations(forbiddenWords(["blame"]), declared)).toEqual([]);
  });
});

it.each([
  ["mail-only-from", mailOnlyFrom({ stacks: [] })],
  ["forbidden-words", forbiddenWords(["blame"])],
])("%s fails a run", (name, policy) => {
  expect(policy).toMatchObject({ name, enforcementLevel: "mandatory" });
});
