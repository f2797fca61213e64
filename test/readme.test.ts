/** What the README shows is what there is. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { engineEnvironment, prepareEngine } from "../scripts/engine";
import { startSandbox } from "../sandbox";
import { Page, withoutIdsAndTimes, wordsOf } from "./docs/markdown";
import { repository } from "./engine/stack";

const run = promisify(execFile);
const readme = new Page("README.md");

it("shows the quick start as it is", () => {
  expect(readme.blockAfter("<!-- examples/quickstart/index.ts -->")).toBe(
    readFileSync(join(repository, "examples/quickstart/index.ts"), "utf8"),
  );
});

it("shows the last screen of the demo as it is", async () => {
  const { stdout } = await run(process.execPath, ["scripts/demo.js", "--once"], { cwd: repository });
  expect(withoutIdsAndTimes(stdout)).toContain(
    withoutIdsAndTimes(readme.blockAfter("<!-- npm run demo -->")),
  );
});

it("gives commands that work by hand", async () => {
  const engine = await prepareEngine();
  const sandbox = await startSandbox();
  const parent = join(repository, ".engine-tests");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "by-hand-"));
  for (const part of ["Pulumi.yaml", "examples/quickstart"]) {
    cpSync(join(repository, part), join(folder, part), { recursive: true });
  }
  try {
    let env = engineEnvironment(engine, {});
    for (const line of readme.blockAfter("In another terminal").trim().split("\n")) {
      const [command = "", ...words] = wordsOf(line.replace("http://127.0.0.1:4010", sandbox.url));
      if (command === "export") env = { ...env, ...Object.fromEntries(words.map((word) => word.split("="))) };
      else {
        expect([command, words[0]]).toEqual(["npx", "pulumi"]);
        const args = [...words.slice(1), ...(words[1] === "up" ? ["--yes"] : []), "--non-interactive"];
        await run(engine.pulumi, args, { cwd: folder, env });
      }
    }
    expect(sandbox.requests.filter(({ applied }) => applied)).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await sandbox.close();
  }
});
