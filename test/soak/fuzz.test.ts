import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { fuzz, targets } from "../../soak/fuzz";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fuzz-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A target of the fuzzer, whose `run` does this with its `input`. */
function target(body: string, seeds: readonly string[] = ["good"]): string {
  const file = join(folder, "target.js");
  writeFileSync(
    file,
    `module.exports = { run(input) { ${body} }, seeds: ${JSON.stringify(seeds)}, words: ["b", "a", "d"] };`,
  );
  return file;
}

test("there is a target for each reader of what strangers write", () => {
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

test("the fuzzer finds its way to what it knows nothing of, by the code that its inputs reach", async () => {
  const [figure] = await fuzz({ executions: 20_000, files: [join(__dirname, "doors.js")] });
  expect(figure).toMatchObject({
    measured: expect.stringMatching(/^1; the last door is open — by the input "open/),
  });
});

test("an input that failed once is run again however often it passed since, and first of all", async () => {
  const [failing, mended] = ['if (input === "bad") throw new Error("it is bad");', ""];
  await fuzz({ executions: 0, folder, keep: "failures", files: [target(failing, ["good", "bad"])] });
  for (const seed of [1, 2])
    await fuzz({ executions: 100, folder, keep: "all", seed, files: [target(mended)] });
  const broken = 'throw new Error("the first is " + input);';
  const [figure] = await fuzz({ executions: 0, folder, files: [target(broken)] });
  expect(figure).toMatchObject({
    measured: '2; the first is bad — by the input "bad"; the first is good — by the input "good"',
  });
});

test.each([
  ["never ends", 'if (input.startsWith("ba")) for (;;);', "an input never ends"],
  ["waits for nothing", 'if (input.startsWith("ba")) return new Promise(() => {});', "the thread ended"],
])("an input that %s is told, kept and run again", async (_, body, said) => {
  const [figure] = await fuzz({
    ...{ executions: 0, folder, keep: "all", longestMs: 500, files: [target(body, ["good", "bad\ud83d"])] },
  });
  const measured = (count: number) =>
    `1; ${said}, after ${count} inputs with the seed 1 — by the input "bad\\ud83d"`;
  expect(figure).toMatchObject({ measured: measured(1), met: false });
  const [again] = await fuzz({ executions: 0, folder, longestMs: 500, files: [target(body)] });
  expect(again).toMatchObject({ measured: measured(0), met: false });
});
