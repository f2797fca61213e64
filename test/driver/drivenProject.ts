/** A project whose commands the driver runs against the real provider process, as the engine would. */
import type { ResourceType } from "../../provider/engine";
import type { Sandbox } from "../../sandbox";
import type { Adapter } from "./adapters";
import { newMachine, removeMachines } from "./machines";
import { type Properties, ProviderProcess } from "./provider";
import { type Resource, Stack } from "./stack";

// The process runs what is compiled.
// Jest doesn't tell the end of its process.
afterAll(removeMachines);

/** What a command did. */
export interface Ended {
  /** What failed, or, of a preview, what is to be done. */
  readonly steps: readonly string[];
  /** All that a user reads: what the provider said, and what failed. */
  readonly output: string;
  /** What it requested; with a refresh before it, what it requested after that. */
  readonly requests: Sandbox["requests"];
  /** The resources after it, by name. */
  readonly resources: Readonly<Record<string, Resource>>;
  /** The resources after the refresh before it, by name. */
  readonly refreshed: Readonly<Record<string, Resource>>;
}

/** The configuration of a stack that uses the sandbox. */
export const configOf = ({ url, accountId, apiKey }: Sandbox): Record<string, string> => ({
  "monitoring:baseUrl": url,
  "monitoring:accountId": accountId,
  "monitoring:apiKey": apiKey,
});

export class DrivenProject {
  readonly config: Record<string, string>;
  readonly env: Record<string, string> = {};
  readonly #adapter: Adapter;
  readonly #sandbox: Sandbox;
  readonly #stack: Stack;
  readonly #machine = newMachine();

  /** @param kinds by name; what isn't there is an update. */
  constructor(adapter: Adapter, sandbox: Sandbox, kinds: Readonly<Record<string, ResourceType>> = {}) {
    this.#adapter = adapter;
    this.#sandbox = sandbox;
    this.#stack = new Stack((name) => kinds[name] ?? "IncidentUpdate");
    this.config = configOf(sandbox);
  }

  /** Each of the resources depends on the one before it. */
  up(program: Record<string, Properties>, ...flags: "--refresh"[]): Promise<Ended> {
    return this.#run(flags, (provider) => this.#stack.up(provider, program, true));
  }

  preview(program: Record<string, Properties>): Promise<Ended> {
    return this.#run([], (provider) => this.#stack.preview(provider, program));
  }

  destroy(...flags: "--refresh"[]): Promise<Ended> {
    return this.#run(flags, (provider) => this.#stack.destroy(provider));
  }

  /** A command, in a process of its own, which refreshes first if it says so. */
  async #run(
    flags: readonly "--refresh"[],
    command: (provider: ProviderProcess) => Promise<string[]>,
  ): Promise<Ended> {
    const options = { adapter: this.#adapter, machine: this.#machine, env: this.env };
    const provider = await ProviderProcess.start(this.config, options);
    try {
      const failed = flags.length > 0 ? await this.#stack.refresh(provider) : [];
      const refreshed = Object.fromEntries(this.#stack.resources);
      this.#sandbox.clearRequests();
      const steps = [...failed, ...(await command(provider))];
      await provider.end();
      return {
        steps,
        output: [provider.said, ...steps].join("\n"),
        requests: [...this.#sandbox.requests],
        resources: Object.fromEntries(this.#stack.resources),
        refreshed,
      };
    } finally {
      await provider.end();
    }
  }
}
