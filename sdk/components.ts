/** Declares the components: a gate on open incidents, an audit of alert channels, and a timeline of updates. */
import * as pulumi from "@pulumi/pulumi";
import { type AuditReport, type Counts, type Finding, type Rules, type RuleSet } from "../audit";
import { type Without } from "../provider/api";
import { MonitoringError } from "../provider/client/errors";
import { type AccountArgs } from "../provider/connection";
import { parseKeys, computeKeys, notEntries, findRepetition } from "../provider/lifecycles/timeline";
import { type PlaceInTimeline, formatEntryName, unknownValue } from "../provider/engine";
import { formatOpenIncidents } from "../provider/lookups/lookupErrors";
import {
  getConnections,
  assertNoProvider,
  createDeclarationError,
  pauseStackTraces,
  registerGate,
  runWithoutStacks,
} from "./program";
import { type GetOpenIncidentsArgs } from "../provider/lookups";
import { type OpenIncident } from "./dataSources";
import { IncidentUpdate, type IncidentUpdateArgs, placeInTimeline } from "./IncidentUpdate";

/**
 * The arguments select the open incidents that fail the run. Without arguments, any open incident does. All except `except` must be plain
 * values, because the gate also runs in a preview.
 */
export interface OpenIncidentGateArgs extends Without<GetOpenIncidentsArgs, "except"> {
  /**
   * IDs of incidents that don't fail the run, such as a maintenance that the same program opens. IDs can be outputs of other resources.
   * While they are unknown in a preview, the gate only runs in the update. Default: none.
   */
  except?: pulumi.Input<pulumi.Input<string>[] | undefined>;
}

/** Thrown if an {@link OpenIncidentGate} found open incidents. */
export class OpenIncidentError extends MonitoringError {
  /** The open incidents, in the service's order. */
  readonly incidents: readonly OpenIncident[];

  constructor(gate: string, incidents: readonly OpenIncident[]) {
    super(formatOpenIncidents(gate, incidents));
    this.incidents = incidents;
  }
}

/**
 * Fails the preview and the update while a matching incident is open. Also fails if the incidents can't be read completely.
 *
 * In TypeScript and JavaScript, resources of this package that are declared after the gate wait for it. Other resources need `dependsOn`.
 *
 * The gate also blocks an `IncidentUpdate` that would resolve the incident. Exclude the incident with `except`, or declare that update
 * before the gate or in another program. In Python, Go and YAML, that update must not depend on the gate.
 *
 * @remarks Calls operation `listStatusPages`, operation `listComponentPages` and operation `listComponentPageIncidents`; with `services`,
 * also operation `listComponents`.
 *
 * @throws OpenIncidentError when a matching incident is open.
 * @throws NoMatchError when no status page matches `statusPage`, or a service in `services` isn't on any of the status pages. Without
 * this error, the gate would never fail. Services aren't checked if the API returns a status page without services.
 * @throws AmbiguousMatchError when several status pages match `statusPage`.
 * @throws ResponseShapeError when the API returns a status page without `incidents`, so that its open incidents are unknown.
 * @throws NotFoundError when a status page was deleted before its incidents were read, or the service has neither list of pages.
 * @throws PagingError when a list can't be read completely.
 */
export class OpenIncidentGate extends pulumi.ComponentResource {
  constructor(name: string, args: OpenIncidentGateArgs = {}, options?: pulumi.ComponentResourceOptions) {
    assertNoProvider("OpenIncidentGate", name, options);
    super("monitoring:index:OpenIncidentGate", name, args, options);
    registerGate(this);
  }

  /** Resources that depend on the component wait for this promise and fail if it rejects. */
  protected override async initialize(
    args: OpenIncidentGateArgs,
    _options?: pulumi.ComponentResourceOptions,
    name = "",
  ): Promise<void> {
    return runWithoutStacks(async () => {
      const { lookups, runLookup } = await import("../provider/lookups");
      // A program in JavaScript may pass null.
      const { except: given, ...filter } = { ...args };
      const except = await resolveIds(name, given);
      if (except === unknownValue) {
        await pulumi.log.info(
          "The IDs in `except` aren't known yet. `pulumi up` checks the open incidents.",
          this,
        );
        return;
      }
      const context = {
        connections: await getConnections(),
        caller: `OpenIncidentGate ${JSON.stringify(name)}`,
      };
      const { incidents } = await runLookup(lookups.getOpenIncidents, { ...filter, except }, context);
      if (incidents.length > 0) throw new OpenIncidentError(name, incidents);
    });
  }
}

/**
 * The arguments select the alert channels and the rules. All except `channels` must be plain values, because the audit also runs in a
 * preview.
 */
