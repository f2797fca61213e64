/** A Pulumi project of its own, run by the real engine through its command line, with its state in a file. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { engineEnvironment, prepareEngine } from "../../scripts/engine";
import { descendantsOf, signalIfThere } from "../../scripts/processes";
import type { Sandbox } from "../../sandbox";

export const repository = resolve(__dirname, "../..");

/** What a command did. */
export interface Run {
  readonly code: number | null;
  /** All that it printed, without colours. */
  readonly output: string;
}

/** A command that runs. */
export interface Started {
  readonly ended: Promise<Run>;
  /** Ends the engine alone. What it has started goes on; call the result to end that too. */
  readonly kill: (signal: NodeJS.Signals) => () => void;
  /** Ids of the provider processes that it has started. */
  readonly providers: () => number[];
}

export interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
  readonly initErrors?: string[];
}

export interface StackOptions {
  /** Text of `index.ts`, or of `index.js` when `language` says so. */
  readonly program: string;
  readonly language?: "typescript" | "javascript";
  /** Folder that a program finds packages from. Default: this repository. */
  readonly under?: string;
  /** The service, whose address, account and key are configured. */
  readonly sandbox?: Pick<Sandbox, "url" | "accountId" | "apiKey">;
  /** More configuration; a key that ends in `!` is stored as a secret. */
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export class Stack {
  readonly folder: string;
  #env: NodeJS.ProcessEnv;
  readonly #pulumi: string;

  static async create(options: StackOptions): Promise<Stack> {
    const engine = await prepareEngine();
    const stack = new Stack(options, engine.pulumi, engineEnvironment(engine, {}));
    const { sandbox, config = {} } = options;
    const settings = {
      ...(sandbox && {
        "monitoring:baseUrl": sandbox.url,
        "monitoring:accountId": sandbox.accountId,
        "monitoring:apiKey!": sandbox.apiKey,
      }),
      ...config,
    };
    await stack.mustRun("stack", "init", "test");
    if (Object.keys(settings).length > 0) await stack.configure(settings);
    return stack;
  }

  private constructor(options: StackOptions, pulumi: string, env: NodeJS.ProcessEnv) {
    const { program, language = "javascript", under = repository } = options;
    const parent = join(under, ".engine-tests");
    mkdirSync(parent, { recursive: true });
    this.folder = mkdtempSync(join(parent, "stack-"));
    const state = join(this.folder, "state");
    mkdirSync(state);
    const main = language === "typescript" ? "index.ts" : "index.js";
    this.write(main, program);
    this.write("package.json", JSON.stringify({ name: "test-program", private: true, main }));
    this.write(
      "Pulumi.yaml",
      `name: test\nruntime:\n  name: nodejs\n  options:\n    typescript: ${language === "typescript"}\n`,
    );
    this.#pulumi = pulumi;
    this.#env = {
      ...env,
      // Without sidecars, which Pulumi writes in place: a kill in between leaves them empty, and the stack unreadable.
      PULUMI_BACKEND_URL: `${pathToFileURL(state).href}?metadata=skip`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      ...options.env,
    };
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  async configure(settings: Readonly<Record<string, string>>): Promise<void> {
    const flags = Object.entries(settings).flatMap(([key, value]) =>
      key.endsWith("!") ? ["--secret", `${key.slice(0, -1)}=${value}`] : ["--plaintext", `${key}=${value}`],
    );
    await this.mustRun("config", "set-all", ...flags);
  }

  setEnvironment(variables: Readonly<Record<string, string>>): void {
    this.#env = { ...this.#env, ...variables };
  }

  up(...flags: string[]): Promise<Run> {
    return this.run("up", "--yes", "--skip-preview", ...flags);
  }

  preview(...flags: string[]): Promise<Run> {
    return this.run("preview", "--diff", ...flags);
  }

  refresh(...flags: string[]): Promise<Run> {
    return this.run("refresh", "--yes", "--skip-preview", ...flags);
  }

  destroy(...flags: string[]): Promise<Run> {
    return this.run("destroy", "--yes", "--skip-preview", ...flags);
  }

  /** The state as text, decrypted. */
  async exported(): Promise<string> {
    return (await this.mustRun("stack", "export", "--show-secrets")).output;
  }

  /** The resources of this package's kinds. */
  async resources(): Promise<Resource[]> {
    const { deployment } = JSON.parse(await this.exported()) as { deployment: { resources?: Resource[] } };
    return (deployment.resources ?? []).filter(({ type }) => type.includes("dynamic/monitoring:"));
  }

  async outputs(): Promise<Record<string, unknown>> {
    const { output } = await this.mustRun("stack", "output", "--json", "--show-secrets");
    return JSON.parse(output) as Record<string, unknown>;
  }

  async mustRun(...args: string[]): Promise<Run> {
    const run = await this.run(...args);
    if (run.code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${run.code}:\n${run.output}`);
    return run;
  }

  run(...args: string[]): Promise<Run> {
    return this.start(...args).ended;
  }

  /** Starts a command, for those who don't want it to come to its end. */
  start(...args: string[]): Started {
    const child = spawn(this.#pulumi, [...args, "--non-interactive", "--color", "never"], {
      cwd: this.folder,
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const hear = (text: string): void => {
      output += text;
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    const ended = new Promise<Run>((done, fail) => {
      child.once("error", fail);
      // Not "close": what a killed engine leaves behind holds its output open.
      child.once("exit", (code) => setImmediate(() => done({ code, output })));
    });
    return {
      ended,
      providers: () =>
        descendantsOf(child.pid ?? 0)
          .filter(({ command }) => command.startsWith("node ") && command.includes("dynamic-provider"))
          .map(({ pid }) => pid),
      kill: (signal) => {
        const left = descendantsOf(child.pid ?? 0);
        child.kill(signal);
        return () => left.forEach(({ pid }) => signalIfThere(pid, "SIGKILL"));
      },
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
