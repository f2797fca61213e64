/** Provider processes for `IncidentUpdate`, one after another against one sandbox, and what they did to the service. */
import { stderr } from "node:process";
import { Config } from "@pulumi/pulumi/cmd/dynamic-provider/config";
import { type Sandbox, wellKnown } from "../../sandbox";
import type { DynamicProvider } from "../../provider/dynamic/provider";
// What never comes is waited for in no time.
import "./idleClock";
import { create, type Properties, sandboxForEachTest } from "./phases";

export const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

/** What is declared unless a test says otherwise. */
export const words = { incidentId, status: "MONITORING", description: "Capacity was added; we watch it." };

type Update = ReturnType<Sandbox["incident"]>["incidentUpdates"][number];

/** A resource as the stack remembers it. */
interface ResourceState {
  readonly id: string;
  readonly outs: Properties;
}

/** What the engine records of a create or update that failed, when there is something to remember. */
export interface Failed {
  readonly message: string;
  readonly id?: string;
  readonly properties?: Properties;
}

export class Service {
  /** What the user was told since the test began. */
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

  /** A new process, in which nothing is queued, claimed or read before. */
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
      fresh.push((await import("../../provider")).IncidentUpdate);
    });
    const [provider] = fresh;
    if (!provider) throw new Error("The provider was not loaded.");
    await provider.configure({ config: new Config(config, "test") });
    return provider;
  }

  /** Declares an update in a process of its own. */
  async declare(args: object = {}, settings?: Readonly<Record<string, string>>): Promise<ResourceState> {
    return create(await this.process(settings), { ...words, ...args });
  }

  /** Declares an update whose post gets no answer and isn't to be found. */
  async leaveUnconfirmed(args: object = {}): Promise<ResourceState> {
    this.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
    const { id = "", properties = {} } = await failureOf(this.declare(args));
    expect(id).toMatch(/\/unconfirmed-[0-9a-f]{16}$/);
    return { id, outs: properties };
  }

  /** What the next `up` makes of an unconfirmed update: the engine asks `diff`, then calls `update`. */
  async nextUp({ id, outs }: ResourceState, args: object = {}): Promise<Properties> {
    const process = await this.process();
    const { inputs = {}, failures } = await process.check(words, { ...words, ...args });
    expect(failures).toEqual([]);
    expect(await process.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [] });
    return (await process.update(id, outs, inputs)).outs ?? {};
  }

  async refresh({ id, outs }: ResourceState): Promise<ResourceState> {
    const found = await (await this.process()).read(id, outs);
    return { id: found.id ?? "", outs: found.props ?? {} };
  }

  /** Puts an update into the history, past the API; unless told otherwise it says what is declared, and is the newest. */
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

  /** Takes every update out of the history of every incident, past the API. */
  deleteUpdatesByHand(): void {
    this.sandbox.byHand.change(({ accounts }) => {
      for (const incident of accounts[0].statusPageIncidents) incident.incidentUpdates = [];
    });
  }

  history(): Update[] {
    return this.sandbox.incident(incidentId).incidentUpdates;
  }

  /** What came into the history since the test began, newest first. */
  published(): Update[] {
    return this.history().filter(({ id }) => !this.#before.includes(id));
  }

  posts(): Sandbox["requests"] {
    return this.sandbox.requests.filter(({ method }) => method === "POST");
  }
}

/** What the engine gets when it doesn't work. */
export async function failureOf(work: Promise<unknown>): Promise<Failed> {
  const failed: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failed instanceof Error)) throw new Error("It should have failed.");
  return failed;
}
