/**
 * Compiles programs with the package's types in all versions and module systems in the guide, without `skipLibCheck`. Also compiles the
 * example that uses the vendor's package. test/sdk/mocks.test.ts tests how that example waits for an audit.
 */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../tools/setup/run";
import { Page } from "../docs/markdown";
import { expectSuccess, repository } from "../engine/stack";
import { folder, install, packed, write } from "./packedPackage";

const guide = new Page("docs/reference/compatibility.md");
const manifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
  exports: Record<string, unknown>;
};
const example = join(repository, "examples/vendor-channel");
const { dependencies } = JSON.parse(readFileSync(join(example, "package.json"), "utf8")) as {
  dependencies: Record<"@checkly/pulumi", string>;
};
const entries = Object.keys(manifest.exports).filter((path) => path !== "./package.json");

const node10 = { module: "commonjs", moduleResolution: "node", ignoreDeprecations: "5.0" };
const noInterop = { ...node10, esModuleInterop: false };
const inBundler = { module: "commonjs", moduleResolution: "bundler" };
const node16 = { module: "node16", moduleResolution: "node16" };
const nodeNext = { module: "nodenext", moduleResolution: "nodenext" };
const preserve = { module: "preserve", moduleResolution: "bundler" };
const deprecated = { ignoreDeprecations: "6.0" };

/**
 * Tests each version, and each setting with the oldest and the newest version that supports it. TypeScript 7 no longer supports `node`,
 * and takes a tenth of the time. Versions before 6 don't support `commonjs` with `bundler`.
 */
const settings: readonly [version: string, settings: readonly object[]][] = [
  ["5.4.5", [noInterop, node16, nodeNext, preserve]],
  ["5.9.3", [nodeNext]],
  ["6.0.3", [{ ...noInterop, ...deprecated }, inBundler]],
  ["7.0.2", [inBundler, node16, nodeNext, preserve]],
];

const versions = settings.map(([version]) => version);

let where: string;
beforeAll(async () => {
  where = folder();
  const program = entries.map((path, index) => {
    const name = path.replace(".", "pulumi-monitoring-service");
    return `import * as entry${index} from "${name}";\nexport const used${index} = entry${index};\n`;
  });
  write(where, {
    "package.json": { name: "types", private: true },
    "commonjs/index.ts": program.join(""),
    "module/index.ts": program.join(""),
    "module/package.json": { type: "module" },
  });
  const compilers = versions.map((version) => `typescript-${version}@npm:typescript@${version}`);
  const vendor = `@checkly/pulumi@${dependencies["@checkly/pulumi"]}`;
  const others = ["@pulumi/pulumi@3.248.0", "@pulumi/policy", "@types/node@20", vendor];
  // The vendor's install script looks for an engine.
  await install(where, "--ignore-scripts", packed, ...others, ...compilers);
});

const getCompilerPath = (version: string): string =>
  join(where, "node_modules", `typescript-${version}`, "bin", "tsc");

it("the guide names these versions", () => {
  const [, types = ""] = guide.text.split("\n## Types");
  expect(types.match(/\d+\.\d+\.\d+/g)).toEqual(versions);
});

/**
 * Returns the programs for a setting. The package's type determines how a program imports. Only these settings read it, so they compile
 * both programs.
 */
const listPrograms = (setting: object): string[] =>
  /"node\w+"/.test(JSON.stringify(setting))
    ? ["commonjs/index.ts", "module/index.ts"]
    : ["commonjs/index.ts"];

it.each(settings)("TypeScript %s compiles programs with %j", async (version, each) => {
  const projects = each.map((setting, index) => {
    const compilerOptions = {
      target: "es2022",
      lib: ["es2023"],
      types: ["node"],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      ...setting,
    };
    const name = `tsconfig.${version}-${index}.json`;
    write(where, { [name]: { compilerOptions, files: listPrograms(setting) } });
    return name;
  });
  // All projects are compiled in one process, so that the compiler starts only once.
  const { output } = await run(
    process.execPath,
    [getCompilerPath(version), "--build", "--verbose", ...projects],
    {
      cwd: where,
    },
  );
  const built = output.match(/^.* - Building project /gm);
  expect(built).toHaveLength(projects.length);
  // Errors in Pulumi's own packages and in Node's types are ignored.
  const ours = output
    .split("\n")
    .filter((line) => !/^node_modules\/@(pulumi|types|grpc)\/|^ |^$|^[\d:]+ [AP]M - /.test(line));
  expect(ours).toEqual([]);
});

it("the example that uses the vendor's package compiles", async () => {
  const folder = join(where, "vendor-channel");
  cpSync(example, folder, { recursive: true });
  expectSuccess(await run(process.execPath, [getCompilerPath("6.0.3")], { cwd: folder }));
});
