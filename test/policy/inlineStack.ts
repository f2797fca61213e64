/** A stack whose program runs inside the Automation API, so that a policy pack needs no language host. */
import { spawn } from "node:child_process";
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Sandbox } from "../../sandbox";
import { lazyPackages } from "../engine/stack";
import { engineEnvironment, prepareEngine } from "../../scripts/engine";
import { cli, dynamicProvider, languageHost, script } from "../../scripts/engine/usable";

const repository = resolve(__dirname, "../..");

export interface InlineStackOptions {
  /** The service, whose address, account and key are configured. */
  readonly sandbox: Pick<Sandbox, "url" | "accountId" | "apiKey">;
  /** Default: test. */
  readonly name?: string;
  /** Files of the policy pack by name: its program, and what else isn't as in every pack. */
  readonly pack: Readonly<Record<string, string>>;
}

/** What a command did. */
export interface Run {
  readonly code: number | null;
  /** All that it printed, without colours. */
  readonly output: string;
}

/** Runs `up` or `preview` of the program beside it, in a stack whose settings come as JSON. */
const driver = `
const { CommandError, LocalWorkspace } = require("@pulumi/pulumi/automation");
const [command, name, settings, packs] = process.argv.slice(2);

async function main() {
  const stack = await LocalWorkspace.createOrSelectStack(
    { stackName: name, projectName: "shop", program: async () => require("./program") },
    { workDir: __dirname },
  );
  await stack.setAllConfig(JSON.parse(settings));
  await stack[command]({ policyPacks: JSON.parse(packs), color: "never", onOutput: console.log, onError: console.log });
}

main().catch((error) => {
  if (!(error instanceof CommandError)) console.log(error.message);
  process.exitCode = 1;
});
`;

export class InlineStack {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #name: string;
  readonly #settings: string;

  static async create(options: InlineStackOptions): Promise<InlineStack> {
    const parent = join(repository, ".engine-tests");
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, "policy-"));
    return new InlineStack(folder, await environmentForPacks(join(folder, "bin")), options);
  }

  private constructor(
    folder: string,
    env: NodeJS.ProcessEnv,
    { sandbox, name = "test", pack }: InlineStackOptions,
  ) {
    this.#folder = folder;
    this.#name = name;
    for (const child of ["state", "pack"]) mkdirSync(join(folder, child));
    this.#env = {
      ...env,
      ...lazyPackages,
      PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
      PULUMI_CONFIG_PASSPHRASE: "test",
    };
    this.#settings = JSON.stringify({
      "monitoring:baseUrl": { value: sandbox.url },
      "monitoring:accountId": { value: sandbox.accountId },
      "monitoring:apiKey": { value: sandbox.apiKey, secret: true },
    });
    this.#write("driver.js", driver);
    this.#write("pack/package.json", '{ "name": "pack", "version": "1.0.0" }');
    this.#write("pack/PulumiPolicy.yaml", "runtime: nodejs\n");
    for (const [file, text] of Object.entries(pack)) this.#write(`pack/${file}`, text);
  }

  /** Runs the program, text of a CommonJS module. */
  run(command: "up" | "preview", program: string): Promise<Run> {
    this.#write("program.js", program);
    const packs = JSON.stringify([join(this.#folder, "pack")]);
    const args = ["driver.js", command, this.#name, this.#settings, packs];
    const child = spawn(process.execPath, args, {
      cwd: this.#folder,
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const hear = (text: string): void => {
      output += text;
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    return new Promise((done, fail) => {
      child.once("error", fail);
      child.once("close", (code) => done({ code, output }));
    });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(file: string, text: string): void {
    writeFileSync(join(this.#folder, file), text);
  }
}

/**
 * The environment in which an engine runs policy packs. The language host of one that was built from source can't, and
 * is in the way of the script that can; an official one's host can, and it may come without the script.
 */
async function environmentForPacks(bin: string): Promise<NodeJS.ProcessEnv> {
  const engine = await prepareEngine();
  const analyzer = join(engine.bin, `pulumi-analyzer-policy${script}`);
  if (!existsSync(analyzer)) return engineEnvironment(engine);
  mkdirSync(bin);
  place(engine.pulumi, join(bin, cli));
  place(join(engine.bin, dynamicProvider), join(bin, dynamicProvider));
  place(analyzer, join(bin, `pulumi-analyzer-policy-nodejs${script}`));
  // Where one folder holds all programs, Node would go with the language host.
  if (process.platform !== "win32") symlinkSync(process.execPath, join(bin, "node"));
  return withoutLanguageHost(engineEnvironment({ ...engine, bin }));
}

/** Not a symbolic link: the engine looks beside the file that it really is. */
function place(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
}

function withoutLanguageHost(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const key = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const folders = (env[key] ?? "").split(delimiter);
  return {
    ...env,
    [key]: folders.filter((folder) => !existsSync(join(folder, languageHost))).join(delimiter),
  };
}
