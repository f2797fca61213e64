/** Provider processes for `IncidentUpdate` against one sandbox, and their effects on the service. */
import { stderr } from "node:process";
import type { Sandbox } from "../../sandbox";
import { incidentId, Service as EngineService, words } from "../engine/service";
// Waits take no time.
import "./idleClock";
import { by, create, type DynamicProvider, phase, type Properties } from "./phases";

export { incidentId, words };

/** The default resource. */
export const named = { ...by("update"), ...words };

type Update = ReturnType<Sandbox["incident"]>["incidentUpdates"][number];

/** A resource as the state stores it. */
export interface ResourceState {
  readonly id: string;
  readonly outs: Properties;
}

/** The state that the engine records for a partial failure of a create or update. */
export interface Failed {
  readonly message: string;
  readonly id?: string;
  readonly properties?: Properties;
}

export class Service extends EngineService {
  /** The notices since the test began. */
  notices: string[] = [];

  constructor() {
    super();
    beforeEach(() => {
      this.notices = [];
      jest.spyOn(stderr, "write").mockImplementation((text) => this.notices.push(String(text).trim()) > 0);
    });
    afterEach(() => {
      jest.restoreAllMocks();
      // It may be a secret until it is public, and only a preview says what isn't.
      const ofPreviews = /\n {2}[|]/;
      const others = this.notices.filter((text) => !ofPreviews.test(text));
      expect(others.join()).not.toContain(words.description);
    });
  }

  /** A new process without a queue, claims or cached reads. */
  async process(settings: Readonly<Record<string, string>> = {}): Promise<DynamicProvider> {
    return phase("IncidentUpdate", this.sandbox, { settings });
  }

  /** Declares an update in a new process. */
  async declare(args: object = {}, settings?: Readonly<Record<string, string>>): Promise<ResourceState> {
    return create(await this.process(settings), { ...named, ...args });
  }

  loseNextPost(): void {
    this.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
  }

  /** Declares an update whose post receives no response and isn't found. */
  async leaveUnconfirmed(args: object = {}): Promise<ResourceState> {
    this.loseNextPost();
    const { id = "", properties = {} } = await catchError(this.declare(args));
    expect(id).toMatch(/\/update-[0-9a-f]{16}$/);
    return { id, outs: properties };
  }

  /** Runs the next `up` for an unconfirmed update: the engine calls `diff`, then `update`. */
  async nextUp(
    { id, outs }: ResourceState,
    args: object = {},
    settings?: Readonly<Record<string, string>>,
  ): Promise<Properties> {
    const process = await this.process(settings);
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
    const { incidentUpdates } = this.sandbox.incident(incidentId);
    const id = `by-hand-${incidentUpdates.length}`;
    const content = { status: "MONITORING", description: words.description } as const;
    const times = { created_at: now, publicIncidentUpdateDate: now };
    const added = { id, ...times, ...content, notifySubscribers: false, ...update };
    this.sandbox.byHand.editIncident(incidentId, { incidentUpdates: [added, ...incidentUpdates] });
    return id;
  }

  /** Edits or, without changes, deletes the update of a resource. */
  changeByHand({ id }: Pick<ResourceState, "id">, changes?: Partial<Update>): void {
    const { byHand } = this.sandbox;
    const updateId = id.split("/")[1] ?? "";
    if (changes) byHand.editUpdate(incidentId, updateId, changes);
    else byHand.deleteUpdate(incidentId, updateId);
  }
}

/** The error that the engine receives. */
export async function catchError(work: Promise<unknown>): Promise<Failed> {
  const failed: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failed instanceof Error)) throw new Error("It should have failed.");
  return failed;
}