export interface AlertChannelAuditArgs extends AccountArgs {
  /**
   * Channels to audit, by ID or name. IDs can be outputs of other resources. While they are unknown in a preview, the audit only runs in the
   * update. A name is:
   * - a name under `channels` in the rules
   * - a name in `monitoring:alertChannels` or, with an explicit provider, in its `alertChannels`
   * - otherwise, the name of exactly one channel in its own settings, if the service lists channels
   *
   * Default: all named channels or, with `allChannels`, all channels of the account.
   */
  channels?: pulumi.Input<pulumi.Input<string | number>[] | undefined>;
  /**
   * Whether to audit all channels of the account, if the service lists channels. Names are then only used as labels. Can't be combined with
   * `channels`. Default: the value of `allChannels` in the rules.
   */
  allChannels?: boolean;
  /**
   * Path of a rule file, relative to the program's folder, or the content of a rule file as an object.
   * Default: `{ extends: "recommended" }`.
   */
  rules?: string | Rules | RuleSet;
  /**
   * How to handle errors and channels that can't be evaluated. `mandatory`: fail the run. `advisory`: only report them. Default:
   * `mandatory`.
   */
  enforcement?: "mandatory" | "advisory";
  /**
   * File for the report, relative to the program's folder. It is also written in previews. The extension sets the format, such as
   * `.html`, `.sarif`, or `.xml` for JUnit. If the rules are an object, a SARIF report locates the findings in `Pulumi.yaml`.
   * Default: none.
   */
  report?: string;
}

/**
 * Audits alert channels in the preview and in the update, with the rules of `monitoring audit`. Findings and reports never contain
 * credentials.
 *
 * A mandatory audit that finds an error fails the run and lists the findings. Warnings and the findings of an advisory audit appear in the
 * log of the run.
 *
 * In TypeScript and JavaScript, resources of this package that are declared after a mandatory audit wait for its result. Other resources
 * need `dependsOn`.
 *
 * @remarks Calls operation `getAlertChannel`; to audit all channels or to find a name that isn't configured, also operation
 * `listAlertChannels`.
 *
 * @throws AlertChannelAuditError when a mandatory audit fails. Invalid arguments or rules also fail an advisory audit, and the error lists
 * all problems.
 *
 * @example
 * const audit = new AlertChannelAudit("channels", { rules: "audit.yaml", report: "audit.html" });
 * export const warnings = audit.counts.warnings;
 */
export class AlertChannelAudit extends pulumi.ComponentResource<AuditReport> {
  /** The findings, errors first. */
  readonly findings: pulumi.Output<readonly Finding[]>;
  /** Number of channels, rules, errors, warnings and so on. */
  readonly counts: pulumi.Output<Counts>;
  /** Path of the report, known after the report was written. Undefined if no report was requested. */
  readonly report: pulumi.Output<string | undefined>;

  constructor(name: string, given: AlertChannelAuditArgs = {}, options?: pulumi.ComponentResourceOptions) {
    // A program in JavaScript may pass null.
    const args = { ...given };
    // A function hides the rules from Pulumi. Otherwise, Pulumi would send them to the engine, although custom rules are code.
    assertNoProvider("AlertChannelAudit", name, options);
    super("monitoring:index:AlertChannelAudit", name, { args: () => args }, options);
    if (args.enforcement !== "advisory") registerGate(this);
    const done = pulumi.output(args.channels).apply(() => this.getData());
    this.findings = done.apply(({ findings }) => findings);
    this.counts = done.apply(({ counts }) => counts);
    this.report = done.apply(() => args.report);
  }

  /** Resources that depend on the component wait for this promise and fail if it rejects. */
  protected override async initialize(
    { args }: { args: () => AlertChannelAuditArgs },
    _options?: pulumi.ComponentResourceOptions,
    name = "",
  ): Promise<AuditReport> {
    return runWithoutStacks(async () => {
      const { runAlertChannelAudit, createEmptyReport } = await import("../audit/sources");
      const channels = await resolveIds(name, args().channels);
      if (channels === unknownValue) {
        await pulumi.log.info(
          "The IDs of the channels aren't known yet. `pulumi up` audits the channels.",
          this,
        );
        return createEmptyReport();
      }
      const warn = (text: string): Promise<void> => pulumi.log.warn(text, this);
      const run = { connections: await getConnections(), warn };
      return runAlertChannelAudit(name, { ...args(), channels }, run);
    });
  }
}

type Ids = readonly (string | number)[] | undefined;

/** Resolves to the IDs, or to `unknownValue` if a preview doesn't know all of them. */
async function resolveIds(
  name: string,
  given: AlertChannelAuditArgs["channels"],
): Promise<Ids | typeof unknownValue> {
  const serialized = await pulumi.runtime.serializeProperties(name, { given });
  if (JSON.stringify(serialized).includes(unknownValue)) return unknownValue;
  return new Promise<Ids>((resolve) => pulumi.output(given).apply(resolve));
}

