import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { build } from "../../scripts/setup/build";
import { temporaryFolder } from "./fakePrograms";

const clone = path.resolve(__dirname, "../..");
let root: string;

/** A small project with the settings of this repository. */
beforeEach(() => {
  jest.spyOn(process.stderr, "write").mockReturnValue(true);
  root = temporaryFolder();
  for (const name of ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"]) {
    fs.copyFileSync(path.join(clone, name), path.join(root, name));
  }
  for (const name of ["typescript", "@types"]) {
    fs.mkdirSync(path.join(root, "node_modules"), { recursive: true });
    fs.symlinkSync(path.join(clone, "node_modules", name), path.join(root, "node_modules", name), "junction");
  }
  write("provider/index.ts", 'export const said: string = "hello";');
  write("provider/old.ts", "export const old: number = 1;");
  write("cli/monitoring.ts", '#!/usr/bin/env node\nconsole.log("ran");');
});

afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(root, { recursive: true, force: true });
});

it("makes the package importable by its name inside the clone, and runs once", async () => {
  expect(build.isCurrent(root)).toBe(false);
  await build.make(root);
  expect(build.isCurrent(root)).toBe(true);

  write("examples/one/index.js", 'console.log(require("pulumi-monitoring-service/provider").said);');
  const output = execFileSync(process.execPath, ["index.js"], { cwd: path.join(root, "examples", "one") });
  expect(output.toString()).toBe("hello\n");
});

// npx makes a command executable only once for each path.
it("makes the command executable", async () => {
  const command = path.join(root, "dist", "cli", "monitoring.js");
  await build.make(root);
  expect(() => fs.accessSync(command, fs.constants.X_OK)).not.toThrow();

  fs.chmodSync(command, 0o644);
  expect(build.isCurrent(root)).toBe(process.platform === "win32");
});

it("removes the output of a deleted source from dist/", async () => {
  await build.make(root);
  fs.rmSync(path.join(root, "provider", "old.ts"));
  expect(build.isCurrent(root)).toBe(false);
  await build.make(root);

  const left = fs.readdirSync(path.join(root, "dist", "provider")).filter((name) => name.startsWith("old"));
  expect(left).toEqual([]);
  expect(build.isCurrent(root)).toBe(true);
});

it("shows the compiler's errors, and runs again", async () => {
  write("provider/index.ts", 'export const said: number = "hello";');

  await expect(build.make(root)).rejects.toThrow(
    /^The sources don't compile:\nprovider\/index\.ts\(1,14\): error TS2322/,
  );
  expect(build.isCurrent(root)).toBe(false);
});

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), text);
}
