/** Declares the components: a gate on open incidents, an audit of alert channels, and a timeline of updates. */
import * as pulumi from "@pulumi/pulumi";
import { type AuditReport, type Counts, type Finding, type Rules, type RuleSet } from "../audit";
import { MonitoringError } from "../provider/client/errors";
import { type AccountArgs } from "../provider/connection";
import {
  editNeedsKeys,
  entryName,
  givenKeys,
  keysOf,
  notEntries,
  onChangeOfEntry,
  occurrenceOfLast,
  repetitionIn,
} from "../provider/lifecycles/timeline";
import { type PlaceInTimeline, unknownValue } from "../provider/engine";
import { openIncidentsMessage } from "../provider/lookups/lookupErrors";
import {
  allConnections,
  assertNoProvider,
  declarationError,
  pauseStacks,
  registerGate,
  withoutStacks,
} from "./program";
import { type GetOpenIncidentsArgs } from "../provider/lookups";
import { type OpenIncident } from "./dataSources";
import { IncidentUpdate, type IncidentUpdateArgs, placeInTimeline } from "./IncidentUpdate";

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
 * Fails preview and update while a matching incident is open, on a status page with cards (operation `listStatusPages`) or with
 * components (operation `listComponentPages` and operation `listComponentPageIncidents`; with `services`, also operation
 * `listComponents`). It also fails if any of these can't be read to its end; a service may lack one of the two lists of pages. In
 * TypeScript and JavaScript, resources of this package that are declared after the gate wait for its result; all other resources
 * wait with `dependsOn`.
 *
 * The gate also blocks an `IncidentUpdate` that would resolve the incident. Declare that update before the gate, in Python, Go and
 * YAML without `dependsOn` on the gate, or in another program.
 *
 * @throws OpenIncidentError when a matching incident is open.
 * @throws NoMatchError when no status page matches `statusPage`, or a service of `services` is on none of the status pages: the
 * gate would never fail. Services aren't checked when the API returns a status page without services.
 * @throws AmbiguousMatchError when several status pages match `statusPage`.
 * @throws ResponseShapeError when the API returns a status page without `incidents`: it is unknown which incidents are open.
 * @throws NotFoundError when a status page was deleted before its incidents were read, or the service has neither list of pages.
 * @throws PagingError when a list can't be read to its end.
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
    return withoutStacks(async () => {
      const { lookups, runLookup } = await import("../provider/lookups");
      const context = {
        connections: await allConnections(),
        caller: `OpenIncidentGate ${JSON.stringify(name)}`,
      };
      const { incidents } = await runLookup(lookups.getOpenIncidents, args, context);
      if (incidents.length > 0) throw new OpenIncidentError(name, incidents);
    });
  }
}

/** The alert channels to audit, and the rules. Plain values but the channels, because the audit also runs in a preview. */
export interface AlertChannelAuditArgs extends AccountArgs {
  /**
   * Channels to audit: their ids, or their names in `monitoring:alertChannels` or under `channels` in the rules. With an
   * explicit provider (in Python, Go and YAML), its `alertChannels` count instead of `monitoring:alertChannels`. Any other name
   * must be what the settings of exactly one channel call it, where the service lists its channels.
   * The audit waits for ids that are outputs of other resources, also of other packages. While a preview doesn't know them, the
   * audit runs in the update only. Default: all named channels, or all of the account.
   */
  channels?: pulumi.Input<pulumi.Input<string | number>[] | undefined>;
  /**
   * Whether to audit all channels of the account, which not every service lists; names are then only labels. Excludes `channels`.
   * Default: that of the rules.
   */
  allChannels?: boolean;
  /**
   * Path of a rule file, relative to the program's folder, or its content as an object.
   * Default: `{ extends: "recommended" }`.
   */
  rules?: string | Rules | RuleSet;
  /** Whether errors, and channels that can't be evaluated, fail the run (`mandatory`) or are only reported (`advisory`). Default: `mandatory`. */
  enforcement?: "mandatory" | "advisory";
  /**
   * File for the report, relative to the program's folder; also written in previews. The extension sets the format, such as
   * `.html`, `.sarif`, or `.xml` for JUnit. SARIF locates findings of rules that are an object
   * in `Pulumi.yaml`. Default: none.
   */
  report?: string;
}

