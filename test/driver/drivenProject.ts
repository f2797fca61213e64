/** A project whose commands the driver runs against the real provider process, as the engine would. */
import { prepareBuild } from "../../tools/setup";
import type { ResourceType } from "../../provider/engine/resourceTypes";
import type { Sandbox } from "../../sandbox";
import type { Adapter } from "./adapters";
import { newMachine, removeMachines } from "./machines";
import { type Properties, ProviderProcess } from "./provider";
import { Stack } from "./stack";

// The process runs what is compiled.
beforeAll(prepareBuild);
// Jest doesn't tell the end of its process.
afterAll(removeMachines);

/** What a command did. */
export interface Ended {
  readonly ok: boolean;
  /** All that a user reads: what the provider said, and what failed. */
  readonly output: string;
}

/** The configuration of a stack that uses the sandbox. */
export const configOf = ({ url, accountId, apiKey }: Sandbox): Record<string, string> => ({
  "monitoring:baseUrl": url,
  "monitoring:accountId": accountId,
  "monitoring:apiKey": apiKey,
});

const nameOf = (index: number): string => `resource-${index}`;

export class DrivenProject {
  readonly config: Record<string, string>;
  readonly env: Record<string, string> = {};
  readonly #adapter: Adapter;
  readonly #stack: Stack;
  readonly #machine = newMachine();
  #program: Record<string, Properties> = {};

  /** @param kinds of the declared resources, in their order; without them, all are updates. */
  constructor(adapter: Adapter, sandbox: Sandbox, kinds: ResourceType[] = []) {
    this.#adapter = adapter;
    const kindsByName = new Map(kinds.map((kind, index) => [nameOf(index), kind]));
    this.#stack = new Stack((name) => kindsByName.get(name) ?? "IncidentUpdate");
    this.config = configOf(sandbox);
  }

  /** The program from now on: resources, each depending on the one before it. */
  declare(...resources: Properties[]): this {
    this.#program = Object.fromEntries(resources.map((args, index) => [nameOf(index), args]));
    return this;
  }

  up(...resources: Properties[]): Promise<Ended> {
    if (resources.length > 0) this.declare(...resources);
    return this.#run((provider) => this.#stack.up(provider, this.#program, true));
  }

  /** `ok` says that there is nothing to do. */
  preview(): Promise<Ended> {
    return this.#run((provider) => this.#stack.preview(provider, this.#program));
  }

  refresh(): Promise<Ended> {
    return this.#run((provider) => this.#stack.refresh(provider));
  }

  destroy(): Promise<Ended> {
    return this.#run((provider) => this.#stack.destroy(provider));
  }

  get resources(): { readonly id: string; readonly outputs: Readonly<Record<string, unknown>> }[] {
    return [...this.#stack.resources.values()];
  }

  get ids(): string[] {
    return this.resources.map(({ id }) => id);
  }

  get outputs(): Readonly<Record<string, unknown>> {
    return this.resources[0]?.outputs ?? {};
  }

  /** A command, in a process of its own. */
  async #run(command: (provider: ProviderProcess) => Promise<string[]>): Promise<Ended> {
    const options = { adapter: this.#adapter, machine: this.#machine, env: this.env };
    const provider = await ProviderProcess.start(this.config, options);
    try {
      const failures = await command(provider);
      await provider.end();
      return { ok: failures.length === 0, output: [provider.said, ...failures].join("\n") };
    } finally {
      await provider.end();
    }
  }
}
