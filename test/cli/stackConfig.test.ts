/** The settings of a stack, which a command reads by running Pulumi. With the engine: the guides. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sandboxWith } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { type Ended, run } from "./running";

/** Writes a program in place of Pulumi, beside its arguments. */
function programOf(script: string): string {
  const program = join(temporaryFolder(), "pulumi");
  writeFileSync(program, `#!/bin/sh\necho "$*" >> "$0.log"\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}

const usages: ["audit" | "doctor" | "adopt", string[]][] = [
  ["audit", ["--all"]],
  ["doctor", []],
  ["adopt", ["inc_checkout_latency"]],
];

test.each(usages)("%s reads the settings of a stack by the command in --pulumi", async (command, args) => {
  const { url, apiKey } = await sandboxWith();
  const config = { "monitoring:baseUrl": { value: url }, "monitoring:apiKey": { value: apiKey } };
  const program = programOf(`cat <<'END'\n${JSON.stringify(config)}\nEND`);
  const ended = await run(command, [...args, "--stack", "acme/dev", "--pulumi", `  ${program}  -v=0 `]);
  expect(ended.stdout).toContain(printedBy[command]);
  expect(readFileSync(`${program}.log`, "utf8")).toMatch(/^-v=0 config .*--stack acme\/dev /);
});

/** What shows that the service was read. */
const printedBy = {
  audit: "12 channels",
  doctor: "ok      key",
  adopt: 'incidentId: "inc_checkout_latency"',
};

const failing = async (script: string): Promise<Ended> =>
  run("adopt", ["inc_1", "--stack", "dev", "--pulumi", programOf(script)]);

test("the message names the option for an installed engine where npm's package tries to download one", async () => {
  const { code, stderr } = await failing(
    "echo 'Downloading pulumi v3.265.0...' >&2\necho 'pulumi: fetch failed' >&2\nexit 1",
  );
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /can't be read: `\S+pulumi config` says: Downloading .* fetch failed\. Name an installed engine by --pulumi, such as/,
  );
});

test("another failure of Pulumi stands alone", async () => {
  const { stderr } = await failing("echo \"error: no stack named 'dev' found\" >&2\nexit 255");
  expect(stderr).toMatch(/says: no stack named 'dev' found\.\n$/);
});
