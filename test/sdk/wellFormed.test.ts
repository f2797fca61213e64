import * as pulumi from "@pulumi/pulumi";
import { wellFormedArgs } from "../../sdk/wellFormed";

const settled = (args: object): Promise<unknown> =>
  new Promise((done) => pulumi.output(wellFormedArgs(args)).apply(done));

const half = "Half \ud83d";
const repaired = "Half \ufffd";

it("puts U+FFFD for each half of a character, wherever it stands and however it comes", async () => {
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

it("leaves everything else as it is", () => {
  const args = { emoji: "👩‍👧", nothing: null, missing: undefined, flag: true, count: 1.5, date: new Date(0) };
  expect(wellFormedArgs(args)).toEqual(args);
});

it("keeps a secret secret", async () => {
  const { description } = wellFormedArgs({ description: pulumi.secret(half) });
  expect(await pulumi.isSecret(pulumi.output(description))).toBe(true);
});
