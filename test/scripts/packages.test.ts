import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { packages } from "../../scripts/setup/packages";
import { temporaryFolder } from "./fakePrograms";

let root: string;

beforeEach(() => (root = temporaryFolder()));
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const zod = { version: "4.0.0", integrity: "sha512-a" };

it("are current when npm's record of what it installed matches the lockfile", () => {
  locked({ "": { version: "1.0.0" }, "node_modules/zod": zod });
  installed({ "node_modules/zod": zod });

  expect(packages.isCurrent(root)).toBe(true);
});

it("may lack optional packages, such as binaries for other platforms", () => {
  locked({ "node_modules/zod": zod, "node_modules/fsevents": { ...zod, optional: true } });
  installed({ "node_modules/zod": zod });

  expect(packages.isCurrent(root)).toBe(true);
});

it.each([
  ["nothing is installed, or npm was stopped", undefined],
  ["one is missing", {}],
  ["one has another version", { "node_modules/zod": { ...zod, version: "4.0.1" } }],
  ["one has other contents", { "node_modules/zod": { ...zod, integrity: "sha512-b" } }],
])("are not current when %s", (_, record) => {
  locked({ "node_modules/zod": zod });
  if (record) installed(record);

  expect(packages.isCurrent(root)).toBe(false);
});

describe("that can't be installed", () => {
  it("give npm's own message, and the way to check the connection", () => {
    const npm = path.join(root, "npm-cli.js");
    fs.writeFileSync(npm, 'console.error("npm error code ECONNREFUSED"); process.exit(1);');

    expect(install({ npm_execpath: npm })).toBe(
      [
        "npm could not install the packages:",
        "  npm error code ECONNREFUSED",
        "`npm ping` shows whether npm reaches its registry. Once it does, run the same command again.\n",
      ].join("\n"),
    );
  });

  it("for lack of npm say where to get it", () => {
    expect(install({ PATH: root })).toBe(
      "npm is not on PATH. It comes with Node: https://nodejs.org. Then run the same command again.\n",
    );
  });

  /** The message of the failure. */
  function install(env: NodeJS.ProcessEnv): string {
    const script = `require("./scripts/command").command(() => require("./scripts/setup/packages").packages.make(process.argv[1]))`;
    const { stderr } = spawnSync(process.execPath, ["-e", script, root], {
      cwd: path.resolve(__dirname, "../.."),
      encoding: "utf8",
      env: { SystemRoot: process.env["SystemRoot"], ...env },
    });
    return stderr.replace(/^(.*\n)*Installing the npm packages: failed in .*\n/, "");
  }
});

function locked(entries: object): void {
  fs.writeFileSync(path.join(root, "package-lock.json"), JSON.stringify({ packages: entries }));
}

function installed(entries: object): void {
  fs.mkdirSync(path.join(root, "node_modules"));
  fs.writeFileSync(
    path.join(root, "node_modules", ".package-lock.json"),
    JSON.stringify({ packages: entries }),
  );
}
