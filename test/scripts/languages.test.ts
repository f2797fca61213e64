/** What the set-up of `npm run test:languages` says when the machine lacks something. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { temporaryFolder } from "./fakePrograms";

const root = path.resolve(__dirname, "../..");
let empty: string;

beforeEach(() => {
  empty = temporaryFolder();
});
afterEach(() => fs.rmSync(empty, { recursive: true, force: true }));

/** Runs a script with no program on PATH, and nothing in Pulumi's folder. */
function runAlone(...args: string[]) {
  const env = { PATH: empty, PULUMI_HOME: empty };
  return spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
}

it.each([
  [
    "Python",
    'python").preparePython()',
    "Python 3 is needed on PATH, with its modules venv and pip (not found).",
  ],
  [
    "Go",
    'goPrograms").prepareGoFor("scripts/engine/yaml", "the host")',
    "Go 1.25.11 or newer is needed for the host, and none was found: no working Go on PATH;",
  ],
])("without %s: one sentence that says what to install", (_, call, said) => {
  const action = `() => require("./scripts/languages/${call}`;
  const { status, stderr } = runAlone("-e", `require("./scripts/command").command(${action})`);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(said) });
  expect(stderr).toMatch(/and run the same command again\.\n$/);
});

it("without a built language host: `--check` fails, so that `.ci/run` doesn't build one", () => {
  expect(runAlone("scripts/languages.js", "--check")).toMatchObject({ status: 1, stderr: "" });
});
