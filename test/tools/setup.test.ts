/** Tests the messages for a new contributor whose machine lacks something, and the end of a CI run. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parse } from "acorn";
import { repository as clone } from "../engine/stack";
import { temporaryFolder } from "../temporaryFolder";
import { prepareEngine, version } from "../../tools/setup/engine";
import { exe } from "../../tools/setup/go";

/** The commands that a new contributor runs first. */
const commands = ["demo/index.js", "demo/sandbox.js", "setup/build/index.js", "test/index.js"]
  .concat("verify/index.js")
  .map((name) => `tools/${name}`);

const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: clone, encoding: "utf8" });

it("each command on a Node version that is too old ends with one clear line, because that version can parse it", () => {
  const pretend = `
    Object.defineProperty(process, "versions", { value: { node: "14.21.3" } });
    process.exit = (code) => { throw code; };
    for (const command of process.argv.slice(1))
      try { require("./" + command); } catch (code) { console.error(command, code); }`;
  const line =
    "This needs Node 20 or newer; this is Node 14.21.3. Install a newer version from https://nodejs.org\n";
  const { stderr } = node("-e", pretend, ...commands);
  expect(stderr).toBe(commands.map((command) => `${line}${command} 1\n`).join(""));
  for (const file of [...commands, "tools/setup/nodeVersion.js"]) {
    const text = fs.readFileSync(path.join(clone, file), "utf8");
    expect(() => parse(text, { ecmaVersion: 2019 })).not.toThrow();
  }
});

let printed: jest.SpyInstance;
beforeEach(() => {
  printed = jest.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => printed.mockRestore());

/** Creates an engine in a folder. Its programs are copies of Node, and the test chooses its version. @returns its CLI */
function fakeEngine(folder: string, found: string): string {
  fs.mkdirSync(folder, { recursive: true });
  const script = process.platform === "win32" ? ".cmd" : "";
  for (const part of [`pulumi-language-nodejs${exe}`, `pulumi-resource-pulumi-nodejs${script}`])
    fs.writeFileSync(path.join(folder, part), "not run by these tests\n", { mode: 0o755 });
  const pulumi = path.join(folder, `pulumi${exe}`);
  // A symbolic link isn't used, because its process would have the target's name.
  try {
    fs.linkSync(process.execPath, pulumi);
  } catch {
    fs.copyFileSync(process.execPath, pulumi);
  }
  fs.writeFileSync(`${pulumi}.version`, found);
  return pulumi;
}

/** Returns an environment with only these folders on the PATH, where the CLI of a fake engine prints its version. */
function environment(home: string, ...folders: string[]): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  const preloaded = path.join(home, "fakeProgram.js");
  fs.writeFileSync(
    preloaded,
    `const fs = require("node:fs");
    const file = process.execPath + ".version";
    if (fs.existsSync(file)) { fs.writeSync(1, fs.readFileSync(file)); process.exit(); }`,
  );
  return {
    ...(SystemRoot !== undefined && { SystemRoot }),
    NODE_OPTIONS: `--require ${JSON.stringify(preloaded)}`,
    PATH: folders.join(path.delimiter),
    PULUMI_HOME: home,
  };
}

it("the engine is the first usable engine on the PATH, not an old, broken or package's engine, or otherwise the cached engine", async () => {
  const home = temporaryFolder();
  const usable = async (...folders: string[]) =>
    (await prepareEngine({ env: environment(home, ...folders) })).pulumi;
  const [old, broken, good] = ["old", "broken", "good"].map((name) => path.join(home, name));
  const installer = path.join(home, "node_modules", ".bin");
  fakeEngine(old ?? "", "v3.199.9");
  fakeEngine(broken ?? "", "segmentation fault");
  fakeEngine(installer, "v3.300.0");
  const pulumi = fakeEngine(good ?? "", "v3.1000.0");
  expect(await usable(old ?? "", broken ?? "", installer, good ?? "")).toBe(pulumi);
  const cached = fakeEngine(path.join(home, "versions", version, "bin"), `v${version}`);
  expect(await usable()).toBe(cached);
});

it("an engine that is missing and can't be installed causes an error with the reasons and a remedy", async () => {
  const home = temporaryFolder();
  const folder = path.join(home, "bin");
  const pulumi = fakeEngine(folder, "v3.199.9");
  const python = process.platform === "win32" ? "py" : "python3";
  // `fetch` rejects the port that other tests use.
  const site = "http://127.0.0.1:2";
  await expect(prepareEngine({ env: environment(home, folder), download: { site } })).rejects.toThrow(
    `No usable Pulumi engine was found, and none could be installed:
  - pulumi on PATH: ${pulumi} is 3.199.9, older than 3.200.0
  - Pulumi's cache: no pulumi${exe} in ${path.join(home, "versions", version, "bin")}
  - the official download: ${site} can't be reached (ECONNREFUSED)
  - a build from source: no working Go on PATH; ${python}: not found; python: not found
Any one of these helps:
  - Pulumi 3.200.0 or newer on PATH: https://www.pulumi.com/docs/install
  - Go 1.25.11 or newer on PATH, to build Pulumi ${version} from source: https://go.dev/dl
  - Python 3 with pip, which installs such a Go by itself: https://www.python.org/downloads
Then run the same command again: it resumes where it stopped.`,
  );
});

const passing = { numPassedTests: 7, numTotalTests: 7, numRuntimeErrorTestSuites: 0 };
it.each<[string, object | undefined, verified: string, tested: string, lastLine: string]>([
  ["all is well", passing, "0", "0", "17 passed, 0 failed"],
  ["a check failed", passing, "1", "0", "17 passed, 1 failed"],
  ["tests failed", { ...passing, numPassedTests: 5 }, "0", "1", "15 passed, 2 failed"],
  ["a test was skipped", { ...passing, numPassedTests: 6 }, "0", "0", "16 passed, 1 failed"],
  ["a suite didn't load", { ...passing, numRuntimeErrorTestSuites: 1 }, "0", "1", "17 passed, 1 failed"],
  ["jest failed after its tests", passing, "0", "1", "17 passed, 1 failed"],
  ["there were no results", undefined, "0", "1", "10 passed, 1 failed"],
  ["there were no results without an error", undefined, "0", "0", "10 passed, 1 failed"],
])("the last line of a CI run if %s in its second tier", (_, results, verified, tested, lastLine) => {
  const [first = "", second = ""] = ["first", "second"].map((name) => path.join(temporaryFolder(), name));
  fs.writeFileSync(first, JSON.stringify({ ...passing, numPassedTests: 10, numTotalTests: 10 }));
  if (results) fs.writeFileSync(second, JSON.stringify(results));
  expect(node("tools/test/tally.js", verified, first, "0", second, tested)).toMatchObject({
    stdout: `${lastLine}\n`,
    status: lastLine.endsWith(" 0 failed") ? 0 : 1,
  });
});