/** One entry of a timeline. Its key identifies it, so its content can be corrected on pages with components. */
export interface IncidentTimelineEntry extends Pick<IncidentUpdateArgs, "notifySubscribers"> {
  /**
   * Stable identifier of the entry, such as `cause` or `02`. A new key posts an update. Changed content under an existing key edits its update
   * on a page with components, without an email, and is rejected on a page with cards. Also names the resource, `<timeline>-<key>`. A plain
   * value.
   *
   * @plain
   */
  key: string;
  /** Status that the update announces. */
  status: IncidentUpdateArgs["status"];
  /** Text of the update, which is public. Surrounding white space is trimmed. */
  description: IncidentUpdateArgs["description"];
  /**
   * Public date, as an ISO 8601 date-time. Set a fixed date, because `new Date()` changes in each run. Default: the time of the post.
   */
  publicIncidentUpdateDate?: IncidentUpdateArgs["publicIncidentUpdateDate"];
}

/** The arguments of {@link IncidentTimeline}. */
export interface IncidentTimelineArgs extends Pick<IncidentUpdateArgs, "account"> {
  /** ID of the status-page incident. Changes are rejected once an entry is public. */
  incidentId: IncidentUpdateArgs["incidentId"];
  /**
   * ID of the incident's status page. Required for pages with components, not allowed for pages with cards. Changes are rejected. After a
   * page is migrated, give the timeline a new name and this ID. Its entries adopt the public updates and post nothing.
   */
  statusPageId?: IncidentUpdateArgs["statusPageId"];
  /** The updates, in posting order. Append new updates at the end. */
  updates: IncidentTimelineEntry[];
}

/** Detects an output instead of an entry. The compiler accepts an output, because it has the fields of an entry as outputs. */
function isLater(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/**
 * Publishes the updates of a status-page incident in order. Each entry is posted once, after the previous one. Append new entries at the
 * end.
 *
 * On a page with components, a changed entry edits its public update, without an email. On a page with cards, the change is rejected. If
 * someone else changed the update, the run fails and quotes it. Declare that content first, run `pulumi up`, then declare yours.
 *
 * Reordering public entries changes nothing on the page. You can remove any entry; its update stays public. Identical entries are allowed,
 * unless they declare the same date.
 *
 * If an entry fails, later entries aren't posted. An entry fails under the same conditions as an `IncidentUpdate`. In TypeScript and
 * JavaScript, `updates` contains the entries' resources.
 *
 * @remarks Calls operation `createIncidentUpdate` and operation `getStatusPageIncident`; on pages with components, operation
 * `createComponentPageIncidentUpdate`, operation `getComponentPageIncident` and, for a changed entry, operation
 * `editComponentPageIncidentUpdate`.
 */
export class IncidentTimeline extends pulumi.ComponentResource {
  /** @internal */
  static readonly entryClass: typeof IncidentUpdate = IncidentUpdate;

  /** Resources of the updates, in order. Only in TypeScript and JavaScript. */
  readonly updates: readonly IncidentUpdate[];
  /** IDs of the updates, in order. */
  declare readonly incidentUpdateIds: pulumi.Output<string[]>;

  constructor(name: string, args: IncidentTimelineArgs, options?: pulumi.ComponentResourceOptions) {
    const resumeStacks = pauseStackTraces();
    try {
      super("monitoring:index:IncidentTimeline", name, {}, options);
    } finally {
      resumeStacks();
    }
    const { updates, ...common } = { ...args };
    if (!areEntries(updates) || updates.some(isLater))
      throw createDeclarationError(
        "IncidentTimeline",
        name,
        `${notEntries} The fields of an entry may be outputs, but the entry and the list may not.`,
      );
    const names = parseKeys(updates, (problem) =>
      createDeclarationError("IncidentTimeline", name, `updates ${problem}.`),
    );
    const computeCheckedKeys = (entries: readonly object[]): string[] => {
      const problem = findRepetition(entries);
      if (problem !== undefined)
        throw createDeclarationError("IncidentTimeline", name, `updates ${problem}.`);
      return computeKeys(entries);
    };
    // Plain values are checked immediately. Outputs are checked as soon as they are known, before anything is posted.
    computeCheckedKeys(updates);
    const known = pulumi.output(updates).apply((all) => ({ all, keys: computeCheckedKeys(all) }));
    const resources: IncidentUpdate[] = [];
    for (const [index, { key: _, ...entry }] of (updates as readonly { key?: unknown }[]).entries()) {
      const key = names[index] ?? "";
      const place = known.apply(({ all, keys }): PlaceInTimeline => ({
        keys,
        index,
        later: all.slice(index + 1),
      }));
      const inputs = { ...common, ...entry, [placeInTimeline]: { place, key } };
      const options = { parent: this, dependsOn: resources.slice(-1) };
      const update = new new.target.entryClass(formatEntryName(name, key), inputs, options);
      resources.push(update);
    }
    this.updates = resources;
    this.incidentUpdateIds = pulumi.all(resources.map(({ incidentUpdateId }) => incidentUpdateId));
    this.registerOutputs({ incidentUpdateIds: this.incidentUpdateIds });
  }
}

function areEntries(updates: unknown): updates is readonly object[] {
  return (
    Array.isArray(updates) &&
    // `Array.from` fills holes, which `every` would skip.
    Array.from<unknown>(updates).every(
      (entry) => typeof entry === "object" && entry !== null && !Array.isArray(entry),
    )
  );
}
