/** A program waits for what the package loads. */
import { execFileSync } from "node:child_process";
import { repository } from "../engine/stack";

/** The packages of these files. */
function packagesOf(files: readonly string[]): string[] {
  const names = files.map(
    (file) => /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? "ours",
  );
  return [...new Set(names.map((name) => name.replace("\\", "/")))];
}

it("brings nothing along that @pulumi/pulumi doesn't, axios and zod least of all", () => {
  const program = `
    require("@pulumi/pulumi");
    const before = Object.keys(require.cache);
    require("pulumi-monitoring-service");
    process.stdout.write(JSON.stringify([before, Object.keys(require.cache)]));`;
  const output = execFileSync(process.execPath, ["-e", program], { cwd: repository, encoding: "utf8" });
  const [before = [], after = []] = (JSON.parse(output) as string[][]).map(packagesOf);
  expect(after.filter((name) => !before.includes(name))).toEqual(["ours"]);
  expect(before.filter((name) => ["axios", "zod"].includes(name))).toEqual([]);
});
