/** What the README shows is what there is. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../engine/stack";
import { Page, withoutIdsAndTimes } from "./markdown";

const readme = new Page("README.md");

it("shows the quick start as it is", () => {
  expect(readme.blockAfter("<!-- examples/quickstart/index.ts -->")).toBe(
    readFileSync(join(repository, "examples/quickstart/index.ts"), "utf8"),
  );
});

it("shows the last screen of the demo as it is", () => {
  const demo = execFileSync(process.execPath, ["scripts/demo.js", "--once"], {
    cwd: repository,
    encoding: "utf8",
    stdio: "pipe",
  });
  expect(withoutIdsAndTimes(demo)).toContain(withoutIdsAndTimes(readme.blockAfter("<!-- npm run demo -->")));
});
