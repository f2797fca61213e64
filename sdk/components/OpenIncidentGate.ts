import * as pulumi from "@pulumi/pulumi";
import { MonitoringError } from "../../provider/client/errors";
import { openIncidentsMessage } from "../../provider/lookups/openIncidentsMessage";
import type { GetOpenIncidentsArgs, OpenIncident } from "../dataSources/getOpenIncidents";
import { assertNoProvider } from "../program/explicitProvider";
import { registerGate } from "../program/gates";
import { withLogErrors } from "../program/logErrors";
import { allConnections } from "../program/stackConnections";

/** The open incidents that fail the run. Default: any. Plain values, because the gate also runs in a preview. */
export type OpenIncidentGateArgs = GetOpenIncidentsArgs;

/** An {@link OpenIncidentGate} found open incidents. */
export class OpenIncidentError extends MonitoringError {
  /** The open incidents, in the service's order. */
  readonly incidents: readonly OpenIncident[];

  constructor(gate: string, incidents: readonly OpenIncident[]) {
    super(openIncidentsMessage(gate, incidents));
    this.incidents = incidents;
  }
}

/**
 * Fails preview and update while a matching incident is open (operation `listStatusPages`). In TypeScript and JavaScript,
 * resources of this package that are declared after the gate wait for its result; all other resources wait with
 * `dependsOn`.
 *
 * The gate also blocks an `IncidentUpdate` that would resolve the incident. Declare that update before the gate, in Python, Go and
 * YAML without `dependsOn` on the gate, or in another program.
 *
 * @throws OpenIncidentError when a matching incident is open.
 * @throws NoMatchError when no status page matches `statusPage`, or a service of `services` is on none of the status pages: the
 * gate would never fail. Services aren't checked when the API returns a status page without services.
 * @throws AmbiguousMatchError when several status pages match `statusPage`.
 * @throws ResponseShapeError when the API returns a status page without `incidents`: it is unknown which incidents are open.
 */
export class OpenIncidentGate extends pulumi.ComponentResource {
  constructor(name: string, args: OpenIncidentGateArgs = {}, options?: pulumi.ComponentResourceOptions) {
    assertNoProvider("OpenIncidentGate", name, options);
    super("monitoring:index:OpenIncidentGate", name, args, options);
    registerGate(this);
  }

  /** Dependents of a component wait for this promise, and fail with it. */
  protected override async initialize(
    args: OpenIncidentGateArgs,
    _options?: pulumi.ComponentResourceOptions,
    name = "",
  ): Promise<void> {
    return withLogErrors(async () => {
      const { openIncidentGate } = await import("../../provider/lookups/openIncidentGate");
      const context = { connections: await allConnections() };
      await openIncidentGate(args, context, (incidents) => new OpenIncidentError(name, incidents));
    });
  }
}
