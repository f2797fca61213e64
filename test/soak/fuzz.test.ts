import { join, parse } from "node:path";
import { fuzz, targets } from "../../soak/fuzz";

const names = targets.map((file) => [parse(file).name, file] as const);

test("there is a target for each reader of what strangers write", () => {
  expect(names.map(([name]) => name)).toEqual([
    "answerParser",
    "configRedaction",
    "cursors",
    "pathBuilder",
    "redaction",
    "retryAfter",
    "ruleFile",
  ]);
});

test.each(names)("%s holds, for all that earlier runs kept and 1,000 inputs more", async (_, file) => {
  const [figure] = await fuzz({ executions: 1_000, files: [file] });
  expect(figure).toMatchObject({ measured: "0", met: true });
});

test("the fuzzer finds its way to what it knows nothing of, by the code that its inputs reach", async () => {
  const [figure] = await fuzz({ executions: 20_000, files: [join(__dirname, "doors.js")] });
  expect(figure).toMatchObject({
    measured: expect.stringMatching(/^1; the last door is open — by the input "open/),
  });
});
