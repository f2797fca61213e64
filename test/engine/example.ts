/** An example, copied and run as its README says: a block of commands is a step, and the text below it what one sees. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineEnvironment, prepareEngine } from "../../scripts/engine";
import { run } from "../../scripts/setup/run";
import type { Sandbox } from "../../sandbox";
import { repository } from "./stack";

const usualAddress = "http://127.0.0.1:4010";
const all = join(repository, "examples");

interface Step {
  readonly commands: readonly string[];
  /** Parts of what the last command prints, in this order. */
  readonly shown: readonly string[];
}

/** What a command does. */
type Ending = "succeeds" | "fails";

export class Example {
  readonly #folder: string;
  readonly #pulumi: string;
  readonly #steps: Step[];
  #env: NodeJS.ProcessEnv;

  /** Makes the stack, by the commands that `examples/README.md` gives for every example. */
  static async create(name: string, sandbox: Sandbox): Promise<Example> {
    const engine = await prepareEngine();
    const example = new Example(name, sandbox, engine.pulumi, engineEnvironment(engine));
    const [, setUp] = stepsOf(join(all, "README.md"), sandbox.url);
    const [enter, ...commands] = setUp?.commands ?? [];
    expect(enter).toMatch(/^cd examples\//);
    for (const command of commands) await example.#run(command, "succeeds");
    return example;
  }

  private constructor(name: string, sandbox: Sandbox, pulumi: string, env: NodeJS.ProcessEnv) {
    const parent = join(repository, ".engine-tests");
    mkdirSync(parent, { recursive: true });
    this.#folder = mkdtempSync(join(parent, `${name}-`));
    cpSync(join(all, name), this.#folder, { recursive: true });
    const project = join(this.#folder, "Pulumi.yaml");
    writeFileSync(project, readHere(project, sandbox.url));
    this.#steps = stepsOf(join(all, name, "README.md"), sandbox.url);
    this.#pulumi = pulumi;
    this.#env = env;
  }

  /** Runs the commands of the next step; how the last one ends is for the caller to say, the others succeed. */
  async nextStep(ending: Ending): Promise<void> {
    const step = this.#steps.shift();
    if (!step) throw new Error("The README gives no more commands.");
    let output = "";
    for (const [index, command] of step.commands.entries())
      output = await this.#run(command, index === step.commands.length - 1 ? ending : "succeeds");
    for (const part of step.shown) {
      expect(output).toContain(part);
      output = output.slice(output.indexOf(part) + part.length);
    }
  }

  /** The end of an example: its README has no more commands, nothing has drifted, and nothing is to be done. */
  async expectNothingLeft(): Promise<void> {
    expect(this.#steps).toEqual([]);
    await this.#run("npx pulumi refresh --skip-preview --expect-no-changes", "succeeds");
    await this.#run("npx pulumi preview --expect-no-changes", "succeeds");
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #run(command: string, ending: Ending): Promise<string> {
    const [program, ...words] = wordsOf(command);
    if (program === "export") {
      this.#env = { ...this.#env, ...Object.fromEntries(words.map((word) => word.split("="))) };
      return "";
    }
    expect([program, words.shift()]).toEqual(["npx", "pulumi"]);
    const asks = ["up", "refresh"].includes(words[0] ?? "") && !words.includes("--yes");
    const args = [...words, ...(asks ? ["--yes"] : []), "--non-interactive", "--color", "never"];
    const { ok, output } = await run(this.#pulumi, args, { cwd: this.#folder, env: this.#env });
    if (ok !== (ending === "succeeds"))
      throw new Error(`${command} should have been one that ${ending}:\n${output}`);
    return squeezed(output);
  }
}

/** The steps of a page; a block of text right below a block of commands belongs to it. */
function stepsOf(page: string, address: string): Step[] {
  const blocks = readHere(page, address).matchAll(/```sh\n(.*?)```(?:\n+```text\n(.*?)```)?/gs);
  return [...blocks].map(([, commands, shown = ""]) => ({
    commands: linesOf(commands),
    shown: linesOf(squeezed(shown)),
  }));
}

/** What a file says, with the address that the sandbox has here. */
function readHere(file: string, address: string): string {
  return readFileSync(file, "utf8").replaceAll(usualAddress, address);
}

function linesOf(text = ""): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

/** How wide a column is depends on what else is printed. */
function squeezed(text: string): string {
  return text.replace(/[^\S\n]+/g, " ");
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}
