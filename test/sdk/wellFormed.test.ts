import * as pulumi from "@pulumi/pulumi";
import { wellFormedArgs } from "../../sdk/wellFormed";

const settled = (args: object): Promise<unknown> =>
  new Promise((done) => pulumi.output(wellFormedArgs(args)).apply(done));

const half = "Half \ud83d";
const repaired = "Half \ufffd";

it("replaces each lone surrogate by U+FFFD, at any depth, in plain values, promises and outputs", async () => {
  const list = ["\udc00", { text: pulumi.output(half) }];
  const args = {
    plain: half,
    output: pulumi.output([half]),
    promise: Promise.resolve(half),
    list,
    [half]: 1,
  };
  expect(await settled(args)).toEqual({
    plain: repaired,
    output: [repaired],
    promise: repaired,
    list: ["\ufffd", { text: repaired }],
    [repaired]: 1,
  });
});

it("keeps all other values", () => {
  const args = { emoji: "👩‍👧", nothing: null, missing: undefined, flag: true, count: 1.5, date: new Date(0) };
  expect(wellFormedArgs(args)).toEqual(args);
});

it("keeps secrets marked as secret", async () => {
  const { description } = wellFormedArgs({ description: pulumi.secret(half) });
  expect(await pulumi.isSecret(pulumi.output(description))).toBe(true);
});
