import { readFileSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { fuzz, targets } from "../../soak/fuzz";
import { temporaryFolder } from "../sandbox/sandboxes";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** A target whose `run` does this with its `input`. */
function target(body: string, seeds: readonly string[] = ["good"]): string {
  const file = join(folder, "target.js");
  writeFileSync(
    file,
    `module.exports = { run(input) { ${body} }, seeds: ${JSON.stringify(seeds)}, words: ["b", "a", "d"] };`,
  );
  return file;
}

test("there is a target for each reader of untrusted input", () => {
  expect(targets.map((file) => parse(file).name)).toEqual([
    "answerParser",
    "configRedaction",
    "cursors",
    "pathBuilder",
    "redaction",
    "retryAfter",
    "ruleFile",
  ]);
});

test("a failure is reported with the smallest input, which joins the corpus and runs again", async () => {
  const broken = target('if (input.includes("a") && input.includes("b")) throw new Error("a and b");');
  const [figure] = await fuzz({ runs: 1_000, folder, keep: true, files: [broken] });
  expect(figure).toMatchObject({
    measured: expect.stringMatching(/^1; a and b — by the input "[^"]{2,8}"$/),
    met: false,
  });
  const corpus = JSON.parse(readFileSync(join(folder, "target.json"), "utf8")) as string[];
  expect(corpus).toHaveLength(1);
  const [again] = await fuzz({ runs: 0, folder, files: [broken] });
  expect(again?.measured).toBe(figure?.measured);
});

test.each([
  ["never returns", 'if (input.startsWith("ba")) for (;;);', "an input never returns", 500],
  ["never settles", 'if (input.startsWith("ba")) return new Promise(() => {});', "the thread ended", 60_000],
])("an input that %s is reported, kept and run again", async (_, body, message, longestMs) => {
  const measured = `1; ${message} — by the input "bad\\ud83d"`;
  const options = { runs: 0, folder, longestMs };
  const [figure] = await fuzz({ ...options, keep: true, files: [target(body, ["good", "bad\ud83d"])] });
  expect(figure).toMatchObject({ measured, met: false });
  const [again] = await fuzz({ ...options, files: [target(body)] });
  expect(again).toMatchObject({ measured, met: false });
});
