/** The parts of the set-up: its lock, the packages and the build. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { build } from "../../scripts/setup/build";
import { withLock } from "../../scripts/setup/lock";
import { packages } from "../../scripts/setup/packages";
import { clone, node, writeIn } from "./fakePrograms";
import { temporaryFolder } from "../temporaryFolder";

let root: string;
let printed: jest.SpyInstance;
const write = (name: string, text: string): void => writeIn(root, name, text);

beforeEach(() => {
  printed = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  root = temporaryFolder();
});
afterEach(() => jest.restoreAllMocks());

describe("the lock", () => {
  const quick = { pollMs: 5 };
  const done = () => Promise.resolve("done");
  let file: string;
  beforeEach(() => {
    file = path.join(root, "versions", "lock");
  });
  const hold = (): void => write("versions/lock", "another process");

  it("runs one action at a time, and says that the others wait", async () => {
    const events: string[] = [];
    const first = withLock(file, async () => {
      events.push("first begins");
      await new Promise((resolve) => setImmediate(resolve));
      events.push("first ends");
    });
    await Promise.all([first, withLock(file, () => Promise.resolve(events.push("second")), quick)]);

    expect(events).toEqual(["first begins", "first ends", "second"]);
    expect(printed).toHaveBeenCalledTimes(1);
    expect(printed).toHaveBeenCalledWith("Waiting for another set-up to finish.\n");
  });

  it("is free again after a failure", async () => {
    await expect(withLock(file, () => Promise.reject(new Error("disk full")))).rejects.toThrow("disk full");
    await expect(withLock(file, done)).resolves.toBe("done");
    expect(fs.readdirSync(path.dirname(file))).toEqual([]);
  });

  it("is taken over when its owner no longer touches it", async () => {
    hold();
    fs.utimesSync(file, new Date(0), new Date(0));
    await expect(withLock(file, done, quick)).resolves.toBe("done");
  });

  it("is free again after an interrupt", async () => {
    const script = `require("./scripts/setup/lock").withLock(process.argv[1], () => new Promise(() => console.log("held")))`;
    const owner = spawn(process.execPath, ["-e", script, file], { cwd: clone });
    await once(owner.stdout, "data");
    expect(fs.existsSync(file)).toBe(true);
    owner.kill("SIGINT");
    await once(owner, "close");
    expect(fs.existsSync(file)).toBe(process.platform === "win32");
  });
});

describe("the packages", () => {
  const zod = { version: "4.0.0", integrity: "sha512-a" };
  const onlyZod = { "node_modules/zod": zod };
  const fsevents = { ...zod, optional: true };

  it.each<[string, locked: object, installed: object | undefined, isCurrent: boolean]>([
    ["npm installed what is in the lockfile", { "": { version: "1.0.0" }, ...onlyZod }, onlyZod, true],
    ["a binary for other platforms lacks", { ...onlyZod, "node_modules/fsevents": fsevents }, onlyZod, true],
    ["nothing is installed, or npm was stopped", onlyZod, undefined, false],
    ["one is missing", onlyZod, {}, false],
    ["one has another version", onlyZod, { "node_modules/zod": { ...zod, version: "4.0.1" } }, false],
    ["one has other contents", onlyZod, { "node_modules/zod": { ...zod, integrity: "sha512-b" } }, false],
  ])("when %s", (_, locked, installed, isCurrent) => {
    write("package-lock.json", JSON.stringify({ packages: locked }));
    if (installed) write("node_modules/.package-lock.json", JSON.stringify({ packages: installed }));
    expect(packages.isCurrent(root)).toBe(isCurrent);
  });

  /** The message when they can't be installed. */
  function install(env: NodeJS.ProcessEnv): string {
    const script = `require("./scripts/command").command(() => require("./scripts/setup/packages").packages.make(process.argv[1]))`;
    const { stderr } = node(["-e", script, root], { SystemRoot: process.env["SystemRoot"], ...env });
    return stderr.replace(/^(.*\n)*Installing the npm packages: failed in .*\n/, "");
  }

  it("that can't be installed give npm's own message, and the way to check the connection", () => {
    write("npm-cli.js", 'console.error("npm error code ECONNREFUSED"); process.exit(1);');
    expect(install({ npm_execpath: path.join(root, "npm-cli.js") })).toBe(
      [
        "npm could not install the packages:",
        "  npm error code ECONNREFUSED",
        "`npm ping` shows whether npm reaches its registry. Once it does, run the same command again.\n",
      ].join("\n"),
    );
  });
});

describe("the build", () => {
  /** A small project with the settings of this repository. */
  beforeEach(() => {
    for (const name of ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"])
      fs.copyFileSync(path.join(clone, name), path.join(root, name));
    const installed = path.join(root, "node_modules");
    fs.mkdirSync(installed);
    for (const name of ["typescript", "@types"])
      fs.symlinkSync(path.join(clone, "node_modules", name), path.join(installed, name), "junction");
    write("provider/dynamic/index.ts", 'export const said: string = "hello";');
    write("provider/old.ts", "export const old: number = 1;");
    write("cli/monitoring.ts", '#!/usr/bin/env node\nconsole.log("ran");');
  });

  it("makes the package importable by its name inside the clone, and its command executable, once", async () => {
    expect(build.isCurrent(root)).toBe(false);
    await build.make(root);
    expect(build.isCurrent(root)).toBe(true);

    write("examples/one/index.js", 'console.log(require("pulumi-monitoring-service/provider").said);');
    const output = execFileSync(process.execPath, ["index.js"], { cwd: path.join(root, "examples", "one") });
    expect(output.toString()).toBe("hello\n");

    // npx makes a command executable only once for each path.
    const command = path.join(root, "dist", "cli", "monitoring.js");
    expect(() => fs.accessSync(command, fs.constants.X_OK)).not.toThrow();
    fs.chmodSync(command, 0o644);
    expect(build.isCurrent(root)).toBe(process.platform === "win32");

    fs.rmSync(path.join(root, "provider", "old.ts"));
    await build.make(root);
    const built = fs.readdirSync(path.join(root, "dist", "provider"));
    expect(built.filter((name) => name.startsWith("old"))).toEqual([]);
    expect(build.isCurrent(root)).toBe(true);
  });

  it("shows the compiler's errors, and runs again", async () => {
    write("provider/dynamic/index.ts", 'export const said: number = "hello";');
    await expect(build.make(root)).rejects.toThrow(
      /^The sources don't compile:\nprovider\/dynamic\/index\.ts\(1,14\): error TS2322/,
    );
    expect(build.isCurrent(root)).toBe(false);
  });
});
