/** Stand-ins for `pulumi` and `go` in a temporary folder: real processes, whose output a test decides. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** The output of a program, by its first argument. */
export type Outputs = Record<string, { stdout?: string; stderr?: string; exitCode?: number }>;

const suffix = process.platform === "win32" ? ".exe" : "";
const scriptSuffix = process.platform === "win32" ? ".cmd" : "";

export const clone = path.resolve(__dirname, "../..");

export function writeIn(folder: string, name: string, text: string): void {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/** Runs Node in the clone. */
export function node(args: string[], env: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: clone, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** An environment with only these folders on PATH, in which the stand-ins run. */
export function environment(home: string, ...folders: string[]): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  const fake = path.join(__dirname, "fakeProgram.js");
  return {
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
    NODE_OPTIONS: `--require ${JSON.stringify(fake)}`,
    PATH: folders.join(path.delimiter),
    PULUMI_HOME: home,
  };
}

export function fakeProgram(folder: string, name: string, outputs: Outputs): string {
  const file = path.join(folder, name + suffix);
  fs.mkdirSync(folder, { recursive: true });
  // Not a symbolic link: its process would have the name of the target.
  try {
    fs.linkSync(process.execPath, file);
  } catch {
    fs.copyFileSync(process.execPath, file);
  }
  fs.writeFileSync(`${file}.outputs.json`, JSON.stringify(outputs));
  return file;
}

/** A complete engine in a folder; returns its CLI. */
export function fakeEngine(folder: string, version: string): string {
  const pulumi = fakeProgram(folder, "pulumi", { version: { stdout: `v${version}\n` } });
  for (const part of [`pulumi-language-nodejs${suffix}`, `pulumi-resource-pulumi-nodejs${scriptSuffix}`]) {
    fs.writeFileSync(path.join(folder, part), "not run by these tests\n", { mode: 0o755 });
  }
  return pulumi;
}

export function languageHostIn(folder: string): string {
  return path.join(folder, `pulumi-language-nodejs${suffix}`);
}
