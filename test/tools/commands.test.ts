/** What the commands of this repository say, where a machine lacks something or a check failed, and the order of its tests. */
import fs from "node:fs";
import path from "node:path";
import { parse } from "acorn";
import { clone, node, writeIn } from "./fakePrograms";
import LongestFirst from "../longestFirst";
import { temporaryFolder } from "../temporaryFolder";
import { filesUnder, install } from "../../tools/setup";
import { hashOf } from "../../tools/setup/build";

const { scripts } = JSON.parse(fs.readFileSync(path.join(clone, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
/** Those that a newcomer runs first. */
const commands = ["demo", "sandbox", "build", "test", "verify"].map(
  (name) => scripts[name]?.replace(/^node /, "") ?? name,
);

describe("on a Node that is too old", () => {
  it("each ends with one clear line", () => {
    const pretend = `
      Object.defineProperty(process, "versions", { value: { node: "14.21.3" } });
      process.exit = (code) => { throw code; };
      for (const command of process.argv.slice(1))
        try { require("./" + command); } catch (code) { console.error(command, code); }`;
    const line = "This needs Node 20 or newer; this is Node 14.21.3. Get one: https://nodejs.org\n";
    const { stderr } = node(["-e", pretend, ...commands]);
    expect(stderr).toBe(commands.map((command) => `${line}${command} 1\n`).join(""));
  });

  it.each([...commands, "tools/setup/nodeVersion.js"])("%s can be parsed by it", (file) => {
    const text = fs.readFileSync(path.join(clone, file), "utf8");
    expect(() => parse(text, { ecmaVersion: 2019 })).not.toThrow();
  });
});

it("a source with another content is built again, also one that keeps an older time", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "source.ts");
  const keyWith = (text: string) => {
    writeIn(folder, "source.ts", text);
    fs.utimesSync(file, 0, 0);
    return hashOf([file]);
  };
  const built = keyWith("before");
  expect([keyWith("after") === built, keyWith("before") === built]).toEqual([false, true]);
});

it("packages that can't be installed give npm's own message, and the way to check the connection", async () => {
  const folder = temporaryFolder();
  writeIn(folder, "npm-cli.js", 'console.error("npm error code ECONNREFUSED"); process.exit(1);');
  process.env["npm_execpath"] = path.join(folder, "npm-cli.js");
  const printed = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const installing = install(folder);
  await expect(installing).rejects.toThrow(
    "npm could not install the packages:\n  npm error code ECONNREFUSED\n" +
      "`npm ping` shows whether npm reaches its registry. Once it does, run the same command again.",
  );
  expect(printed).toHaveBeenCalledWith("Installing the npm packages (about half a minute)\n");
  printed.mockRestore();
});

const passing = { numPassedTests: 7, numTotalTests: 7, numRuntimeErrorTestSuites: 0 };
it.each<[string, object | undefined, verified: string, tested: string, lastLine: string, status: number]>([
  ["all is well", passing, "0", "0", "17 passed, 0 failed", 0],
  ["a check failed", passing, "1", "0", "17 passed, 1 failed", 1],
  ["tests failed", { ...passing, numPassedTests: 5 }, "0", "1", "15 passed, 2 failed", 1],
  ["a test was skipped", { ...passing, numPassedTests: 6 }, "0", "0", "16 passed, 1 failed", 1],
  ["a suite didn't load", { ...passing, numRuntimeErrorTestSuites: 1 }, "0", "1", "17 passed, 1 failed", 1],
  ["jest failed after its tests", passing, "0", "1", "17 passed, 1 failed", 1],
  ["there was no engine", undefined, "0", "1", "10 passed, 1 failed", 1],
])(
  "the last line of a CI run, when %s in its second tier",
  (_, results, verified, tested, lastLine, status) => {
    const folder = temporaryFolder();
    const [first = "", second = ""] = ["first.json", "second.json"].map((name) => path.join(folder, name));
    fs.writeFileSync(first, JSON.stringify({ ...passing, numPassedTests: 10, numTotalTests: 10 }));
    if (results) fs.writeFileSync(second, JSON.stringify(results));
    expect(node(["tools/test/tally.js", verified, first, "0", second, tested])).toMatchObject({
      stdout: `${lastLine}\n`,
      status,
    });
  },
);

const files = filesUnder(path.join(clone, "test")).filter((file) => file.endsWith(".test.ts"));

it.each(LongestFirst.longest)("%s is the beginning of a test's path", (start) => {
  expect(files.filter((file) => file.startsWith(path.join(clone, start)))).not.toEqual([]);
});
