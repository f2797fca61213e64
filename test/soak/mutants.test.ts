import { readFileSync } from "node:fs";
import { join } from "node:path";
import equivalent from "../../soak/mutants/equivalent.json";
import { lastFigures } from "../../soak/mutants/lastFigures";
import { survivorsOf } from "../../soak/mutants/survivors";
import { repository } from "../engine/stack";

const linesOf = (file: string) =>
  readFileSync(join(repository, file), "utf8")
    .split("\n")
    .map((line) => line.trim());

test.each(equivalent)(
  "$file: $line -> $replacement is a mutant of a line that is there",
  ({ file, line, reason }) => {
    expect(linesOf(file)).toContain(line);
    expect(reason).toMatch(/^[A-Z].*\.$/);
  },
);

test("the last figures of the long groups are shown, with their age", () => {
  expect(lastFigures().map(({ what }) => what)).toEqual(
    ["client", "lifecycles", "audit"].map((group): unknown =>
      expect.stringMatching(
        new RegExp(`^mutants of ${group} killed, of \\d+; \\d+ more are equivalent; measured on 20`),
      ),
    ),
  );
});

describe("the score", () => {
  const [first] = equivalent;
  if (!first) throw new Error("No mutant is listed as equivalent.");
  const { file, line, replacement } = first;
  const at = linesOf(file).indexOf(line) + 1;
  const location = { start: { line: at, column: 0 }, end: { line: at, column: 1 } };
  const fileName = join(repository, file);
  const mutant = { id: "1", mutatorName: "Any", fileName, location, replacement };
  const others = equivalent.filter((each) => each.file === file).length - 1;

  test("doesn't count a mutant that is listed as equivalent", () => {
    const results = survivorsOf([
      { ...mutant, status: "Survived" },
      { ...mutant, replacement: "x", status: "Killed" },
      { ...mutant, replacement: "y", status: "Timeout" },
      { ...mutant, replacement: "z", status: "NoCoverage" },
      { ...mutant, replacement: "a", status: "CompileError" },
    ]);
    expect(results).toMatchObject({
      count: 3,
      equivalent: 1,
      survivors: [expect.stringContaining("NoCoverage")],
    });
    expect(results.score).toBeCloseTo(66.7, 1);
    expect(results.stale).toHaveLength(others);
  });

  test("counts one that is listed as equivalent also when its run took too long", () => {
    const results = survivorsOf([{ ...mutant, status: "Timeout" }]);
    expect(results).toMatchObject({ count: 0, equivalent: 1, survivors: [] });
    expect(results.stale).toHaveLength(others);
  });

  test("tells when one that is listed is found by a test", () => {
    const results = survivorsOf([{ ...mutant, status: "Killed" }]);
    expect(results).toMatchObject({ score: 100, equivalent: 0, survivors: [] });
    expect(results.stale).toHaveLength(others + 1);
  });
});
