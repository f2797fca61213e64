/** Provider processes for `Incident` against one sandbox, and the incidents that they open on a page with components. */
import { stderr } from "node:process";
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { temporaryFolder } from "../temporaryFolder";
// Waits take no time.
import "./idleClock";
import { phase, type Properties } from "./phases";
import { catchError, type ResourceState } from "./updateProcess";

export const page = wellKnown.componentPages.shop;
export const args = {
  statusPageId: page,
  name: "Database upgrade",
  impacts: [{ component: "Checkout", status: "UNDER_MAINTENANCE" }],
  status: "MONITORING",
  description: "Orders are slower until 03:00 UTC.",
  notifySubscribers: true,
};

const listIncidents = ({ accounts }: Pick<Sandbox["data"], "accounts">) =>
  accounts.flatMap(({ componentPages }) => componentPages.flatMap((each) => each.incidents));

type Incident = ReturnType<typeof listIncidents>[number];

export class IncidentService {
  sandbox!: Sandbox;
  /** The notices since the test began. */
  notices: string[] = [];
  /** The name of the resource. */
  resource = "upgrade";
  settings: Record<string, string> = {};

  constructor() {
    beforeEach(async () => {
      this.sandbox = await startSandbox();
      this.notices = [];
      this.resource = "upgrade";
      this.settings = { "monitoring:lockDirectory": temporaryFolder() };
      jest.spyOn(stderr, "write").mockImplementation((text) => this.notices.push(String(text).trim()) > 0);
    });
    afterEach(() => this.sandbox.close());
  }

  readonly by = (more: object = {}) => ({
    __call: {
      urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/monitoring:Incident::${this.resource}`,
      ...more,
    },
  });

  readonly process = (more: Record<string, string> = {}) =>
    phase("Incident", this.sandbox, { settings: { ...this.settings, ...more } });

  readonly incidents = () => listIncidents(this.sandbox.data);

  /** The incidents that the test has opened. */
  readonly opened = () => this.incidents().filter(({ name }) => name.startsWith("Database"));

  /** Changes the incidents that the test has opened in the dashboard. */
  readonly changeByHand = (change: (incident: Incident) => void) =>
    this.sandbox.byHand.change((data) => {
      for (const incident of listIncidents(data)) if (incident.name.startsWith("Database")) change(incident);
    });

  /** Resolves the incidents in the dashboard. */
  readonly resolve = () =>
    this.changeByHand(({ id, incidentUpdates }) => {
      const [first] = incidentUpdates;
      const created_at = new Date(Date.now() + 1_000).toISOString();
      if (first && first.status !== "RESOLVED")
        incidentUpdates.unshift({ ...first, id: `resolved-${id}`, created_at, status: "RESOLVED" });
    });

  /** Runs the engine's calls in an `up` of a new process. */
  readonly up = async (declared: object = {}, old?: ResourceState, more?: Record<string, string>) => {
    const provider = await this.process(more);
    const olds = old ? { ...args, ...this.by() } : {};
    const { inputs = {}, failures } = await provider.check(olds, { ...args, ...declared, ...this.by() });
    expect(failures).toEqual([]);
    if (!old) {
      const { id, outs = {} } = await provider.create(inputs);
      return { id, outs };
    }
    const { changes } = await provider.diff(old.id, old.outs, inputs);
    if (!changes) return old;
    const { outs = {} } = await provider.update(old.id, old.outs, inputs);
    return { id: old.id, outs };
  };

  /** Returns the report of a preview, in which no text is a secret. */
  readonly preview = async (change: object, { id, outs }: ResourceState): Promise<string[]> => {
    const provider = await this.process();
    const declared = { ...args, ...change };
    const { inputs = {} } = await provider.check(
      { ...args, ...this.by({ secrets: [] }) },
      { ...declared, ...this.by({ previews: true, shown: declared }) },
    );
    this.notices = [];
    await provider.diff(id, outs, inputs);
    return this.notices.join("\n").split("\n");
  };

  readonly refresh = async ({ id, outs }: ResourceState): Promise<ResourceState> => {
    const read = await (await this.process()).read(id, outs);
    return { id: read.id ?? "", outs: read.props ?? {} };
  };

  /** Opens an incident whose response is lost, and that no read shows in the same run. */
  readonly leaveUnconfirmed = async (): Promise<ResourceState> => {
    const operation = "openComponentPageIncident";
    this.sandbox.faults.add({ kind: "lateVisibility", operation, reads: 40, times: 1 });
    this.sandbox.faults.add({ kind: "reset", operation, times: 1, applied: true });
    const { id = "", properties = {} } = await catchError(this.up());
    this.sandbox.faults.clear();
    return { id, outs: properties };
  };

  /** The bodies of the requests that edited the incident. */
  readonly puts = () =>
    this.sandbox.requests.filter(({ method }) => method === "PUT").map(({ body }) => body as Properties);
}
