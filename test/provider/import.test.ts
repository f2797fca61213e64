import { execFileSync } from "node:child_process";
import { repository } from "../engine/stack";

/** The packages whose code is loaded when a program imports this one. */
function loadedBy(statement: string): string[] {
  const program = `${statement}; process.stdout.write(JSON.stringify(Object.keys(require.cache)))`;
  const output = execFileSync(process.execPath, ["-e", program], { cwd: repository, encoding: "utf8" });
  const files = JSON.parse(output) as string[];
  const names = files.map(
    (file) => /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? "ours",
  );
  return [...new Set(names.map((name) => name.replace("\\", "/")))];
}

it("brings nothing along that @pulumi/pulumi doesn't, axios and zod least of all", () => {
  const before = loadedBy('require("@pulumi/pulumi")');
  const after = loadedBy('require("@pulumi/pulumi"); require("pulumi-monitoring-service")');
  expect(after.filter((name) => !before.includes(name))).toEqual(["ours"]);
  expect(before.filter((name) => ["axios", "zod"].includes(name))).toEqual([]);
});
