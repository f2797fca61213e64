/** What the commands of this repository say, where a machine lacks something or a check failed. */
import fs from "node:fs";
import path from "node:path";
import { Linter } from "eslint";
import { clone, node } from "./fakePrograms";
import { temporaryFolder } from "../temporaryFolder";

const { scripts } = JSON.parse(fs.readFileSync(path.join(clone, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const commands = Object.values(scripts).flatMap(
  (script) => /^node (scripts\/\w+\.js)$/.exec(script)?.[1] ?? [],
);

describe("on a Node that is too old", () => {
  it.each(commands)("%s ends with one clear line", (command) => {
    const pretend = 'Object.defineProperty(process, "versions", { value: { node: "14.21.3" } });';
    expect(node(["-e", `${pretend} require("./${command}");`])).toMatchObject({
      status: 1,
      stderr: "This needs Node 20 or newer; this is Node 14.21.3. Get one: https://nodejs.org\n",
    });
  });

  it.each([...commands, "scripts/setup/nodeVersion.js"])("%s can be parsed by it", (file) => {
    const mistakes = new Linter().verify(fs.readFileSync(path.join(clone, file), "utf8"), [
      { languageOptions: { ecmaVersion: 2019, sourceType: "commonjs" } },
    ]);
    expect(mistakes).toEqual([]);
  });
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
    expect(node(["scripts/tally.js", verified, first, "0", second, tested])).toMatchObject({
      stdout: `${lastLine}\n`,
      status,
    });
  },
);

it("verify lists its checks when it is asked for an unknown one", () => {
  expect(node(["scripts/verify.js", "spelling"])).toMatchObject({
    stderr:
      "Unknown check: spelling. The checks are: lint, types, format, dependencies, unused, package, docs, schema\n",
    status: 1,
  });
});

describe("the set-up of `npm run test:languages`, with no program on PATH and nothing in Pulumi's folder,", () => {
  function runAlone(...args: string[]) {
    const empty = temporaryFolder();
    return node(args, { PATH: empty, PULUMI_HOME: empty });
  }

  it.each([
    ['python").preparePython()', "Python 3 is needed on PATH, with its modules venv and pip (not found)."],
    [
      'goPrograms").prepareGoFor("scripts/engine/yaml", "the host")',
      "Go 1.25.11 or newer is needed for the host, and none was found: no working Go on PATH;",
    ],
  ])("says in one sentence what to install: %s", (call, said) => {
    const action = `() => require("./scripts/languages/${call}`;
    const { status, stderr } = runAlone("-e", `require("./scripts/command").command(${action})`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(said) });
    expect(stderr).toMatch(/and run the same command again\.\n$/);
  });

  it("fails with `--check`, so that `.ci/run` doesn't build a language host", () => {
    expect(runAlone("scripts/languages.js", "--check")).toMatchObject({ status: 1, stderr: "" });
  });
});
