import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../sandbox/sandboxes";
import { monitoring } from "./monitoring";

const { NODE_OPTIONS = "" } = process.env;

beforeEach(() => {
  const pretend = join(temporaryFolder(), "old.js");
  writeFileSync(
    pretend,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });',
  );
  process.env["NODE_OPTIONS"] = `--require ${JSON.stringify(pretend)}`;
});
afterEach(() => {
  process.env["NODE_OPTIONS"] = NODE_OPTIONS;
});

test.each([["--help"], ["sandbox"], ["audit"]])(
  "%s ends with one clear line on a Node that is too old",
  async (command) => {
    expect(await monitoring(command).ended).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "pulumi-monitoring-service needs Node 20 or newer; this is Node 18.20.8. Get one: https://nodejs.org\n",
    });
  },
);
