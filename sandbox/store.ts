/**
 * Stores the data of the sandbox: the documented fields of the API's objects, the fields that the service doesn't return, and those
 * that the sandbox needs. Writes are saved before the response is sent.
 */
import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import * as api from "../provider/api";
import { whileHeld } from "../provider/files";
import { errorReason } from "../provider/texts";

const dateTime = z.iso.datetime({
  error: "must be an ISO date-time in UTC, such as 2026-01-31T09:30:00.000Z",
});

const incidentUpdate = api.statusPageIncidentUpdate.strict().extend({
  status: z.enum(api.updateStatuses),
  publicIncidentUpdateDate: dateTime,
  created_at: dateTime,
  notifySubscribers: z.boolean(),
});

/** The fields of an incident on a page of either kind. */
const history = {
  name: z.string().max(255),
  incidentUpdates: z.array(incidentUpdate),
  created_at: dateTime,
};

const services = z.array(api.statusPageService.strict());
const themeColors = api.statusPageThemeColors.strict().nullable();

/** A status page without its incidents: each incident lists its pages. */
const storedStatusPage = api.statusPage
  .strict()
  .omit({ incidents: true })
  .extend({
    cards: z.array(api.statusPageCard.strict().extend({ services })),
    themeColors,
  });

/** An incident without what is computed from its updates. */
const storedStatusPageIncident = api.statusPageIncident
  .strict()
  .omit({ lastUpdateStatus: true })
  .extend({
    ...history,
    severity: z.enum(api.severities),
    services,
    statusPageIds: z.array(z.string()),
  });

const componentImpact = api.componentImpact.strict().extend({
  status: z.enum(api.componentStatuses),
  startedAt: dateTime,
  endedAt: dateTime.nullable(),
});

/** An incident of a page with components, without what is computed from its updates. */
const storedComponentPageIncident = api.componentPageIncident
  .strict()
  .omit({ lastUpdateStatus: true, duration: true })
  .extend({ ...history, statusPageId: z.string(), componentImpacts: z.array(componentImpact) });

const component = api.component
  .strict()
  .extend({ type: z.enum(["SERVICE", "GROUP"]), displayOrder: z.int(), statusPageId: z.string() });

/** A page with components, its components and its incidents, which the API returns separately. */
const storedComponentPage = api.componentPage.strict().extend({
  themeColors,
  components: z.array(component),
  incidents: z.array(storedComponentPageIncident),
});

const alertChannel = api.alertChannel
  .strict()
  .extend({ subscriptions: z.array(api.alertChannelSubscription.strict()) });

const dashboardUpdate = api.dashboardIncidentUpdate
  .strict()
  .extend({ status: z.enum(api.dashboardUpdateStatuses) });

const incident = api.incident
  .strict()
  .extend({ impact: z.enum(api.impacts), incidentUpdates: z.array(dashboardUpdate).min(1) });

const account = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  /** The pages with cards. */
  statusPages: z.array(storedStatusPage),
  /** Number of subscribers by status page id. */
  subscribers: z.record(z.string(), z.int().min(0)),
  /** The incidents of the pages with cards. */
  statusPageIncidents: z.array(storedStatusPageIncident),
  alertChannels: z.array(alertChannel),
  incidents: z.array(incident),
  /** The pages with components. A data file of an earlier version has none. */
  componentPages: z.array(storedComponentPage).default([]),
});

export const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, { error: "must be printable ASCII without white space" });

/** An API key and the accounts that it gives access to. The first one is the default. */
const access = z.strictObject({ apiKey, accountIds: z.tuple([z.string()], z.string()) });

export const sandboxData = z
  .strictObject({
    access: z.tuple([access], access),
    accounts: z.tuple([account], account),
    /** Number of subscribers that were emailed, by update id. */
    mailed: z.record(z.string(), z.int().min(0)),
  })
  .superRefine((data, context) =>
    checkReferences(data, (path, message) => context.addIssue({ code: "custom", path, message })),
  );

