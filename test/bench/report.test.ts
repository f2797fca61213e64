/** What `npm run bench` is asked for, and what it makes of its figures. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atLeast, atMost, median, quantity } from "../../bench/figures";
import { optionsOf } from "../../bench/options";
import { type Report, readmeWith } from "../../bench/report/readme";
import { textOfTables } from "../../bench/report/text";
import { repository } from "../engine/stack";

const bench = join(repository, "bench");
const readme = readFileSync(join(bench, "README.md"), "utf8");
const latest = JSON.parse(readFileSync(join(bench, "latest.json"), "utf8")) as Record<string, Report>;
const names = ["engine", "memory", "import", "client", "audit"];

it("the README holds the latest figures", () => {
  expect(Object.keys(latest)).toEqual(expect.arrayContaining(names));
  // On failure: npm run bench -- NAME --write
  expect(readmeWith(readme, latest)).toBe(readme);
});

it("the README says of a missed bar why it is missed", () => {
  const [name = "", report] = Object.entries(latest)[0] ?? [];
  if (report === undefined) throw new Error("There are no latest figures.");
  const results = [
    { what: "apples", ...atMost(quantity(2, "ratio"), 1.3), because: "of worms" },
    { what: "pears", ...atMost(quantity(1, "ratio"), 1.3), because: "never told" },
  ];
  const written = readmeWith(readme, { [name]: { ...report, results } });
  expect(written).toContain(`- ${name}: apples: 2.00, limit <= 1.30. Reason: of worms.`);
  expect(written).not.toContain("never told");
});

it("figures come with their units and results, tables side by side", () => {
  const text = textOfTables([
    { what: "how long", ...atMost(quantity(12.34, "s"), 10) },
    {
      title: "By size",
      head: ["size", "ours"],
      rows: [[quantity(2000, "count"), quantity(1500.4, "bytes")]],
    },
    { what: "how fast", ...atLeast(quantity(40_000, "per second"), 1_000) },
  ]);
  expect(text).toBe(`  figure    measured       limit  result
  how long    12.3 s   <= 10.0 s  MISSED
  how fast  40,000/s  >= 1,000/s      ok

  By size
  size      ours
  2,000  1,500 B`);
});

it("the median is the middle of the values by size", () => {
  expect(median([10, 9, 100])).toBe(10);
});

it.each([
  [[], { named: [], sizes: [1, 100, 500, 2000], rounds: 3, quick: false, write: false }],
  [["--quick"], { sizes: [20], rounds: 1, quick: true }],
  [["engine", "--sizes", "100,1"], { named: ["engine"], sizes: [1, 100] }],
  [["--json", "a.json", "--write"], { json: "a.json", write: true }],
])("%j asks for %j", (args, options) => {
  expect(optionsOf(args)).toMatchObject(options);
});

it.each([
  [["--sizes", "1,many"], "--sizes takes numbers of resources such as 1,100, not 1,many"],
  [["--quick", "--write"], "--write takes the figures of a full run, not of a --quick one."],
  [["--rounds", "0"], "--rounds takes a number such as 3, not 0"],
  [["--qwick"], "Unknown option '--qwick'"],
])("%j is refused", (args, message) => {
  expect(() => optionsOf(args)).toThrow(message);
});

it("a bench that isn't there is refused with those that are", () => {
  const args = [join(bench, "index.js"), "speed"];
  const { stderr, status } = spawnSync(process.execPath, args, { cwd: repository, encoding: "utf8" });
  expect(stderr).toMatch(new RegExp(`^No bench is called speed\\. There are: ${names.join(", ")}`));
  expect(status).toBe(1);
});
