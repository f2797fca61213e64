import * as pulumi from "@pulumi/pulumi";
import { MonitoringError } from "../../provider/client/errors";
import type { Severity } from "../../provider/api/enums";
import { getOpenIncidents, type OpenIncident } from "../dataSources/getOpenIncidents";
import { withoutStack } from "../logErrors";
import { registerGate } from "../gates";

/** Which open incidents close the gate. Default: any. Plain values, because the gate also decides in a preview. */
export interface OpenIncidentGateArgs {
  /** Only incidents of this status page: its id, slug or name. */
  statusPage?: string;
  /** Only incidents of this severity or worse. One that isn't known counts as the worst. */
  atLeast?: Severity;
  /** Only incidents that affect one of these services: their ids or names. One that doesn't say counts as affecting any. */
  services?: string[];
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** An incident is open that a program made {@link OpenIncidentGate} look for. */
export class OpenIncidentError extends MonitoringError {
  /** The incidents that are open, in the service's order. */
  readonly incidents: readonly OpenIncident[];

  override get name(): string {
    return "OpenIncidentError";
  }

  constructor(gate: string, incidents: readonly OpenIncident[]) {
    const list = incidents.map(
      ({ id, name, severity, statusPages }) =>
        `${severity} "${name}" (${id}, on ${statusPages.map((page) => page.name).join(", ")})`,
    );
    super(
      `OpenIncidentGate "${gate}": ${incidents.length} open: ${list.join("; ")}. ` +
        "No resource that waits for the gate was changed. Run again when they are resolved.",
    );
    this.incidents = incidents;
  }
}

/**
 * Fails preview and update while a matching incident is open (section 4.6 of the service's API). Every resource of this package that is declared after
 * it waits for its verdict; resources of other packages wait with `dependsOn`.
 *
 * It also holds back an `IncidentUpdate` that would resolve the incident: declare that one before the gate, or in
 * another program.
 *
 * @throws OpenIncidentError, which fails the run and names the incidents.
 * @throws NoMatchError when there is no such `statusPage`: a gate that looks nowhere would always be open.
 * @throws AmbiguousMatchError when several are called like `statusPage`.
 */
export class OpenIncidentGate extends pulumi.ComponentResource {
  constructor(name: string, args: OpenIncidentGateArgs = {}, options?: pulumi.ComponentResourceOptions) {
    super("monitoring:index:OpenIncidentGate", name, args, options);
    registerGate(this);
  }

  /** What depends on a component waits for this, and fails with it. */
  protected override async initialize(
    args: OpenIncidentGateArgs,
    _options?: pulumi.ComponentResourceOptions,
    name = "",
  ): Promise<void> {
    const { incidents } = await getOpenIncidents(args);
    if (incidents.length > 0) throw withoutStack(new OpenIncidentError(name, incidents));
  }
}