/** All data of the sandbox, as in its data file. */
export type SandboxData = z.infer<typeof sandboxData>;
export type SandboxAccount = z.infer<typeof account>;
export type StoredStatusPage = z.infer<typeof storedStatusPage>;
export type StoredStatusPageIncident = z.infer<typeof storedStatusPageIncident>;
export type StoredComponentPage = z.infer<typeof storedComponentPage>;
type StoredComponent = z.infer<typeof component>;
export type StoredComponentPageIncident = z.infer<typeof storedComponentPageIncident>;
/** An incident on a page of either kind. */
export type StoredIncident = StoredStatusPageIncident | StoredComponentPageIncident;
export type StoredIncidentUpdate = z.infer<typeof incidentUpdate>;

export class Store {
  #data: SandboxData;
  readonly #save: (data: SandboxData) => void;
  readonly #deletedUpdateIds = new Set<string>();

  /** Opens a store that a JSON file keeps between runs; creates the file from the seed if it doesn't exist. */
  static open(file: string, seed: () => SandboxData): Store {
    return new Store(readDataFile(file, seed), (data) => writeDataFile(file, data));
  }

  /** @param save Makes data durable. When it throws, nothing changes. */
  constructor(data: SandboxData, save: (data: SandboxData) => void = () => {}) {
    this.#data = data;
    this.#save = save;
  }

  /** Returns the data, which is immutable: every write replaces it. */
  get data(): Readonly<SandboxData> {
    return this.#data;
  }

  /** Returns ids of updates that were deleted since the store was opened. */
  get deletedUpdateIds(): ReadonlySet<string> {
    return this.#deletedUpdateIds;
  }

