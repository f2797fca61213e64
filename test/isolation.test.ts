import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporaryFolder";

// npm always sets COLOR.
it.each([
  ["without an environment", {}],
  ["with a test's environment", { env: process.env }],
])("a child process that is started %s has no variable for colors", (_, options) => {
  const names = "Object.keys(process.env).filter((name) => /color/i.test(name)).join()";
  expect(execFileSync(process.execPath, ["--print", names], { ...options, encoding: "utf8" })).toBe("\n");
});

it("a failure reports its reason before the leftover resources, and resources that end by themselves don't cause a failure", () => {
  const folder = temporaryFolder();
  const files = {
    "jest.config.js": `module.exports = { testEnvironment: ${JSON.stringify(require.resolve("./isolation"))}, transform: {} }`,
    "fails.test.js": `
      test("fails", () => { require("node:net").createServer().listen(0); throw new Error("of a test"); });
      test("passes", () => {});
      describe("a block", () => { beforeAll(() => { throw new Error("of a hook"); }); test("never begins", () => {}); });`,
    "leaves.test.js": `test("leaves", () => { setInterval(() => {}, 1000); })`,
    "ends.test.js": `test("ends", () => { setTimeout(() => {}, 100); })`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const jest = [require.resolve("jest/bin/jest"), "--maxWorkers=3", "--cacheDirectory=cache"];
  const { stderr } = spawnSync(process.execPath, jest, { cwd: folder, encoding: "utf8" });

  const failures = [
    /fails\n\n +of a test\n[^●]*● a block › never begins\n\n +of a hook\n[^●]*● Test suite failed to run\n\n +These tests leave something running: 1 TCPServerWrap\.\n/,
    /leaves\.test\.js.*\s+● Test suite failed to run\n\n +These tests leave something running: 1 Timeout\.\n/,
    /\nTest Suites: 2 failed, 1 passed, 3 total\nTests: +2 failed, 3 passed, 5 total\n/,
  ];
  for (const failure of failures) expect(stderr).toMatch(failure);
});
