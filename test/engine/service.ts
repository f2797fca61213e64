/** The service of a test, what is sent to it, and what the public reads on it. */
import { type Sandbox, type SandboxData, startSandbox, wellKnown } from "../../sandbox";

export const incidentId = wellKnown.statusPageIncidents.checkoutLatency;
export const words = { incidentId, status: "MONITORING", description: "We are watching it." };

export class Service {
  sandbox!: Sandbox;
  #before = new Set<string>();

  /** Default: a service for each test. With `beforeAll` and `afterAll`, all tests of the file look at one. */
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

  /** The requests that would change something. */
  get posts(): Sandbox["requests"] {
    return this.sandbox.requests.filter(({ method }) => method !== "GET");
  }

  /** The number of posts that the service carried out. */
  get applied(): number {
    return this.sandbox.requests.filter(({ applied }) => applied).length;
  }

  /** The updates of an incident since the test began, oldest first. */
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

  /** The same service, with another key. */
  async replaceKey(): Promise<void> {
    const { url, data } = this.sandbox;
    const seed = structuredClone<SandboxData>(data);
    await this.sandbox.close();
    const apiKey = "mon_sandbox_new0123456789abcdef01234567";
    this.sandbox = await startSandbox({ port: Number(new URL(url).port), apiKey, seed });
  }
}
