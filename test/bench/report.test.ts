/** What `npm run bench` is asked for, and what it makes of its figures. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, median, quantity } from "../../bench/figures";
import { optionsOf } from "../../bench/options";
import { readmeWith, sectionOf } from "../../bench/report";
import { repository } from "../engine/stack";

const bench = join(repository, "bench");
const readme = readFileSync(join(bench, "README.md"), "utf8");
const names = ["engine", "import", "client", "audit", "fleets"];

const sectionIn = (text: string, name: string) =>
  text.split(/\n(?=## )/).find((one) => one.startsWith(`## ${name}\n`));

it("the README holds the figures of each bench, and a new section replaces that of its own alone", () => {
  for (const name of names) {
    const section = `## ${name}\n\nToday.`;
    const written = readmeWith(readme, name, section);
    expect(sectionIn(written, name)?.trim()).toBe(section);
    const others = names.filter((other) => other !== name);
    for (const other of others) expect(sectionIn(written, other)).toBe(sectionIn(readme, other));
  }
});

it("figures come with their units and results, tables side by side", () => {
  const section = sectionOf(
    "fruit",
    [
      { what: "how long", ...atMost(quantity(12.34, "s"), 10) },
      {
        title: "By size",
        head: ["size", "ours"],
        rows: [[quantity(2000, "count"), quantity(1500.4, "bytes")]],
      },
      { what: "how much", ...atMost(quantity(40, "MB"), 1_000) },
    ],
    61,
  );
  expect(section).toMatch(/^## fruit\n\n\d{4}-\d\d-\d\d, in 2 min, on \d+ cores/);
  expect(section.split("\n").slice(4).join("\n")).toBe(`| figure   | measured |      limit | result |
| -------- | -------: | ---------: | -----: |
| how long |   12.3 s |  <= 10.0 s | MISSED |
| how much |    40 MB | <= 1000 MB |     ok |

By size:

| size  |    ours |
| ----- | ------: |
| 2,000 | 1,500 B |`);
});

it("the median is the middle of the values by size", () => {
  expect(median([10, 9, 100])).toBe(10);
});

it.each([
  [[], { named: [], sizes: [1, 100, 500, 2000], rounds: 3, quick: false, write: false }],
  [["--quick"], { sizes: [20], rounds: 1, quick: true }],
  [["engine", "--sizes", "100,1"], { named: ["engine"], sizes: [1, 100] }],
  [["--write"], { write: true }],
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
