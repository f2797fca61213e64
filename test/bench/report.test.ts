/** What `npm run bench` is asked for, and what it makes of its figures. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { atLeast, atMost, median, quantity } from "../../bench/figures";
import { optionsOf } from "../../bench/options";
import { type Report, readmeWith } from "../../bench/report/readme";
import { textOfTables } from "../../bench/report/text";

const root = resolve(__dirname, "../..");
const bench = join(root, "bench");
const read = (file: string): string => readFileSync(join(bench, file), "utf8");

it("the README holds the latest figures", () => {
  const latest = JSON.parse(read("latest.json")) as Record<string, Report>;
  expect(Object.keys(latest)).toEqual(
    expect.arrayContaining(["engine", "memory", "import", "client", "audit"]),
  );
  // On failure: npm run bench -- NAME --write
  expect(readmeWith(read("README.md"), latest)).toBe(read("README.md"));
});

it("the README says of a missed bar why it is missed", () => {
  const [name = "", report] =
    Object.entries(JSON.parse(read("latest.json")) as Record<string, Report>)[0] ?? [];
  if (report === undefined) throw new Error("There are no latest figures.");
  const results = [
    { what: "apples", ...atMost(quantity(2, "ratio"), 1.3), because: "of worms" },
    { what: "pears", ...atMost(quantity(1, "ratio"), 1.3), because: "never told" },
  ];
  const readme = readmeWith(read("README.md"), { [name]: { ...report, results } });
  expect(readme).toContain(`- ${name}: apples: 2.00, limit <= 1.30. Reason: of worms.`);
  expect(readme).not.toContain("never told");
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
  const { stderr, status } = spawnSync(process.execPath, [join(bench, "index.js"), "speed"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^No bench is called speed\. There are: engine, memory, import, client, audit/);
  expect(status).toBe(1);
});