  account(id: string): SandboxAccount {
    return found(this.#data.accounts, "account", id);
  }

  /**
   * Returns an incident of a page with components, or without `statusPageId`, of pages with cards.
   *
   * @throws SandboxError when there is no such incident
   */
  incident(id: string): StoredStatusPageIncident;
  incident(id: string, statusPageId: string | undefined): StoredIncident;
  incident(id: string, statusPageId?: string): StoredIncident {
    return incidentOf(this.#data, id, statusPageId);
  }

  addUpdate(to: StoredIncident, update: StoredIncidentUpdate, mailed: number): void {
    const draft = structuredClone(this.#data);
    const incident = incidentOf(draft, to.id, "statusPageId" in to ? to.statusPageId : undefined);
    incident.updated_at = update.created_at;
    incident.incidentUpdates.unshift(update);
    // An update that was deleted may have had this id: its emails were sent.
    if (mailed > 0) draft.mailed[update.id] = (draft.mailed[update.id] ?? 0) + mailed;
    this.#commit(draft);
  }

  /**
   * Makes any change to a copy of the data. It takes effect if the data is still valid.
   *
   * @example sandbox.byHand.change(({ accounts: [first] }) => first.alertChannels.pop());
   * @throws SandboxError that lists what is invalid
   */
  change(edit: (data: SandboxData) => void): void {
    const draft = structuredClone(this.#data);
    edit(draft);
    const before = updateIdsOf(this.#data);
    this.#commit(parseInput(sandboxData, draft, "This change makes the data invalid"));
    const left = new Set(updateIdsOf(this.#data));
    for (const id of before) if (!left.has(id)) this.#deletedUpdateIds.add(id);
  }

  /** Edits a status-page incident. @param statusPageId Its page, if that is one with components. */
  editIncident(incidentId: string, changes: Partial<StoredIncident>, statusPageId?: string): void {
    this.change((data) => Object.assign(incidentOf(data, incidentId, statusPageId), changes));
  }

  /** Deletes a status-page incident. @param statusPageId Its page, if that is one with components. */
  deleteIncident(incidentId: string, statusPageId?: string): void {
    this.change((data) => {
      const deleted = incidentOf(data, incidentId, statusPageId);
      for (const account of data.accounts) {
        account.statusPageIncidents = account.statusPageIncidents.filter((incident) => incident !== deleted);
        for (const page of account.componentPages)
          page.incidents = page.incidents.filter((incident) => incident !== deleted);
      }
    });
  }

  /** Edits an update of a status-page incident. @param statusPageId Its page, if that is one with components. */
  editUpdate(
    incidentId: string,
    updateId: string,
    changes: Partial<StoredIncidentUpdate>,
    statusPageId?: string,
  ): void {
    this.change((data) => {
      const { incidentUpdates } = incidentOf(data, incidentId, statusPageId);
      Object.assign(found(incidentUpdates, "incident update", updateId), changes);
    });
  }

  /**
   * Deletes an update of a status-page incident. Its emails still count: they were sent.
   *
   * @param statusPageId Its page, if that is one with components.
   */
  deleteUpdate(incidentId: string, updateId: string, statusPageId?: string): void {
    this.change((data) => {
      const { incidentUpdates } = incidentOf(data, incidentId, statusPageId);
      incidentUpdates.splice(incidentUpdates.indexOf(found(incidentUpdates, "incident update", updateId)), 1);
    });
  }

  /**
   * Migrates a page with cards to one with components, under the same id and URL: cards become groups, services components, and what
   * is affected by an incident its impacts. Operations of pages with cards then return neither the page nor incidents of it alone.
   *
   * @returns the new ids by the old ones
   * @throws SandboxError when there is no such page with cards
   */
  migratePage(statusPageId: string, options: MigrationOptions = {}): MigratedIds {
    const ids: MigratedIds = { incidents: {}, updates: {} };
    this.change((data) => migrate(data, statusPageId, options, ids));
    return ids;
  }

  #commit(data: SandboxData): void {
    this.#save(data);
    this.#data = data;
  }
}

/** Changes that people make on the service itself, without the API: edit, delete, set up. */
export type ByHand = Pick<
  Store,
  "change" | "editIncident" | "deleteIncident" | "editUpdate" | "deleteUpdate" | "migratePage"
>;

/** @throws SandboxError when there is none */
function found<Row extends { id: string }>(rows: readonly Row[], kind: string, id: string): Row {
  const row = rows.find((each) => each.id === id);
  if (row === undefined) throw new SandboxError(`There is no ${kind} ${JSON.stringify(id)}.`);
  return row;
}

/** Returns the incidents of all pages of an account, of either kind. */
export function incidentsOf({ statusPageIncidents, componentPages }: SandboxAccount): StoredIncident[] {
  return [...statusPageIncidents, ...componentPages.flatMap(({ incidents }) => incidents)];
}

function incidentOf(
  { accounts }: Readonly<SandboxData>,
  id: string,
  statusPageId: string | undefined,
): StoredIncident {
  if (statusPageId === undefined) {
    const incidents = accounts.flatMap(({ statusPageIncidents }) => statusPageIncidents);
    return found(incidents, "incident of pages with cards", id);
  }
  const pages = accounts.flatMap(({ componentPages }) => componentPages);
  const { incidents } = found(pages, "status page with components", statusPageId);
  return found(incidents, `incident of the page ${statusPageId}`, id);
}

const idsOfUpdates = ({ incidentUpdates }: StoredIncident) => incidentUpdates.map(({ id }) => id);

const updateIdsOf = ({ accounts }: SandboxData) => accounts.flatMap(incidentsOf).flatMap(idsOfUpdates);

type Status = StoredIncidentUpdate["status"];

/** An incident of pages with cards as the API returns it. */
export type SandboxStatusPageIncident = Omit<StoredStatusPageIncident, "statusPageIds"> & {
  lastUpdateStatus: Status;
};

/** An incident of a page with components as the API returns it. */
export type SandboxComponentPageIncident = StoredComponentPageIncident & {
  lastUpdateStatus: Status;
  duration: number | null;
};

/** Returns an incident as the API does. If there are no updates, its status is the first one. */
export function toStatusPageIncident(
  { statusPageIds: _, ...incident }: StoredStatusPageIncident,
  incidentUpdates = incident.incidentUpdates,
): SandboxStatusPageIncident {
  return { ...incident, incidentUpdates, lastUpdateStatus: incidentUpdates[0]?.status ?? "INVESTIGATING" };
}

/** The same for an incident of a page with components. Its duration follows from all of its updates. */
export function toComponentPageIncident(
  incident: StoredComponentPageIncident,
  incidentUpdates = incident.incidentUpdates,
): SandboxComponentPageIncident {
  const lastUpdateStatus = incidentUpdates[0]?.status ?? "INVESTIGATING";
  return { ...incident, incidentUpdates, lastUpdateStatus, duration: durationOf(incident) };
}

/** Returns the seconds from the first update to the one that resolved the incident; null while it is open. */
function durationOf({ incidentUpdates }: StoredIncident): number | null {
  const first = incidentUpdates.at(-1);
  // A reopened incident lasts until it is resolved again.
  const latestOpen = incidentUpdates.findIndex(({ status }) => status !== "RESOLVED");
  const resolving = latestOpen === -1 ? first : incidentUpdates[latestOpen - 1];
  if (first === undefined || resolving === undefined) return null;
  const [start, end] = [first, resolving].map((each) => Date.parse(each.publicIncidentUpdateDate));
  return Math.max(0, Math.round(((end ?? 0) - (start ?? 0)) / 1000));
}

export function isOpen({ incidentUpdates: [latest] }: Pick<StoredIncident, "incidentUpdates">): boolean {
  return latest?.status !== "RESOLVED";
}

/** Compares incidents for a list that begins with the one that was updated last. */
export function byLastChange(one: StoredIncident, other: StoredIncident): number {
  return lastChange(other).localeCompare(lastChange(one));
}

export function lastChange({
  updated_at,
  created_at,
}: Pick<StoredIncident, "updated_at" | "created_at">): string {
  return updated_at ?? created_at;
}

/** Returns the ids of the pages that show an incident. */
export function pageIdsOf(incident: StoredIncident): string[] {
  return "statusPageId" in incident ? [incident.statusPageId] : incident.statusPageIds;
}

/** Returns the number of subscribers that are emailed about an incident: those of the pages that show it. */
export function subscribersOf(
  incident: StoredIncident,
  { subscribers }: Pick<SandboxAccount, "subscribers">,
): number {
  return pageIdsOf(incident).reduce((sum, id) => sum + (subscribers[id] ?? 0), 0);
}

/** What becomes of ids when a page is migrated, which the service doesn't document. */
export interface MigrationOptions {
  /** Whether incidents keep their ids. Default: `kept`. */
  incidentIds?: "kept" | "new";
  /** Whether incident updates keep their ids. Default: `kept`. */
  updateIds?: "kept" | "new";
}

/** Ids after a migration by those before it. */
export interface MigratedIds {
  incidents: Record<string, string>;
  updates: Record<string, string>;
}

/** Values of what a page with cards lacks. */
export const componentPageDefaults = {
  ...{ description: null, logoDark: null, privacyPolicyLink: null, termsOfServiceLink: null },
  ...{ footerText: null, googleAnalyticsTag: null, allowIndexing: true },
};

const stateBySeverity = {
  CRITICAL: "MAJOR_OUTAGE",
  MAJOR: "MAJOR_OUTAGE",
  MEDIUM: "PARTIAL_OUTAGE",
  MINOR: "DEGRADED_PERFORMANCE",
} as const;

/** Migrates a page with cards in the data, and adds its ids. */
function migrate(data: SandboxData, pageId: string, options: MigrationOptions, ids: MigratedIds): void {
  const pages = data.accounts.flatMap(({ statusPages }) => statusPages);
  const page = found(pages, "status page with cards", pageId);
  const account = found(data.accounts, "account", String(page.accountId));
  const shown = account.statusPageIncidents.filter((incident) => incident.statusPageIds.includes(pageId));
  const idOf = (kind: keyof MigratedIds, id: string, choice: "kept" | "new" = "kept") =>
    (ids[kind][id] = choice === "new" ? randomUUID() : id);

  const components = migratedComponents(page);
  const incidents = shown.map(({ severity, services, statusPageIds: _, duration: __, ...incident }) => ({
    ...incident,
    id: idOf("incidents", incident.id, options.incidentIds),
    statusPageId: pageId,
    componentImpacts: components
      .filter(({ name, type }) => type === "SERVICE" && services.some((service) => service.name === name))
      .map(({ id }) => ({
        ...{ componentId: id, status: stateBySeverity[severity], startedAt: incident.created_at },
        endedAt: isOpen(incident) ? null : lastChange(incident),
      })),
    incidentUpdates: incident.incidentUpdates.map((update) => ({
      ...update,
      id: idOf("updates", update.id, options.updateIds),
    })),
  }));
  const { cards, isPrivate, projectBindings, ...kept } = page;
  account.componentPages.push({ ...componentPageDefaults, ...kept, components, incidents });
  account.statusPages = account.statusPages.filter((each) => each !== page);
  leavePage(account, page, shown);
  const left = new Set(account.statusPageIncidents.flatMap(idsOfUpdates));
  data.mailed = Object.fromEntries(
    Object.entries(data.mailed).map(([id, count]) => [left.has(id) ? id : (ids.updates[id] ?? id), count]),
  );
}

/** Removes a migrated page from its incidents. Other pages with cards still show some of them. */
function leavePage(account: SandboxAccount, page: StoredStatusPage, shown: StoredStatusPageIncident[]): void {
  const gone = page.cards.flatMap(({ services }) => services.map(({ id }) => id));
  for (const incident of shown) {
    incident.statusPageIds = incident.statusPageIds.filter((id) => id !== page.id);
    incident.services = incident.services.filter(({ id }) => !gone.includes(id));
  }
  account.statusPageIncidents = account.statusPageIncidents.filter(
    (incident) => incident.statusPageIds.length > 0 || !shown.includes(incident),
  );
}

/** Returns a group for each card, followed by a component for each of its services. */
function migratedComponents({ id: statusPageId, cards }: StoredStatusPage): StoredComponent[] {
  const made = (row: StoredStatusPage["cards"][number]["services"][number], parentId: string | null) => ({
    ...{ id: randomUUID(), name: row.name, description: null, hidden: false, displayOrder: 0, parentId },
    ...{ statusPageId, created_at: row.created_at, updated_at: row.updated_at },
  });
  return cards
    .flatMap((card) => {
      const group = { ...made(card, null), type: "GROUP" as const };
      return [
        group,
        ...card.services.map((service) => ({ ...made(service, group.id), type: "SERVICE" as const })),
      ];
    })
    .map((component, displayOrder) => ({ ...component, displayOrder }));
}

type Path = (string | number)[];

/** Checks that ids exist where they are referred to, and are unique. */
function checkReferences(
  { access, accounts }: SandboxData,
  addIssue: (path: Path, message: string) => void,
): void {
  const seen = new Set<string>();
  const keyOf = (scope: string, id: string | number) => JSON.stringify([scope, String(id)]);
  const checkUnique = (rows: { id: string | number }[], path: Path, scope: string) => {
    for (const [index, { id }] of rows.entries()) {
      if (seen.has(keyOf(scope, id))) addIssue([...path, index, "id"], `${id} is a duplicate`);
      seen.add(keyOf(scope, id));
    }
  };

  checkUnique(accounts, ["accounts"], "accounts");
  for (const [index, { accountIds }] of access.entries())
    for (const id of accountIds)
      if (!seen.has(keyOf("accounts", id)))
        addIssue(["access", index, "accountIds"], `there is no account ${id}`);

  for (const [index, account] of accounts.entries()) {
    const path = ["accounts", index];
    for (const name of ["statusPages", "statusPageIncidents", "alertChannels", "incidents"] as const)
      checkUnique(account[name], [...path, name], name);
    for (const [row, { accountId }] of account.statusPages.entries())
      if (accountId !== account.id)
        addIssue([...path, "statusPages", row, "accountId"], `must be ${account.id}`);
    checkComponentPages(account, [...path, "componentPages"], checkUnique, addIssue);
    const pageIds = account.statusPages.map(({ id }) => id);
    for (const [row, { id, statusPageIds, incidentUpdates }] of account.statusPageIncidents.entries()) {
      const ofRow = [...path, "statusPageIncidents", row];
      checkUnique(incidentUpdates, [...ofRow, "incidentUpdates"], `updates of ${id}`);
      for (const pageId of statusPageIds)
        if (!pageIds.includes(pageId))
          addIssue([...ofRow, "statusPageIds"], `there is no status page ${pageId}`);
    }
  }
}

/** Checks the same of the pages with components. A page may have the id of one with cards, as while it is migrated. */
function checkComponentPages(
  account: SandboxAccount,
  path: Path,
  checkUnique: (rows: { id: string }[], path: Path, scope: string) => void,
  addIssue: (path: Path, message: string) => void,
): void {
  checkUnique(account.componentPages, path, "componentPages");
  for (const [row, { id, accountId, components, incidents }] of account.componentPages.entries()) {
    const ofPage = [...path, row];
    if (accountId !== account.id) addIssue([...ofPage, "accountId"], `must be ${account.id}`);
    for (const [name, rows] of Object.entries({ components, incidents })) {
      checkUnique(rows, [...ofPage, name], `${name} of ${id}`);
      for (const [index, { statusPageId }] of rows.entries())
        if (statusPageId !== id) addIssue([...ofPage, name, index, "statusPageId"], `must be ${id}`);
    }
    const groups = components.filter(({ type }) => type === "GROUP").map((group) => group.id);
    for (const [index, { parentId }] of components.entries())
      if (parentId && !groups.includes(parentId))
        addIssue([...ofPage, "components", index, "parentId"], `there is no group ${parentId}`);
    for (const [index, { id: incidentId, incidentUpdates, componentImpacts }] of incidents.entries()) {
      const ofIncident = [...ofPage, "incidents", index];
      checkUnique(incidentUpdates, [...ofIncident, "incidentUpdates"], `updates of ${id}/${incidentId}`);
      for (const { componentId } of componentImpacts)
        if (!components.some((component) => component.id === componentId))
          addIssue([...ofIncident, "componentImpacts"], `there is no component ${componentId}`);
    }
  }
}

function readDataFile(file: string, seed: () => SandboxData): SandboxData {
  if (!existsSync(file)) {
    const data = seed();
    writeDataFile(file, data);
    return data;
  }
  const content = attempt(`The data file ${file} can't be read; fix or delete it`, (): unknown => {
    accessSync(dirname(file), constants.W_OK);
    return JSON.parse(readFileSync(file, "utf8"));
  });
  return parseInput(sandboxData, content, `The data file ${file} isn't sandbox data; fix or delete it`);
}

/** Replaces the file's content atomically, so that killing the process loses nothing. */
function writeDataFile(file: string, data: SandboxData): void {
  const content = JSON.stringify(data, null, 1);
  const draft = `${file}.new`;
  attempt(`The data file ${file} can't be written`, () => {
    writeFileSync(draft, content);
    whileHeld(() => renameSync(draft, file));
  });
}

function attempt<Result>(message: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw new SandboxError(`${message}: ${errorReason(error)}`);
  }
}

/** Invalid input to the sandbox: an option, a data file, a port. The message says what to fix. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}

const maxIssues = 10;

/** Returns a line for each issue, such as `accounts[0].name: …`, each once, and at most ten lines. */
export function issueLines({ issues }: z.core.$ZodError): string[] {
  const lineOf = ({ path, message }: z.core.$ZodIssue) =>
    path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`;
  const lines = [...new Set(issues.map(lineOf))];
  const more = lines.splice(maxIssues).length;
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

/** @throws SandboxError that lists every issue below `heading` */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  heading: string,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: reasonOf });
  if (result.success) return result.data;
  throw new SandboxError([`${heading}:`, ...issueLines(result.error)].join("\n  "));
}

/** The reason for an issue whose schema gives none. */
const reasonOf: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return `must be of type ${issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    default:
      return undefined;
  }
};