/**
 * Audits alert channels (operation `getAlertChannel`, or operation `listAlertChannels` for all) in preview and update, with the rules of `monitoring audit`.
 * A mandatory audit that finds an error fails the run and lists the findings. The log of the run shows warnings, and the findings
 * of an advisory audit. In TypeScript and JavaScript, resources of this package that are declared after a mandatory audit
 * wait for its result; all other resources wait with `dependsOn`. Findings and reports never contain credentials.
 *
 * @throws AlertChannelAuditError when a mandatory audit fails. Invalid arguments or rules also fail an advisory audit,
 * with an error that lists all problems.
 *
 * @example
 * const audit = new AlertChannelAudit("channels", { rules: "audit.yaml", report: "audit.html" });
 * export const warnings = audit.counts.warnings;
 */
export class AlertChannelAudit extends pulumi.ComponentResource<AuditReport> {
  /** The findings, errors first. */
  readonly findings: pulumi.Output<readonly Finding[]>;
  /** The number of channels, rules, errors, warnings and so on. */
  readonly counts: pulumi.Output<Counts>;
  /** Path of the report, known after it is written; undefined when no report was requested. */
  readonly report: pulumi.Output<string | undefined>;

  constructor(name: string, given: AlertChannelAuditArgs = {}, options?: pulumi.ComponentResourceOptions) {
    // A program in JavaScript may pass null.
    const args = { ...given };
    // A function hides the rules from Pulumi, which would send them to the engine; custom rules are code.
    assertNoProvider("AlertChannelAudit", name, options);
    super("monitoring:index:AlertChannelAudit", name, { args: () => args }, options);
    if (args.enforcement !== "advisory") registerGate(this);
    const done = pulumi.output(args.channels).apply(() => this.getData());
    this.findings = done.apply(({ findings }) => findings);
    this.counts = done.apply(({ counts }) => counts);
    this.report = done.apply(() => args.report);
  }

  /** Dependents of a component wait for this promise, and fail with it. */
  protected override async initialize(
    { args }: { args: () => AlertChannelAuditArgs },
    _options?: pulumi.ComponentResourceOptions,
    name = "",
  ): Promise<AuditReport> {
    return withoutStacks(async () => {
      const { alertChannelAudit, auditOfNone } = await import("../audit/sources");
      const { channels: given } = args();
      const serialized = await pulumi.runtime.serializeProperties(name, { given });
      if (JSON.stringify(serialized).includes(unknownValue)) {
        await pulumi.log.info(
          "The IDs of the channels aren't known yet. `pulumi up` audits the channels.",
          this,
        );
        return auditOfNone();
      }
      const channels = await new Promise<(string | number)[] | undefined>((resolve) =>
        pulumi.output(given).apply(resolve),
      );
      const warn = (text: string): Promise<void> => pulumi.log.warn(text, this);
      const run = { connections: await allConnections(), warn };
      return alertChannelAudit(name, { ...args(), channels }, run);
    });
  }
}

/** One entry of a timeline. Once it is public, a change is rejected or, with `onChange: "edit"`, edits it. */
export interface IncidentTimelineEntry extends Pick<IncidentUpdateArgs, "notifySubscribers"> {
  /**
   * Identifies the entry, such as "cause" or "02-fixed", and names its resource `<timeline>-<key>`. `onChange: "edit"` needs it: what is
   * new has a key of its own, and changed content under a key edits its update. All entries have one, or none. A plain value.
   *
   * @plain
   */
  key?: string;
  /** Status that the update announces. */
  status: IncidentUpdateArgs["status"];
  /** Public text. Surrounding white space is trimmed. */
  description: IncidentUpdateArgs["description"];
  /** Public date, as an ISO 8601 date-time. Default: the time of the post. Declare a fixed date, not `new Date()`. */
  publicIncidentUpdateDate?: IncidentUpdateArgs["publicIncidentUpdateDate"];
}

