import { execFileSync } from "node:child_process";

// npm sets COLOR in any case.
it.each([
  ["without an environment", {}],
  ["with that of a test", { env: process.env }],
])("a child that is started %s finds no variable of colors", (_, options) => {
  const names = "Object.keys(process.env).filter((name) => /color/i.test(name)).join()";
  expect(execFileSync(process.execPath, ["--print", names], { ...options, encoding: "utf8" })).toBe("\n");
});
