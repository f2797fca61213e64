/**
 * Stores the data of the sandbox: the documented fields of the API's objects, the fields that the service doesn't return, and those
 * that the sandbox needs. Writes are saved before the response is sent.
 */
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

const services = z.array(api.statusPageService.strict());

/** A status page without its incidents: each incident lists its pages. */
const storedStatusPage = api.statusPage
  .strict()
  .omit({ incidents: true })
  .extend({
    cards: z.array(api.statusPageCard.strict().extend({ services })),
    themeColors: api.statusPageThemeColors.strict().nullable(),
  });

/** An incident without what is computed from its updates. */
const storedStatusPageIncident = api.statusPageIncident
  .strict()
  .omit({ lastUpdateStatus: true })
  .extend({
    name: z.string().max(255),
    severity: z.enum(api.severities),
    services,
    incidentUpdates: z.array(incidentUpdate),
    created_at: dateTime,
    statusPageIds: z.array(z.string()),
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
  statusPages: z.array(storedStatusPage),
  /** Number of subscribers by status page id. */
  subscribers: z.record(z.string(), z.int().min(0)),
  statusPageIncidents: z.array(storedStatusPageIncident),
  alertChannels: z.array(alertChannel),
  incidents: z.array(incident),
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

  /** @throws SandboxError when no account has this status-page incident */
  incident(id: string): StoredStatusPageIncident {
    return incidentOf(this.#data, id);
  }

  addUpdate({ id }: StoredStatusPageIncident, update: StoredIncidentUpdate, mailed: number): void {
    const draft = structuredClone(this.#data);
    const incident = incidentOf(draft, id);
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

  /** Edits a status-page incident. */
  editIncident(incidentId: string, changes: Partial<StoredStatusPageIncident>): void {
    this.change((data) => Object.assign(incidentOf(data, incidentId), changes));
  }

  /** Deletes a status-page incident. */
  deleteIncident(incidentId: string): void {
    this.change((data) => {
      const deleted = incidentOf(data, incidentId);
      for (const account of data.accounts)
        account.statusPageIncidents = account.statusPageIncidents.filter((incident) => incident !== deleted);
    });
  }

  /** Edits an update of a status-page incident. */
  editUpdate(incidentId: string, updateId: string, changes: Partial<StoredIncidentUpdate>): void {
    this.change((data) => {
      const { incidentUpdates } = incidentOf(data, incidentId);
      Object.assign(found(incidentUpdates, "incident update", updateId), changes);
    });
  }

  /** Deletes an update of a status-page incident. Its emails still count: they were sent. */
  deleteUpdate(incidentId: string, updateId: string): void {
    this.change((data) => {
      const { incidentUpdates } = incidentOf(data, incidentId);
      incidentUpdates.splice(incidentUpdates.indexOf(found(incidentUpdates, "incident update", updateId)), 1);
    });
  }

  #commit(data: SandboxData): void {
    this.#save(data);
    this.#data = data;
  }
}

/** Changes that people make on the service itself, without the API: edit, delete, set up. */
export type ByHand = Pick<
  Store,
  "change" | "editIncident" | "deleteIncident" | "editUpdate" | "deleteUpdate"
>;

/** @throws SandboxError when there is none */
function found<Row extends { id: string }>(rows: readonly Row[], kind: string, id: string): Row {
  const row = rows.find((each) => each.id === id);
  if (row === undefined) throw new SandboxError(`There is no ${kind} ${JSON.stringify(id)}.`);
  return row;
}

const incidentsOf = ({ accounts }: Readonly<SandboxData>) =>
  accounts.flatMap(({ statusPageIncidents }) => statusPageIncidents);

const incidentOf = (data: Readonly<SandboxData>, id: string) =>
  found(incidentsOf(data), "status-page incident", id);

const updateIdsOf = (data: SandboxData) =>
  incidentsOf(data).flatMap(({ incidentUpdates }) => incidentUpdates.map(({ id }) => id));

/** An incident as the API returns it. */
export type SandboxStatusPageIncident = Omit<StoredStatusPageIncident, "statusPageIds"> & {
  lastUpdateStatus: StoredIncidentUpdate["status"];
};

/** Returns an incident as the API does. If there are no updates, its status is the first one. */
export function toStatusPageIncident(
  { statusPageIds: _, ...incident }: StoredStatusPageIncident,
  incidentUpdates = incident.incidentUpdates,
): SandboxStatusPageIncident {
  return { ...incident, incidentUpdates, lastUpdateStatus: incidentUpdates[0]?.status ?? "INVESTIGATING" };
}

/** Returns the number of subscribers that are emailed about an incident: those of the pages that show it. */
export function subscribersOf(
  { statusPageIds }: StoredStatusPageIncident,
  { subscribers }: Pick<SandboxAccount, "subscribers">,
): number {
  return statusPageIds.reduce((sum, id) => sum + (subscribers[id] ?? 0), 0);
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
