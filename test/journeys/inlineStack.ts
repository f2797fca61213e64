/** A stack whose program runs inside the Automation API, so that a policy pack needs no language host. */
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Sandbox } from "../../sandbox";
import {
  cli,
  dynamicProvider,
  engineEnvironment,
  languageHost,
  pathKey,
  prepareEngine,
  script,
} from "../../tools/setup/engine";
import { run } from "../../tools/setup/run";
import { toEnvironment, folderInRepository } from "../engine/stack";

/** A script that runs `up` with the program in its folder. */
const driver = `
const { CommandError, LocalWorkspace } = require("@pulumi/pulumi/automation");
const [name, packs] = process.argv.slice(2);

async function main() {
  const stack = await LocalWorkspace.createOrSelectStack(
    { stackName: name, projectName: "shop", program: async () => require("./program") },
    { workDir: __dirname },
  );
  await stack.up({ policyPacks: JSON.parse(packs), color: "never", onOutput: console.log, onError: console.log });
}

main().catch((error) => {
  if (!(error instanceof CommandError)) console.log(error.message);
  process.exitCode = 1;
});
`;

/**
 * A stack that ends with its test file: runs `up` of it with a program, the text of a CommonJS module.
 *
 * @param pack The policy pack's program and the files that differ between packs, by file name.
 */
export async function inlineStack(sandbox: Sandbox, name: string, pack: Readonly<Record<string, string>>) {
  const folder = folderInRepository();
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  for (const child of ["state", "pack"]) mkdirSync(join(folder, child));
  write("driver.js", driver);
  write("pack/package.json", '{ "name": "pack", "version": "1.0.0" }');
  write("pack/PulumiPolicy.yaml", "runtime: nodejs\n");
  for (const [file, text] of Object.entries(pack)) write(`pack/${file}`, text);
  const env = {
    ...(await environmentForPacks(join(folder, "bin"))),
    ...toEnvironment(sandbox),
    PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_CONFIG_PASSPHRASE: "test",
  };
  return (program: string) => {
    write("program.js", program);
    const packs = JSON.stringify([join(folder, "pack")]);
    return run(process.execPath, ["driver.js", name, packs], { cwd: folder, env });
  };
}

/**
 * Returns the environment in which an engine runs policy packs. If the engine was built from source, only a script can run packs, so its
 * language host must not be found. The language host of an official engine can run packs, and the script may be missing.
 */
async function environmentForPacks(bin: string): Promise<NodeJS.ProcessEnv> {
  const engine = await prepareEngine();
  const analyzer = join(engine.bin, `pulumi-analyzer-policy${script}`);
  if (!existsSync(analyzer)) return engineEnvironment(engine);
  mkdirSync(bin);
  place(engine.pulumi, join(bin, cli));
  place(join(engine.bin, dynamicProvider), join(bin, dynamicProvider));
  place(analyzer, join(bin, `pulumi-analyzer-policy-nodejs${script}`));
  // If one folder contains all programs, omitting the language host's folder would also omit Node.
  if (process.platform !== "win32") symlinkSync(process.execPath, join(bin, "node"));
  const env = engineEnvironment({ ...engine, bin });
  const folders = (env[pathKey(env)] ?? "").split(delimiter);
  const withoutHost = folders.filter((folder) => !existsSync(join(folder, languageHost)));
  return { ...env, [pathKey(env)]: withoutHost.join(delimiter) };
}

/** Links or copies a file. A symbolic link doesn't work, because the engine searches the folder of the link's target. */
function place(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
}
