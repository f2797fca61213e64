/** Tests the packed package, installed outside this repository. test/docs/guides.test.ts runs programs that use it. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brokenLinks } from "../../tools/generate/model/markdown";
import { filesUnder } from "../../tools/setup";
import { run } from "../../tools/setup/run";
import { startTestSandbox } from "../sandbox/sandboxes";
import { folderWithPackedPackage } from "./unpackedPackage";
import { repository } from "../engine/stack";

let under: string;
beforeAll(() => {
  under = folderWithPackedPackage();
});
afterAll(() => rmSync(under, { recursive: true, force: true }));

it("the package can be imported by name from an ES module and required, as one copy", () => {
  const { exports } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    exports: object;
  };
  const entryPoints = Object.keys(exports).filter((path) => path !== "./package.json");
  const script = `
    import { createRequire } from "node:module";
    import { IncidentUpdate } from "pulumi-monitoring-service";
    import { connectTo } from "pulumi-monitoring-service/sandbox";
    const require = createRequire(import.meta.url);
    const same = IncidentUpdate === require("pulumi-monitoring-service").IncidentUpdate;
    const named = [];
    for (const path of ${JSON.stringify(entryPoints)}) {
      const { default: required, ...imported } = await import(path.replace(".", "pulumi-monitoring-service"));
      const names = Object.keys(required).filter((name) => imported[name] === required[name]);
      if (names.length === Object.keys(required).length) named.push(path);
    }
    console.log(JSON.stringify({ same, connectTo: typeof connectTo, named }));`;
  const node = ["--input-type=module", "--eval", script];
  const output = execFileSync(process.execPath, node, { cwd: under, encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({ same: true, connectTo: "function", named: entryPoints });
});

describe("the documentation", () => {
  const installed = (): string => join(under, "node_modules", "pulumi-monitoring-service");
  it("the documentation is packed, and all its links lead to packed pages", () => {
    expect(readdirSync(join(installed(), "docs", "guides"))).toContain("quick-start.md");
    const pages = filesUnder(installed()).filter((file) => file.endsWith(".md"));
    expect(brokenLinks(pages)).toEqual([]);
  });

  it.each([
    [undefined, "node_modules/pulumi-monitoring-service/"],
    [{ url: "git+https://git.example/o/r.git" }, "https://git.example/o/r/blob/v0.1.0/"],
  ])(
    "the documentation is at the location that reports and messages link to, published by %j",
    async (published, base) => {
      const manifest = join(installed(), "package.json");
      const ofPackage = JSON.parse(readFileSync(manifest, "utf8")) as object;
      writeFileSync(manifest, JSON.stringify({ ...ofPackage, repository: published }));
      writeFileSync(join(under, "audit.yaml"), "extends: strict\n");
      const { url, apiKey } = await startTestSandbox();
      const env = { ...process.env, MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey };
      const program = join(installed(), "dist", "cli", "monitoring.js");
      const monitoring = (...args: string[]) =>
        run(process.execPath, [program, ...args], { cwd: under, env });
      const formats = ["html", "sarif", "markdown", "json", "text", "junit"];
      const audits = formats.map((format) => monitoring("audit", "--channel", "4106", "--format", format));
      const said = (await Promise.all(audits)).map(({ output }) => output).join("\n");
      const places = [...said.matchAll(/(\S*?)\b((?:docs|guides|reference)\/[\w./-]+\.md)#([\w-]+)/g)];
      for (const [, before = "", page = "", heading = ""] of places) {
        expect(before.endsWith(base)).toBe(true);
        const text = readFileSync(join(installed(), page), "utf8");
        expect(text.toLowerCase().replaceAll(" ", "-")).toMatch(new RegExp(`^#+-${heading}$`, "m"));
      }
      expect(said.includes("rules.md#")).toBe(published !== undefined);
      expect(said).not.toContain(under);
    },
  );
});
