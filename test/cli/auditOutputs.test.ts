import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { getSystemErrorMap } from "node:util";
import { wellKnown } from "../../sandbox";
import { sandboxWith, temporaryFolder } from "../sandbox/sandboxes";
import { audit, environmentOf, fileWith } from "./auditing";

const ids = wellKnown.alertChannels;
const named = `rules: { send-failure: error }
channels: { on-call: ${ids.onCall}, mail: ${ids.operationsMail} }
`;

describe("reports", () => {
  test("go where they are told, several in one run", async () => {
    const folder = temporaryFolder();
    const [sarif, html] = [join(folder, "a.sarif"), join(folder, "a.html")];
    const rules = fileWith(named);
    const args = [
      "--format",
      "sarif",
      "--output",
      sarif,
      "--format",
      "json",
      "--format",
      "html",
      "--output",
      html,
    ];
    const { code, stdout, stderr } = await audit(
      ["--rules", rules, ...args],
      environmentOf(await sandboxWith()),
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, counts: { errors: 1 } });
    expect(JSON.parse(readFileSync(sarif, "utf8"))).toMatchObject({ version: "2.1.0" });
    expect(readFileSync(html, "utf8")).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
    expect(readdirSync(folder).sort()).toEqual(["a.html", "a.sarif"]);
  });

  test("in files alone leave a line of what was found", async () => {
    const file = join(temporaryFolder(), "report.xml");
    const args = ["--rules", fileWith(named), "--format", "junit", "--output", file];
    const { stdout, stderr } = await audit(args, environmentOf(await sandboxWith()));
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "1 error, 0 warnings (2 channels, 4 rules)\n" });
  });

  test("replace an old one whole, also through a link", async () => {
    const folder = temporaryFolder();
    const [file, link] = [join(folder, "report.json"), join(folder, "latest.json")];
    writeFileSync(file, "x".repeat(1_000_000));
    symlinkSync(file, link);
    const args = ["--rules", fileWith(named), "--format", "json", "--output", link];
    await audit(args, environmentOf(await sandboxWith()));
    expect(JSON.parse(readFileSync(file, "utf8"))).toHaveProperty("version", 1);
    expect(readdirSync(folder).sort()).toEqual(["latest.json", "report.json"]);
  });

  test("are none at all when one can't be written", async () => {
    const folder = temporaryFolder();
    const [good, bad] = [join(folder, "good.json"), join(folder, "bad.html")];
    mkdirSync(bad);
    const args = ["--format", "json", "--output", good, "--format", "html", "--output", bad];
    const { code, stderr } = await audit(
      ["--rules", fileWith(named), ...args],
      environmentOf(await sandboxWith()),
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${bad} can't be written: it is a folder\n` });
    expect(existsSync(good)).toBe(false);
    expect(readdirSync(dirname(good))).toEqual(["bad.html"]);
  });

  test("that standard output has no room for are told in one line", async () => {
    const args = ["--rules", fileWith(named)];
    const { code, stderr } = await audit(args, environmentOf(await sandboxWith()), { isFull: true });
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

  test("go through a pipe that has no name, as /dev/stdout often is", async () => {
    const pipe = join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const descriptor = openSync(pipe, "r+");
    rmSync(pipe);
    const args = ["--format", "sarif", "--output", `/dev/fd/${descriptor}`];
    const { code, stderr } = await audit(
      ["--rules", fileWith(named), ...args],
      environmentOf(await sandboxWith()),
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: "1 error, 0 warnings (2 channels, 4 rules)\n" });
    const written = Buffer.alloc(1 << 16);
    const length = readSync(descriptor, written);
    closeSync(descriptor);
    expect(JSON.parse(written.toString("utf8", 0, length))).toMatchObject({ version: "2.1.0" });
    expect(readdirSync(dirname(pipe))).toEqual([]);
  });

  test("name the rule file as a pull request does", async () => {
    const file = fileWith(named);
    const before = process.cwd();
    process.chdir(dirname(dirname(file)));
    try {
      const { stdout } = await audit(
        ["--rules", file, "--format", "json"],
        environmentOf(await sandboxWith()),
      );
      const { findings } = JSON.parse(stdout) as { findings: { location: { file: string } }[] };
      expect(findings[0]?.location.file).toBe(join(file.split(/[\\/]/).at(-2) ?? "", "audit.yaml"));
    } finally {
      process.chdir(before);
    }
  });
});