/** The arguments of {@link IncidentTimeline}. */
export interface IncidentTimelineArgs extends Pick<IncidentUpdateArgs, "account"> {
  /** Id of the status-page incident. Once an entry is public, a change is rejected. */
  incidentId: IncidentUpdateArgs["incidentId"];
  /**
   * Id of the status page that has the incident, if it is a page with components. Omit it for a page with cards. When a page was
   * migrated, add it, with the incident's new id, if it has one: that changes the state and posts nothing.
   */
  statusPageId?: IncidentUpdateArgs["statusPageId"];
  /**
   * What happens to changed content of a public entry: `edit` edits the update where it stands, which emails nobody and needs
   * `statusPageId` and keys, and `refuse` rejects the change. Default: `edit` with `statusPageId` and keys, otherwise `refuse`.
   */
  onChange?: pulumi.Input<"refuse" | "edit">;
  /** The updates, in posting order. Append new ones at the end. */
  updates: IncidentTimelineEntry[];
}

/** Detects an output in place of an entry. The compiler accepts one, because an output has the fields of an entry as outputs. */
function isLater(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/**
 * Publishes the updates of a status-page incident in order (operation `createIncidentUpdate` and operation
 * `getStatusPageIncident`, or on a page with components operation `createComponentPageIncidentUpdate` and operation
 * `getComponentPageIncident`). Each is posted once, after the previous one. Append new entries at the end: a move or removal of a public
 * entry is rejected, because the API can't delete an update, and so is a change of one, unless `onChange` is `edit` (operation
 * `editComponentPageIncidentUpdate`). The last entries can be removed, and with keys any; their updates stay public. Identical entries
 * are allowed, unless they declare the same date.
 *
 * When an entry fails, as an `IncidentUpdate` does, later entries are not posted. In TypeScript and JavaScript, the output
 * `updates` has the resources.
 */
export class IncidentTimeline extends pulumi.ComponentResource {
  /** @internal */
  static readonly entryClass: typeof IncidentUpdate = IncidentUpdate;

  /** The updates, as resources, in order. Only in TypeScript and JavaScript. */
  readonly updates: readonly IncidentUpdate[];
  /** Identifiers of the updates, in order. */
  declare readonly incidentUpdateIds: pulumi.Output<string[]>;

  constructor(name: string, args: IncidentTimelineArgs, options?: pulumi.ComponentResourceOptions) {
    const resumeStacks = pauseStacks();
    try {
      super("monitoring:index:IncidentTimeline", name, {}, options);
    } finally {
      resumeStacks();
    }
    const { updates, onChange: given, ...common } = { ...args };
    if (!areEntries(updates) || updates.some(isLater))
      throw declarationError(
        "IncidentTimeline",
        name,
        `${notEntries} The fields of an entry may be outputs, but the entry and the list may not.`,
      );
    const names = givenKeys(updates, (problem) =>
      declarationError("IncidentTimeline", name, `updates ${problem}.`),
    );
    if (given === "edit" && updates.length > 0 && names[0] === undefined)
      throw declarationError("IncidentTimeline", name, `onChange ${editNeedsKeys}.`);
    const checkedKeys = (entries: readonly object[]): string[] => {
      const problem = repetitionIn(entries);
      if (problem !== undefined) throw declarationError("IncidentTimeline", name, `updates ${problem}.`);
      return keysOf(entries);
    };
    // Plain values are checked at once, outputs as soon as they are known, before anything is posted.
    checkedKeys(updates);
    const known = pulumi.output(updates).apply((all) => ({ all, keys: checkedKeys(all) }));
    const resources: IncidentUpdate[] = [];
    for (const [index, { key: _, ...entry }] of (updates as readonly { key?: unknown }[]).entries()) {
      const key = names[index];
      // The count is not a secret.
      const occurrence = pulumi.unsecret(pulumi.output(updates.slice(0, index + 1)).apply(occurrenceOfLast));
      const place = known.apply(({ all, keys }): PlaceInTimeline => ({
        keys,
        index,
        later: all.slice(index + 1),
      }));
      const onChange = given ?? onChangeOfEntry(common.statusPageId, key);
      const inputs = { ...common, ...entry, occurrence, onChange, [placeInTimeline]: { place, key } };
      // Until a timeline has keys, its entries are named by their places.
      const aliases = key === undefined ? [] : [{ name: entryName(name, index) }];
      const options = { parent: this, dependsOn: resources.slice(-1), aliases };
      const update = new new.target.entryClass(entryName(name, index, key), inputs, options);
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
