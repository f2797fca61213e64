/** Programs that stand for `pulumi` and `go` in a temporary folder: real processes, whose answers a test decides. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** What a program says when its first argument is the key. */
export type Answers = Record<
  string,
  { stdout?: string; stderr?: string; exitCode?: number; hangs?: boolean }
>;

const suffix = process.platform === "win32" ? ".exe" : "";
const scriptSuffix = process.platform === "win32" ? ".cmd" : "";

export function temporaryFolder(): string {
  return fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "set-up-")));
}

/** An environment in which nothing but the given folders is on PATH, and the fakes answer. */
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

export function fakeProgram(folder: string, name: string, answers: Answers): string {
  const file = path.join(folder, name + suffix);
  fs.mkdirSync(folder, { recursive: true });
  // Not a symbolic link: its process would go by the name of what it links to.
  try {
    fs.linkSync(process.execPath, file);
  } catch {
    fs.copyFileSync(process.execPath, file);
  }
  fs.writeFileSync(`${file}.answers.json`, JSON.stringify(answers));
  return file;
}

/** A whole engine in a folder; returns its CLI. */
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
