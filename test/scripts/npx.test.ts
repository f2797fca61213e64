import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pointNpxAt } from "../../scripts/engine/npx";
import { environment, fakeEngine, temporaryFolder } from "./fakePrograms";

let root: string;
let cache: string;

/** A clone in which npm has installed the package `pulumi`. */
beforeEach(() => {
  root = temporaryFolder();
  cache = path.join(root, "cache");
  const bin = path.join(root, "node_modules", ".bin");
  const installer = path.join(root, "node_modules", "pulumi", "run.js");
  fs.mkdirSync(bin, { recursive: true });
  fs.mkdirSync(path.dirname(installer), { recursive: true });
  fs.writeFileSync(installer, '#!/usr/bin/env node\nconsole.log("the installer");\n', { mode: 0o755 });
  if (process.platform === "win32")
    fs.writeFileSync(path.join(bin, "pulumi.cmd"), `@node "${installer}" %*\r\n`);
  else fs.symlinkSync(path.join("..", "pulumi", "run.js"), path.join(bin, "pulumi"));
});

afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

it("runs the engine on PATH when set-up uses that one, and the installer otherwise", () => {
  const bin = path.join(root, "elsewhere");
  pointNpxAt(root, { pulumi: fakeEngine(bin, "3.300.0"), bin, version: "3.300.0" }, cache);
  expect(npxPulumi("version")).toBe("v3.300.0");

  const cached = path.join(cache, "bin");
  pointNpxAt(root, { pulumi: fakeEngine(cached, "3.259.0"), bin: cached, version: "3.259.0" }, cache);
  expect(npxPulumi("version")).toBe("the installer");
});

function npxPulumi(argument: string): string {
  const env = environment(root, path.dirname(process.execPath), "/usr/bin", "/bin");
  const run = spawnSync("npx", ["--no-install", "pulumi", argument], {
    cwd: root,
    env,
    encoding: "utf8",
    shell: true,
  });
  return run.stdout.trim() || run.stderr;
}
