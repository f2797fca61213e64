/** Tests the package managers, module systems and workspaces in the guide. In each case, the packed package posts an update once. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathKey, prepareEngine } from "../../tools/setup/engine";
import { run } from "../../tools/setup/run";
import { PulumiCli } from "../../tools/pulumi";
import { Page } from "../docs/markdown";
import { Service, words } from "../engine/service";
import { toEnvironment, expectFailure, expectSuccess } from "../engine/stack";
import { folder, install, packed, write } from "./packedPackage";

const guide = new Page("docs/reference/compatibility.md");
const service = new Service();
const [, pulumiVersion = ""] = /`@pulumi\/pulumi` (\S+) and Node 24/.exec(guide.text) ?? [];

/** The npm packages of the package managers, with their programs. */
const programs: Readonly<Record<string, (version: string) => [name: string, file: string]>> = {
  "Yarn Classic": () => ["yarn", "bin/yarn.js"],
  Yarn: () => ["@yarnpkg/cli-dist", "bin/yarn.js"],
  Bun: () => ["bun", "bin/bun.exe"],
  pnpm: (version) => [
    "pnpm",
    version.startsWith("10.") ? "bin/pnpm.cjs" : version.startsWith("11.") ? "bin/pnpm.mjs" : "pnpm",
  ],
};

interface Row {
  manager: string;
  version: string;
  args: string[];
  /** Settings to install with, one after the other. */
  settings: Readonly<Record<string, string>>[];
}

const pnpmSettings = guide.blocks.find(({ file }) => file === "pnpm-workspace.yaml")?.text ?? "";
const settingsOf: Readonly<Record<string, Row["settings"]>> = {
  pnpm: [{ "pnpm-workspace.yaml": pnpmSettings }],
  Yarn: [
    { ".yarnrc.yml": "nodeLinker: node-modules\n", "yarn.lock": "" },
    { ".yarnrc.yml": "nodeLinker: pnpm\n" },
  ],
};

/** The rows of the guide, one for each version. */
const rows: Row[] = [
  ...guide.text.matchAll(/^\| ([A-Z]?[a-z]+(?: Classic)?) +\| ([\d., ]+?) +\| `\w+ (install.*?)`.*$/gm),
]
  .filter(([row]) => !row.includes("doesn't work"))
  .flatMap(([, manager = "", versions = "", args = ""]) =>
    versions.split(", ").map((version) => {
      return { manager, version, args: args.split(" "), settings: settingsOf[manager] ?? [{}] };
    }),
  );

/** Folders with Node 24, and with each package manager by name and version. */
let tools: string;
let node: string;
beforeAll(async () => {
  const where = folder();
  write(where, { "package.json": { name: "tools", private: true } });
  const aliases = rows.flatMap(({ manager, version }) => {
    const [name] = programs[manager]?.(version) ?? [];
    return name === undefined ? [] : `${getToolName(manager, version)}@npm:${name}@${version}`;
  });
  await install(where, "node@24", ...new Set(aliases));
  tools = join(where, "node_modules");
  node = join(tools, "node", "bin");
});

const getToolName = (manager: string, version: string): string =>
  `${manager.toLowerCase().replace(" ", "-")}-${version}`;

const manifest = (more: object = {}): object => ({
  name: "installed",
  private: true,
  main: "index.js",
  dependencies: { "@pulumi/pulumi": pulumiVersion, "pulumi-monitoring-service": packed },
  ...more,
});

const settingsOfProject = "name: installed\nruntime: nodejs\n";
const declaration = `new IncidentUpdate("update", ${JSON.stringify(words)});\n`;
const required = (entry = ""): string =>
  `const { IncidentUpdate } = require("pulumi-monitoring-service${entry}");\n${declaration}`;

/** Adds Node 24 to the PATH. */
const withNode = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const key = pathKey(env);
  return { ...env, [key]: `${node}${delimiter}${env[key] ?? ""}` };
};

async function project(where: string): Promise<PulumiCli> {
  const state = folder();
  const pulumi = new PulumiCli(await prepareEngine(), where, state);
  pulumi.env = withNode({ ...pulumi.env, ...toEnvironment(service.sandbox) });
  await pulumi.mustRun("stack", "init", "dev");
  return pulumi;
}

async function expectOnePost(pulumi: PulumiCli): Promise<void> {
  expect(expectSuccess(await pulumi.up())).not.toMatch(/warning/i);
  expect(service.applied).toBe(1);
}

