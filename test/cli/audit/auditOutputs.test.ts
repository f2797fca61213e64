import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import { basename, dirname, join } from "node:path";
import { getSystemErrorMap } from "node:util";
import { loadRules } from "../../../audit/sources/loadRules";
import { temporaryFolder } from "../../temporaryFolder";
import { audit, auditSandbox, fileWith, named } from "./auditing";

const summary = "1 error, 0 warnings (2 channels, 5 rules)\n";
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

/** Audits, with paths in the folder as `./file`. */
function auditTo(args: string) {
  return auditSandbox(named, args.replaceAll("./", `${folder}/`).split(" "));
}
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
const jsonOf = (file: string): unknown => JSON.parse(textOf(file));

test("reports are written to several files in one run", async () => {
  const { code, stdout, stderr } = await auditTo(
    "--format sarif --output ./a.sarif --format json --format html --output ./a.html",
  );
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, counts: { errors: 1 } });
  expect(jsonOf("a.sarif")).toMatchObject({ version: "2.1.0" });
  expect(textOf("a.html")).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
  expect(readdirSync(folder).sort()).toEqual(["a.html", "a.sarif"]);
});

test("reports in files only print a summary to standard error", async () => {
  const { stdout, stderr } = await auditTo("--format junit --output ./report.xml");
  expect({ stdout, stderr }).toEqual({ stdout: "", stderr: summary });
});

test("a report replaces an existing file, also through a link", async () => {
  writeFileSync(join(folder, "report.json"), "x".repeat(1_000_000));
  symlinkSync(join(folder, "report.json"), join(folder, "latest.json"));
  await auditTo("--format json --output ./latest.json");
  expect(jsonOf("report.json")).toHaveProperty("version", 1);
  expect(readdirSync(folder).sort()).toEqual(["latest.json", "report.json"]);
});

test("no report is written when a file can't be, which is known before the audit", async () => {
  const bad = join(folder, "bad.html");
  mkdirSync(bad);
  const { code, stderr } = await auditTo(
    "--format json --output ./good.json --format html --output ./bad.html",
  );
  expect({ code, stderr }).toEqual({ code: 2, stderr: `${bad} can't be written: it is a directory\n` });
  expect(readdirSync(folder)).toEqual(["bad.html"]);
});

test("a report that standard output can't take is one line on standard error", async () => {
  const { code, stderr } = await auditSandbox(named, [], { isFull: true });
  const [, reason] = getSystemErrorMap().get(-os.constants.errno.ENOSPC) ?? [];
  expect({ code, stderr }).toEqual({ code: 2, stderr: `standard output can't be written: ${reason}\n` });
});

test("a report doesn't overwrite the rule file through a link", async () => {
  const rules = fileWith(named);
  const link = join(folder, "report.json");
  symlinkSync(rules, link);
  await expect(audit(["--rules", rules, "--format", "json", "--output", link])).rejects.toThrow(
    `--output ${link} is the file of --rules.`,
  );
  expect(readFileSync(rules, "utf8")).toBe(named);
});

test("a report may go to an unnamed pipe, as /dev/stdout often is", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const descriptor = openSync(pipe, "r+");
  rmSync(pipe);
  const { code, stderr } = await auditTo(`--format sarif --output /dev/fd/${descriptor}`);
  expect({ code, stderr }).toEqual({ code: 1, stderr: summary });
  const written = Buffer.alloc(1 << 16);
  const length = readSync(descriptor, written);
  closeSync(descriptor);
  expect(JSON.parse(written.toString("utf8", 0, length))).toMatchObject({ version: "2.1.0" });
  expect(readdirSync(folder)).toEqual([]);
});

test("a report names the rule file relative to the working directory", () => {
  const file = fileWith(named);
  const before = process.cwd();
  process.chdir(dirname(dirname(file)));
  try {
    expect(loadRules(file).file).toBe(join(basename(dirname(file)), "audit.yaml"));
  } finally {
    process.chdir(before);
  }
});

test.each(["600", "664"])("a report keeps the mode of the file that it replaces: %s", async (octal) => {
  const mode = Number.parseInt(octal, 8);
  const file = join(folder, "report.html");
  writeFileSync(file, "old");
  chmodSync(file, mode);
  await auditTo("--format html --output ./report.html");
  expect(textOf("report.html")).toMatch(/^<!doctype html>/);
  expect(statSync(file).mode & 0o777).toBe(mode);
});
