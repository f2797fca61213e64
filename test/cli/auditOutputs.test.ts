import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
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
import { loadRules } from "../../audit/sources/loadRules";
import { wellKnown } from "../../sandbox";
import { temporaryFolder } from "../sandbox/sandboxes";
import { audit, auditSandbox, fileWith } from "./auditing";

const ids = wellKnown.alertChannels;
const named = `rules: { send-failure: error }
channels: { on-call: ${ids.onCall}, mail: ${ids.operationsMail} }
`;

describe("reports", () => {
  test("are written to several files in one run", async () => {
    const folder = temporaryFolder();
    const [sarif, html] = [join(folder, "a.sarif"), join(folder, "a.html")];
    const args = `--format sarif --output ${sarif} --format json --format html --output ${html}`.split(" ");
    const { code, stdout, stderr } = await auditSandbox(named, args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, counts: { errors: 1 } });
    expect(JSON.parse(readFileSync(sarif, "utf8"))).toMatchObject({ version: "2.1.0" });
    expect(readFileSync(html, "utf8")).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
    expect(readdirSync(folder).sort()).toEqual(["a.html", "a.sarif"]);
  });

  test("in files only print a summary to standard error", async () => {
    const file = join(temporaryFolder(), "report.xml");
    const { stdout, stderr } = await auditSandbox(named, ["--format", "junit", "--output", file]);
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "1 error, 0 warnings (2 channels, 4 rules)\n" });
  });

  test("replace an existing file, also through a link", async () => {
    const folder = temporaryFolder();
    const [file, link] = [join(folder, "report.json"), join(folder, "latest.json")];
    writeFileSync(file, "x".repeat(1_000_000));
    symlinkSync(file, link);
    await auditSandbox(named, ["--format", "json", "--output", link]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toHaveProperty("version", 1);
    expect(readdirSync(folder).sort()).toEqual(["latest.json", "report.json"]);
  });

  test("are not written when one can't be", async () => {
    const folder = temporaryFolder();
    const [good, bad] = [join(folder, "good.json"), join(folder, "bad.html")];
    mkdirSync(bad);
    const args = ["--format", "json", "--output", good, "--format", "html", "--output", bad];
    const { code, stderr } = await auditSandbox(named, args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${bad} can't be written: it is a directory\n` });
    expect(existsSync(good)).toBe(false);
    expect(readdirSync(dirname(good))).toEqual(["bad.html"]);
  });

  test("that standard output can't take are one line on standard error", async () => {
    const { code, stderr } = await auditSandbox(named, [], { isFull: true });
    const [, reason] = getSystemErrorMap().get(-os.constants.errno.ENOSPC) ?? [];
    expect({ code, stderr }).toEqual({ code: 2, stderr: `standard output can't be written: ${reason}\n` });
  });

  test("don't overwrite the rule file through a link", async () => {
    const rules = fileWith(named);
    const link = join(dirname(rules), "report.json");
    symlinkSync(rules, link);
    await expect(audit(["--rules", rules, "--format", "json", "--output", link])).rejects.toThrow(
      `--output ${link} is the file of --rules.`,
    );
    expect(readFileSync(rules, "utf8")).toBe(named);
  });

  test("may go to an unnamed pipe, as /dev/stdout often is", async () => {
    const pipe = join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const descriptor = openSync(pipe, "r+");
    rmSync(pipe);
    const args = ["--format", "sarif", "--output", `/dev/fd/${descriptor}`];
    const { code, stderr } = await auditSandbox(named, args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "1 error, 0 warnings (2 channels, 4 rules)\n" });
    const written = Buffer.alloc(1 << 16);
    const length = readSync(descriptor, written);
    closeSync(descriptor);
    expect(JSON.parse(written.toString("utf8", 0, length))).toMatchObject({ version: "2.1.0" });
    expect(readdirSync(dirname(pipe))).toEqual([]);
  });

  test("name the rule file relative to the working directory", () => {
    const file = fileWith(named);
    const before = process.cwd();
    process.chdir(dirname(dirname(file)));
    try {
      expect(loadRules(file).file).toBe(join(basename(dirname(file)), "audit.yaml"));
    } finally {
      process.chdir(before);
    }
  });

  test.each(["600", "664"])("keep the mode of the file that they replace: %s", async (octal) => {
    const mode = Number.parseInt(octal, 8);
    const file = fileWith("old", "report.html");
    chmodSync(file, mode);
    await auditSandbox(named, ["--format", "html", "--output", file]);
    expect(readFileSync(file, "utf8")).toMatch(/^<!doctype html>/);
    expect(statSync(file).mode & 0o777).toBe(mode);
  });
});
