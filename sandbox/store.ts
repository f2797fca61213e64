/** Stores the data of the sandbox. Writes are saved before the response is sent. */
import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { type ComponentStatus } from "../provider/api";
import { retryWhileHeld } from "../provider/files";
import { getErrorReason } from "../provider/texts";
import {
  listIncidents,
  isOpen,
  getLastChange,
  getPageId,
  type SandboxAccount,
  sandboxData,
  type SandboxData,
  type StoredComponentPage,
  storedComponentPage,
  type StoredComponentPageIncident,
  type StoredIncident,
  type StoredIncidentUpdate,
  type StoredStatusPage,
} from "./data";

export class Store {
  #data: SandboxData;
  readonly #save: (data: SandboxData) => void;

  /** Opens a store with data in a JSON file. Creates the file from the seed if it doesn't exist. */
  static open(file: string, seed: () => SandboxData): Store {
    return new Store(readDataFile(file, seed), (data) => writeDataFile(file, data));
  }

  /** @param save Saves the data. If it throws, the data doesn't change. */
  constructor(data: SandboxData, save: (data: SandboxData) => void = () => {}) {
    this.#data = data;
    this.#save = save;
  }

  /** Returns the current data. It is immutable, because every write replaces it. */
  get data(): Readonly<SandboxData> {
    return this.#data;
  }