async function installRow(row: Row | undefined, where: string, ...more: string[]): Promise<void> {
  if (!row) throw new Error("The guide has no such row.");
  const { manager, version, args } = row;
  const tool = programs[manager]?.(version);
  if (!tool) return install(where, ...args.slice(1));
  const file = join(tools, getToolName(manager, version), tool[1]);
  const isScript = /\.[cm]?js$/.test(file);
  const [program, before] = isScript ? [join(node, "node"), [file]] : [file, []];
  expectSuccess(
    await run(program, [...before, ...args, ...more], {
      cwd: where,
      env: withNode({ ...process.env, CI: "true", YARN_ENABLE_IMMUTABLE_INSTALLS: "false" }),
    }),
  );
}

/** The rows that are tested in workspaces: npm, and the first pnpm. */
const ofWorkspaces = ["npm", "pnpm"].flatMap((name) => rows.find(({ manager }) => manager === name) ?? []);
const [ofNpm, ofPnpm] = ofWorkspaces;

const alone = rows.filter((row) => !ofWorkspaces.includes(row));
it.each(alone)("$manager $version installs the package, which posts an update once", async (row) => {
  const where = folder();
  write(where, { "package.json": manifest(), "Pulumi.yaml": settingsOfProject, "index.js": required() });
  const pulumi = await project(where);
  for (const files of row.settings) {
    write(where, files);
    await installRow(row, where);
    await expectOnePost(pulumi);
  }
});

describe("in a workspace of npm", () => {
  let packages: string;
  beforeAll(async () => {
    const root = folder();
    packages = join(root, "packages");
    write(root, { "package.json": { name: "root", private: true, workspaces: ["packages/*"] } });
    write(join(packages, "module"), {
      "package.json": manifest({ name: "module", type: "module", main: "index.ts" }),
      "Pulumi.yaml": settingsOfProject,
      "index.ts": `import { IncidentUpdate } from "pulumi-monitoring-service";\n${declaration}export const version: string = process.version;\n`,
    });
    write(join(packages, "status"), {
      "package.json": manifest({ name: "status" }),
      "Pulumi.yaml": settingsOfProject,
      "index.js": required("/native"),
    });
    await installRow(ofNpm, root);
  });

  it("an ES module in TypeScript in a workspace of npm posts an update once", async () => {
    await expectOnePost(await project(join(packages, "module")));
  });

  it("a program with the native plugin in a workspace of npm posts an update after the lines from the first preview are added", async () => {
    const where = join(packages, "status");
    expect(existsSync(join(where, "node_modules", "pulumi-monitoring-service"))).toBe(false);
    const pulumi = await project(where);
    const ended = await pulumi.preview();
    expectFailure(ended, "path: ../../node_modules/pulumi-monitoring-service/plugin");
    const [lines = ""] = /^plugins:\n(?: +.*\n)+/m.exec(ended.output) ?? [];
    const file = join(where, "Pulumi.yaml");
    writeFileSync(file, readFileSync(file, "utf8") + lines);
    await expectOnePost(pulumi);
  });
});

it("a preview in a workspace of pnpm names the manifest without the package that a shared library uses", async () => {
  const root = folder();
  const program = join(root, "program");
  const dependencies = { "@pulumi/pulumi": pulumiVersion, library: "workspace:*" };
  write(root, {
    "package.json": { name: "root", private: true },
    "pnpm-workspace.yaml": `packages: [library, program]\n${pnpmSettings}`,
    "library/package.json": manifest({ name: "library" }),
    "library/index.js": `module.exports = require("pulumi-monitoring-service");`,
    "program/package.json": manifest({ name: "program", dependencies }),
    "program/Pulumi.yaml": settingsOfProject,
    "program/index.js": required().replace("pulumi-monitoring-service", "library"),
  });
  await installRow(ofPnpm, root);
  const pulumi = await project(program);
  const ended = await pulumi.preview();
  expectFailure(ended, `add it to the dependencies in ${join(program, "package.json")}`);
  expect(ended.output).not.toMatch(/Cannot find module|^ +at /m);
  const all = { ...dependencies, "pulumi-monitoring-service": packed };
  write(program, { "package.json": manifest({ name: "program", dependencies: all }) });
  await installRow(ofPnpm, root, "--no-frozen-lockfile");
  await expectOnePost(pulumi);
});
