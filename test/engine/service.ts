/** Starts the service of a test, and records the requests and the public updates. */
import { type Sandbox, type SandboxData, startSandbox, wellKnown } from "../../sandbox";

export const incidentId = wellKnown.statusPageIncidents.checkoutLatency;
export const words = { incidentId, status: "MONITORING", description: "We are watching it." };

export class Service {
  sandbox!: Sandbox;
  #before = new Set<string>();

  /** By default, each test has its own service. With `beforeAll` and `afterAll`, all tests in the file share one. */
  constructor(before = beforeEach, after = afterEach) {
    before(async () => {
      this.sandbox = await startSandbox();
      const updates = this.sandbox.data.accounts.flatMap(({ statusPageIncidents, componentPages }) =>
        [...statusPageIncidents, ...componentPages.flatMap(({ incidents }) => incidents)].flatMap(
          ({ incidentUpdates }) => incidentUpdates,
        ),
      );
      this.#before = new Set(updates.map(({ id }) => id));
    });
    after(() => this.sandbox.close());
  }

  /** The requests that would change data. */
  get posts(): Sandbox["requests"] {
    return this.sandbox.requests.filter(({ method }) => method !== "GET");
  }

  /** The number of requests that changed data. */
  get applied(): number {
    return this.sandbox.requests.filter(({ applied }) => applied).length;
  }

  /** Returns the updates of an incident that were added during the test, oldest first. */
  published(
    incident: string = incidentId,
    page?: string,
  ): ReturnType<Sandbox["incident"]>["incidentUpdates"] {
    const { incidentUpdates } =
      page === undefined ? this.sandbox.incident(incident) : this.sandbox.incident(incident, page);
    return incidentUpdates.filter(({ id }) => !this.#before.has(id)).reverse();
  }

  get newestId(): string {
    return this.published().at(-1)?.id ?? "none";
  }

  /** Restarts the service with another key. */
  async replaceKey(): Promise<void> {
    const { url, data } = this.sandbox;
    const seed = structuredClone<SandboxData>(data);
    await this.sandbox.close();
    const apiKey = "mon_sandbox_new0123456789abcdef01234567";
    this.sandbox = await startSandbox({ port: Number(new URL(url).port), apiKey, seed });
  }
}