  getAccount(id: string): SandboxAccount {
    return findRow(this.#data.accounts, "account", id);
  }

  /**
   * Returns a status-page incident.
   *
   * @param statusPageId ID of the page with components; undefined for pages with cards.
   * @throws SandboxError if the incident doesn't exist
   */
  getIncident(id: string, statusPageId?: string): StoredIncident {
    return findIncident(this.#data, id, statusPageId);
  }

  addIncident(incident: StoredComponentPageIncident, emailCount: number): void {
    const draft = structuredClone(this.#data);
    const pages = draft.accounts.flatMap(({ componentPages }) => componentPages);
    findRow(pages, "status page with components", incident.statusPageId).incidents.push(incident);
    const [first] = incident.incidentUpdates;
    if (first && emailCount > 0) draft.mailed[first.id] = emailCount;
    this.#commit(draft);
  }

  addUpdate(to: StoredIncident, update: StoredIncidentUpdate, emailCount: number): void {
    const draft = structuredClone(this.#data);
    const incident = findIncident(draft, to.id, getPageId(to));
    incident.incidentUpdates.unshift(update);
    updateIncidentState(incident, update.created_at);
    // A deleted update may have had the same ID, and its emails were sent.
    if (emailCount > 0) draft.mailed[update.id] = (draft.mailed[update.id] ?? 0) + emailCount;
    this.#commit(draft);
  }

  /** Replaces the update with the same ID. Sends no email. @param at Time of the change. */
  replaceUpdate(of: StoredIncident, update: StoredIncidentUpdate, at: string): void {
    const draft = structuredClone(this.#data);
    const incident = findIncident(draft, of.id, getPageId(of));
    Object.assign(findRow(incident.incidentUpdates, "incident update", update.id), update);
    updateIncidentState(incident, at);
    this.#commit(draft);
  }

  /**
   * Applies a change to a copy of the data. The change takes effect if the data is still valid.
   *
   * @example sandbox.dashboard.change(({ accounts: [first] }) => first.alertChannels.pop());
   * @throws SandboxError that lists all invalid values
   */
  change(edit: (data: SandboxData) => void): void {
    const draft = structuredClone(this.#data);
    edit(draft);
    this.#commit(parseInput(sandboxData, draft, "This change makes the data invalid"));
  }

  /** Edits a status-page incident. @param statusPageId ID of the page with components; undefined for pages with cards. */
  editIncident(incidentId: string, changes: Partial<StoredIncident>, statusPageId?: string): void {
    this.change((data) => Object.assign(findIncident(data, incidentId, statusPageId), changes));
  }

  /** Edits an update on a status-page incident. @param statusPageId ID of the page with components; undefined for pages with cards. */
  editUpdate(
    incidentId: string,
    updateId: string,
    changes: Partial<StoredIncidentUpdate>,
    statusPageId?: string,
  ): void {
    this.change((data) => {
      const { incidentUpdates } = findIncident(data, incidentId, statusPageId);
      Object.assign(findRow(incidentUpdates, "incident update", updateId), changes);
    });
  }

  /**
   * Deletes an update on a status-page incident. `mailed` still includes its emails, because they were sent.
   *
   * @param statusPageId ID of the page with components; undefined for pages with cards.
   */
  deleteUpdate(incidentId: string, updateId: string, statusPageId?: string): void {
    this.change((data) => {
      const { incidentUpdates } = findIncident(data, incidentId, statusPageId);
      incidentUpdates.splice(
        incidentUpdates.indexOf(findRow(incidentUpdates, "incident update", updateId)),
        1,
      );
    });
  }

  /**
   * Migrates a page with cards to a page with components, with the same ID and URL. Cards become groups, services become components, and
   * the affected services of an incident become its impacts. Operations on pages with cards then no longer return the page and the
   * incidents that only this page shows.
   *
   * @returns the new IDs, by the old IDs
   * @throws SandboxError if the page with cards doesn't exist
   */
  migratePage(statusPageId: string, options: MigrationOptions = {}): MigratedIds {
    let ids: MigratedIds = { incidents: {}, updates: {} };
    this.change((data) => (ids = migrate(data, statusPageId, options)));
    return ids;
  }

  #commit(data: SandboxData): void {
    this.#save(data);
    this.#data = data;
  }
}

/** Changes that people make in the dashboard instead of through the API. */
export type Dashboard = Pick<
  Store,
  "change" | "editIncident" | "editUpdate" | "deleteUpdate" | "migratePage"
>;

/** Returns the row with this ID. @throws SandboxError if it doesn't exist */
function findRow<Row extends { id: string }>(rows: readonly Row[], kind: string, id: string): Row {
  const row = rows.find((each) => each.id === id);
  if (row === undefined) throw new SandboxError(`There is no ${kind} ${JSON.stringify(id)}.`);
  return row;
}

/**
 * Returns the incident on this page with components or, without a page, on pages with cards. The same ID may exist on both, because a
 * migrated page may keep its IDs.
 */
function findIncident(
  { accounts }: Readonly<SandboxData>,
  id: string,
  statusPageId?: string,
): StoredIncident {
  const incidents = accounts
    .flatMap(listIncidents)
    .filter((incident) => getPageId(incident) === statusPageId);
  return findRow(incidents, "status-page incident", id);
}

/** Changes the stored fields of an incident that depend on its updates, after an update was written. */
function updateIncidentState(incident: StoredIncident, at: string): void {
  incident.updated_at = at;
  if (isOpen(incident) || !("componentImpacts" in incident)) return;
  for (const impact of incident.componentImpacts) impact.endedAt ??= at;
}

/** How IDs change when a page is migrated. The service doesn't document this. */
export interface MigrationOptions {
  /** Whether incidents keep their ids. Default: `kept`. */
  incidentIds?: "kept" | "new";
  /** Whether incident updates keep their ids. Default: `kept`. */
  updateIds?: "kept" | "new";
}

/** New IDs after a migration, by the old IDs. */
export interface MigratedIds {
  incidents: Record<string, string>;
  updates: Record<string, string>;
}

/** Converts a page with cards to a page with components, without incidents. A card without a name doesn't become a group. */
export function toComponentPage(
  page: StoredStatusPage,
  getId: (name: string) => string,
): StoredComponentPage {
  const rows = page.cards.flatMap((card) => {
    const group = card.name === "" ? [] : [{ ...card, id: getId(card.name), parentId: null }];
    const parentId = group[0]?.id ?? null;
    return [...group, ...card.services.map((part) => ({ ...part, id: getId(part.name), parentId }))];
  });
  const components = rows.map((row, displayOrder) => ({
    id: row.id,
    statusPageId: page.id,
    parentId: row.parentId,
    displayOrder,
    name: row.name,
    type: "services" in row ? ("GROUP" as const) : ("SERVICE" as const),
    description: null,
    hidden: false,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }));
  // `strip` removes the fields that only a page with cards has.
  return storedComponentPage.strip().parse({
    description: null,
    logoDark: null,
    privacyPolicyLink: null,
    termsOfServiceLink: null,
    footerText: null,
    googleAnalyticsTag: null,
    allowIndexing: true,
    ...page,
    components,
    incidents: [],
  });
}

/** Adds an incident to a page. @param stateOf Returns the impact on components with this name; undefined if there is none. */
export function addIncident(
  { id: statusPageId, components, incidents }: StoredComponentPage,
  incident: Omit<StoredComponentPageIncident, "statusPageId" | "componentImpacts">,
  stateOf: (component: string) => ComponentStatus | undefined,
): void {
  const [startedAt, endedAt] = [incident.created_at, isOpen(incident) ? null : getLastChange(incident)];
  const componentImpacts = components.flatMap(({ id: componentId, type, name }) => {
    const status = type === "SERVICE" ? stateOf(name) : undefined;
    return status === undefined ? [] : [{ componentId, status, startedAt, endedAt }];
  });
  incidents.push({ ...incident, statusPageId, componentImpacts });
}

const stateBySeverity = {
  CRITICAL: "MAJOR_OUTAGE",
  MAJOR: "MAJOR_OUTAGE",
  MEDIUM: "PARTIAL_OUTAGE",
  MINOR: "DEGRADED_PERFORMANCE",
} as const;

function migrate(data: SandboxData, pageId: string, options: MigrationOptions): MigratedIds {
  const cardPages = data.accounts.flatMap(({ statusPages }) => statusPages);
  const page = findRow(cardPages, "status page with cards", pageId);
  const account = findRow(data.accounts, "account", String(page.accountId));
  const migrated = toComponentPage(page, () => randomUUID());
  account.statusPages = account.statusPages.filter((each) => each !== page);
  account.componentPages.push(migrated);

  const ids: MigratedIds = { incidents: {}, updates: {} };
  const assignId = (kind: keyof MigratedIds, id: string, choice: "kept" | "new" = "kept") =>
    (ids[kind][id] = choice === "new" ? randomUUID() : id);
  const gone = page.cards.flatMap((card) => card.services.map(({ id }) => id));
  account.statusPageIncidents = account.statusPageIncidents.filter((shown) => {
    if (!shown.statusPageIds.includes(pageId)) return true;
    const { severity, services, statusPageIds, duration, ...incident } = structuredClone(shown);
    incident.id = assignId("incidents", incident.id, options.incidentIds);
    for (const update of incident.incidentUpdates)
      update.id = assignId("updates", update.id, options.updateIds);
    const affected = services.filter(({ id }) => gone.includes(id)).map(({ name }) => name);
    addIncident(migrated, incident, (name) =>
      affected.includes(name) ? stateBySeverity[severity] : undefined,
    );
    // Other pages with cards may also show the incident.
    shown.statusPageIds = statusPageIds.filter((id) => id !== pageId);
    shown.services = services.filter(({ id }) => !gone.includes(id));
    return shown.statusPageIds.length > 0;
  });
  const mailed = Object.entries(data.mailed);
  data.mailed = Object.fromEntries(mailed.map(([id, subscribers]) => [ids.updates[id] ?? id, subscribers]));
  return ids;
}

function readDataFile(file: string, seed: () => SandboxData): SandboxData {
  if (!existsSync(file)) {
    const data = seed();
    writeDataFile(file, data);
    return data;
  }
  const content = wrapErrors(`The data file ${file} can't be read (fix or delete the file)`, (): unknown => {
    accessSync(dirname(file), constants.W_OK);
    return JSON.parse(readFileSync(file, "utf8"));
  });
  return parseInput(
    sandboxData,
    content,
    `The data file ${file} isn't sandbox data (fix or delete the file)`,
  );
}

/** Replaces the file's content atomically, so that no data is lost if the process is killed. */
function writeDataFile(file: string, data: SandboxData): void {
  const content = JSON.stringify(data, null, 1);
  const draft = `${file}.new`;
  wrapErrors(`The data file ${file} can't be written`, () => {
    writeFileSync(draft, content);
    retryWhileHeld(() => renameSync(draft, file));
  });
}

function wrapErrors<Result>(message: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw new SandboxError(`${message}: ${getErrorReason(error)}`);
  }
}

/** Invalid input to the sandbox, such as an option, a data file or a port. The message contains the fix. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}

const maxIssues = 10;

/** Returns a line for each distinct issue, such as `accounts[0].name: …`. At most ten issues are listed. */
export function formatIssues({ issues }: z.core.$ZodError): string[] {
  const formatIssue = ({ path, message }: z.core.$ZodIssue) =>
    path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`;
  const lines = [...new Set(issues.map(formatIssue))];
  const more = lines.splice(maxIssues).length;
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

/** Returns the parsed value. @throws SandboxError that lists all issues below `heading` */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  heading: string,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: getReason });
  if (result.success) return result.data;
  throw new SandboxError([`${heading}:`, ...formatIssues(result.error)].join("\n  "));
}

/** Returns the reason for an issue if its schema doesn't contain an error message. */
const getReason: z.core.$ZodErrorMap = (issue) => {
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
