/** A project whose commands the driver runs against the real provider process, as the engine would. */
import { prepareBuild } from "../../scripts/setup";
import type { ResourceType } from "../../provider/resourceTypes";
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import type { Adapter } from "./adapters";
import { newMachine, removeMachines } from "./machines";
import { type Properties, ProviderProcess } from "./provider";
import { Stack } from "./stack";

export const incidentId = wellKnown.statusPageIncidents.checkoutLatency;
export const words = { incidentId, status: "MONITORING", description: "We are watching it." };

/** What a command did. */
export interface Ended {
  readonly ok: boolean;
  /** All that a user reads: what the provider said, and what failed. */
  readonly output: string;
}

export class DrivenProject {
  readonly config: Record<string, string>;
  readonly env: Record<string, string> = {};
  readonly #adapter: Adapter;
  readonly #stack: Stack;
  readonly #machine = newMachine();
  #program: Record<string, Properties> = {};

  constructor(adapter: Adapter, { url, accountId, apiKey }: Sandbox, kind: ResourceType = "IncidentUpdate") {
    this.#adapter = adapter;
    this.#stack = new Stack(kind);
    this.config = {
      "monitoring:baseUrl": url,
      "monitoring:accountId": accountId,
      "monitoring:apiKey": apiKey,
    };
  }

  /** The program from now on: resources of one kind, each depending on the one before it. */
  declare(...resources: Properties[]): this {
    this.#program = Object.fromEntries(resources.map((args, index) => [`resource-${index}`, args]));
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
    const { config, env } = this;
    const provider = await ProviderProcess.start(config, {
      adapter: this.#adapter,
      machine: this.#machine,
      env,
    });
    try {
      const failures = await command(provider);
      await provider.end();
      return { ok: failures.length === 0, output: [provider.said, ...failures].join("\n") };
    } finally {
      await provider.end();
    }
  }
}

/** A sandbox for each test, and what the public reads on it since the test began. */
export class Service {
  #sandbox: Sandbox | undefined;
  #before: string[] = [];

  constructor() {
    // The process runs what is compiled.
    beforeAll(prepareBuild);
    beforeEach(async () => {
      this.#sandbox = await startSandbox();
      this.#before = this.sandbox.incident(incidentId).incidentUpdates.map(({ id }) => id);
    });
    afterEach(() => this.sandbox.close());
    // Jest doesn't tell the end of its process.
    afterAll(removeMachines);
  }

  get sandbox(): Sandbox {
    if (!this.#sandbox) throw new Error("A sandbox is there in a test alone.");
    return this.#sandbox;
  }

  /** Newest first. */
  get published(): ReturnType<Sandbox["incident"]>["incidentUpdates"] {
    return this.sandbox.incident(incidentId).incidentUpdates.filter(({ id }) => !this.#before.includes(id));
  }

  get newestId(): string {
    return this.published[0]?.id ?? "none";
  }

  get posts(): Sandbox["requests"] {
    return this.sandbox.requests.filter(({ method }) => method === "POST");
  }

  async postByHand(body: object): Promise<void> {
    const { url, apiKey } = this.sandbox;
    const response = await fetch(`${url}/v1/status-pages/incidents/${incidentId}/incident-updates`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
  }
}
