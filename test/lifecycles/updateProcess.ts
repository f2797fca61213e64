/** Provider processes for `IncidentUpdate` against one sandbox, and their effects on the service. */
import { stderr } from "node:process";
import { Config } from "@pulumi/pulumi/cmd/dynamic-provider/config";
import { type Sandbox, wellKnown } from "../../sandbox";
import type { DynamicProvider } from "../../provider/dynamic/provider";
// Waits take no time.
import "./idleClock";
import { create, type Properties, sandboxForEachTest } from "./phases";

// They hold nothing of a process, and take most of the time that a new one takes to load.
for (const name of ["axios", "signal-exit", "zod"]) {
  const loaded: unknown = jest.requireActual(name);
  jest.doMock(name, () => loaded);
}

export const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

/** The default declaration. */
export const words = { incidentId, status: "MONITORING", description: "Capacity was added; we watch it." };

/** The default resource. The SDK names it in the inputs. */
export const named = { __resource: "update", ...words };

type Update = ReturnType<Sandbox["incident"]>["incidentUpdates"][number];

/** A resource as the state stores it. */
interface ResourceState {
  readonly id: string;
  readonly outs: Properties;
}

/** The state that the engine records for a partial failure of a create or update. */
export interface Failed {
  readonly message: string;
  readonly id?: string;
  readonly properties?: Properties;
}

export class Service {
  /** The notices since the test began. */
  notices: string[] = [];
  readonly #sandboxOf = sandboxForEachTest();
  #before: string[] = [];

  constructor() {
    beforeEach(() => {
      this.#before = this.history().map(({ id }) => id);
      this.notices = [];
      jest.spyOn(stderr, "write").mockImplementation((text) => this.notices.push(String(text).trim()) > 0);
    });
    afterEach(() => {
      jest.restoreAllMocks();
      // It may be a secret until it is public.
      expect(this.notices.join()).not.toContain("Capacity");
    });
  }

  get sandbox(): Sandbox {
    return this.#sandboxOf();
  }

  /** A new process without a queue, claims or cached reads. */
  async process(settings: Readonly<Record<string, string>> = {}): Promise<DynamicProvider> {
    const { url, accountId, apiKey } = this.sandbox;
    const config = {
      "monitoring:baseUrl": url,
      "monitoring:accountId": accountId,
      "monitoring:apiKey": apiKey,
      ...settings,
    };
    const fresh: DynamicProvider[] = [];
    await jest.isolateModulesAsync(async () => {
      fresh.push((await import("../../provider/dynamic")).IncidentUpdate);
    });
    const [provider] = fresh;
    if (!provider) throw new Error("The provider was not loaded.");
    await provider.configure({ config: new Config(config, "test") });
    return provider;
  }

  /** Declares an update in a new process. */
  async declare(args: object = {}, settings?: Readonly<Record<string, string>>): Promise<ResourceState> {
    return create(await this.process(settings), { ...named, ...args });
  }

  /** Declares an update whose post receives no response and isn't found. */
  async leaveUnconfirmed(args: object = {}): Promise<ResourceState> {
    this.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
    const { id = "", properties = {} } = await failureOf(this.declare(args));
    expect(id).toMatch(/\/unconfirmed-[0-9a-f]{16}$/);
    return { id, outs: properties };
  }

  /** Runs the next `up` for an unconfirmed update: the engine calls `diff`, then `update`. */
  async nextUp({ id, outs }: ResourceState, args: object = {}): Promise<Properties> {
    const process = await this.process();
    const { inputs = {}, failures } = await process.check(named, { ...named, ...args });
    expect(failures).toEqual([]);
    expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
    return (await process.update(id, outs, inputs)).outs ?? {};
  }

  async refresh({ id, outs }: ResourceState): Promise<ResourceState> {
    const found = await (await this.process()).read(id, outs);
    return { id: found.id ?? "", outs: found.props ?? {} };
  }

  /** Adds an update to the history directly. Default: the declared content, as the newest update. */
  putByHand(update: Partial<Update> = {}): string {
    const now = new Date().toISOString();
    const id = `by-hand-${this.history().length}`;
    this.sandbox.byHand.change(({ accounts }) =>
      accounts[0].statusPageIncidents
        .find((incident) => incident.id === incidentId)
        ?.incidentUpdates.unshift({
          id,
          status: "MONITORING",
          description: words.description,
          notifySubscribers: false,
          created_at: now,
          publicIncidentUpdateDate: now,
          ...update,
        }),
    );
    return id;
  }

  /** Removes all updates of all incidents directly. */
  deleteUpdatesByHand(): void {
    this.sandbox.byHand.change(({ accounts }) => {
      for (const incident of accounts[0].statusPageIncidents) incident.incidentUpdates = [];
    });
  }

  history(): Update[] {
    return this.sandbox.incident(incidentId).incidentUpdates;
  }

  /** The updates that were added since the test began, newest first. */
  published(): Update[] {
    return this.history().filter(({ id }) => !this.#before.includes(id));
  }

  posts(): Sandbox["requests"] {
    return this.sandbox.requests.filter(({ method }) => method === "POST");
  }
}

/** The error that the engine receives. */
export async function failureOf(work: Promise<unknown>): Promise<Failed> {
  const failed: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failed instanceof Error)) throw new Error("It should have failed.");
  return failed;
}
