/** Makes the sample data of a fictional company: Quillmarket, a marketplace, and the account of its labs. */
import { createHash } from "node:crypto";
import { alertChannelTypes } from "../provider/api";
import { channels, usual } from "./seed/fleet.json";
import labsRows from "./seed/labs.json";
import palettes from "./seed/palettes.json";
import quillmarketRows from "./seed/quillmarket.json";
import { type SandboxAccount, type SandboxData, sandboxData, subscribersOf } from "./store";

/**
 * Ids and API keys that are the same with every seed, for programs, tests and documentation. The keys are test data
 * and public on purpose; only a sandbox accepts them.
 */
export const wellKnown = {
  apiKeys: {
    /** Gives access to both accounts, by default to `quillmarket`. */
    quillmarket: "mon_sandbox_0123456789abcdef0123456789abcdef",
    /** Gives access to `labs` only. */
    labs: "mon_sandbox_fedcba9876543210fedcba9876543210",
  },
  accounts: {
    quillmarket: "6f1c2a7e-0d3b-4c58-9e41-5a7b8c9d0e1f",
    labs: "b27d94c0-58ae-4f13-8c6d-3e2f1a0b9c8d",
  },
  /** Incidents, which are open unless their name ends in `Resolved`. */
  statusPageIncidents: {
    checkoutLatency: "inc_checkout_latency",
    cardDeclines: "inc_card_declines",
    webhookDelays: "inc_webhook_delays",
    searchLag: "inc_search_lag",
    labelPrinting: "inc_label_printing",
    loginLoopResolved: "inc_login_loop",
    labsPreview: "inc_labs_preview",
  },
  incidents: {
    /** Has no end. */
    paymentErrors: "0c9f7b52-6d1e-4a83-b5f0-2e8d7c6b5a49",
    databaseUpgrade: "3e5a1d84-97c2-4b60-8f1d-6a5b4c3d2e1f",
    imageCache: "a81d40f6-2b7e-4c95-9d03-1f2e3d4c5b6a",
    /** Has neither start nor end. */
    warehouseMove: "d4720e9b-5c16-4f38-a2b7-0f9e8d7c6b5a",
  },
  alertChannels: {
    onCall: 4101,
    opsgenie: 4102,
    slackIncidents: 4103,
    slackPayments: 4104,
    automation: 4105,
    legacyHook: 4106,
    operationsMail: 4107,
    operationsMailAgain: 4108,
    dutySms: 4109,
    managerCall: 4110,
    pausedPagerDuty: 4111,
    reportingHook: 4112,
    labsMail: 4201,
    labsSlack: 4202,
    labsSlackApp: 4203,
  },
} as const;

export interface SeedOptions {
  /** Varies the generated ids, ages and numbers of subscribers. Default: 0. */
  seed?: number;
  /** The time that all timestamps are relative to. Default: now. */
  now?: Date;
}

/**
 * Returns two accounts with status pages, alert channels, and open and resolved incidents. Every seed includes the ids of
 * `wellKnown`.
 */
export function seedData({ seed = 0, now = new Date() }: SeedOptions = {}): SandboxData {
  const account = (id: string, rows: Rows) => {
    const values = new SeedValues(seed, now, id);
    const pages = statusPages(rows.statusPages, values);
    const subscribers = pages.map(({ id, name }): [string, number] => [
      id,
      values.number(`subscribers ${name}`, 300, 4800),
    ]);
    return {
      id,
      name: rows.name,
      statusPages: pages,
      subscribers: Object.fromEntries(subscribers),
      statusPageIncidents: statusPageIncidents(rows.statusPageIncidents, pages, values),
      alertChannels: alertChannels(rows.alertChannels, values),
      incidents: incidents(rows.incidents, values),
    };
  };
  const quillmarket = account(wellKnown.accounts.quillmarket, quillmarketRows);
  const labs = account(wellKnown.accounts.labs, labsRows);
  const data = {
    access: [
      { apiKey: wellKnown.apiKeys.quillmarket, accountIds: [quillmarket.id, labs.id] },
      { apiKey: wellKnown.apiKeys.labs, accountIds: [labs.id] },
    ],
    accounts: [quillmarket, { ...labs, alertChannels: [...labs.alertChannels, ...contractFleet(now)] }],
    mailed: {},
  };
  if (!isSandboxData(data)) throw new Error("The rows of the seed aren't data of the sandbox.");
  return { ...data, mailed: Object.fromEntries(data.accounts.flatMap(mailed)) };
}

/** Checks the data without `parse`, which would change the order of keys. */
function isSandboxData(data: unknown): data is SandboxData {
  return sandboxData.safeParse(data).success;
}

/** Counts the emails of the updates that notified: all subscribers of the pages got one. */
function mailed(account: SandboxAccount): [updateId: string, subscribers: number][] {
  return account.statusPageIncidents.flatMap((incident) =>
    incident.incidentUpdates
      .filter(({ notifySubscribers }) => notifySubscribers)
      .map(({ id }): [string, number] => [id, subscribersOf(incident, account)]),
  );
}

const minute = 60_000;
const days = (count: number) => count * 24 * 60;

/** Generates ids, numbers and timestamps that look random and are reproducible for a seed and a time. */
class SeedValues {
  constructor(
    private readonly seed: number,
    private readonly now: Date,
    readonly accountId: string,
  ) {}

  /** Returns a UUID of version 4. */
  id(label: string): string {
    const bytes = this.#digest(label);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  number(label: string, least: number, most: number): number {
    return least + (this.#digest(label).readUInt32BE() % (most - least + 1));
  }

  ago(minutes: number): string {
    return new Date(this.now.getTime() - minutes * minute).toISOString();
  }

  #digest(label: string): Buffer {
    return createHash("sha256").update(`${this.seed}/${this.accountId}/${label}`).digest();
  }
}

interface StatusPageRow {
  readonly name: string;
  readonly accent: string;
  readonly cards: readonly { readonly name: string; readonly services: readonly string[] }[];
  /** True if each region has a page of its own. */
  readonly regional?: boolean;
  readonly description?: string;
  readonly isPrivate?: boolean;
  readonly projectBindings?: object;
  /** True for a page that was never changed, and has no logo, icon, link, domain and colors. */
  readonly plain?: boolean;
}

interface Update {
  readonly minutesAgo: number;
  readonly status: string;
  readonly description: string;
  /** True if subscribers were notified. */
  readonly mailed?: boolean;
}

interface StatusPageIncidentRow {
  /** Default: a UUID. */
  readonly id?: string;
  readonly name: string;
  readonly severity: string;
  readonly duration?: number;
  /** Names of the pages that show it. */
  readonly pages: readonly string[];
  /** Names of the services of these pages that are affected. */
  readonly services: readonly string[];
  readonly updates: readonly Update[];
}

interface IncidentRow {
  readonly id: string;
  readonly started: number | null;
  readonly stopped: number | null;
  /** True if these two times carry a zone, as the service writes them since 2026. */
  readonly zoned?: boolean;
  readonly updates: readonly Update[];
}

interface AlertChannelRow {
  /** Describes its defect for readers of the file. */
  readonly note?: string;
  readonly id: number;
  /** Number of active subscriptions. */
  readonly checks: number;
  /** Number of paused subscriptions. */
  readonly paused?: number;
  /** Days since the last change; null if it was never changed. */
  readonly changedDaysAgo: number | null;
}

/** The rows of one account, from its JSON file. Times are minutes or days ago; updates, oldest first. */
interface Rows {
  readonly name: string;
  readonly statusPages: readonly StatusPageRow[];
  readonly statusPageIncidents: readonly StatusPageIncidentRow[];
  readonly incidents: readonly IncidentRow[];
  readonly alertChannels: readonly AlertChannelRow[];
}

type StatusPage = ReturnType<typeof statusPage>;

function statusPages(rows: Rows["statusPages"], values: SeedValues): StatusPage[] {
  return rows.flatMap((row) => {
    if (!row.regional) return [statusPage(row, row.plain !== true, values)];
    return ["Europe", "North America", "Asia Pacific"].map((region) =>
      statusPage({ ...row, name: `${row.name} ${region}` }, region === "Europe", values),
    );
  });
}

function statusPage(
  { name, accent, cards, plain = false, regional: _, ...more }: StatusPageRow,
  hasDomain: boolean,
  values: SeedValues,
) {
  const slug = name.toLowerCase().replaceAll(" ", "-");
  const age = values.number(`page ${name}`, 300, 1400);
  const timestamps = {
    created_at: values.ago(days(age)),
    updated_at: plain ? null : values.ago(days(age % 90)),
  };
  const { accountId } = values;
  const service = (label: string) => ({
    ...{ name: label, id: values.id(`service ${name}/${label}`), accountId },
    ...timestamps,
  });
  const colors = {
    headerBackgroundColor: accent,
    linkFontColor: accent,
    primaryButtonBackgroundColor: accent,
  };
  return {
    ...{ name, url: `quillmarket-${slug}`, id: values.id(`page ${name}`), accountId },
    ...timestamps,
    ...more,
    customDomain: hasDomain ? `${slug}.status.quillmarket.example` : plain ? null : "",
    logo: plain ? null : `https://cdn.quillmarket.example/logos/${slug}.svg`,
    favicon: plain ? null : "https://cdn.quillmarket.example/favicon.ico",
    redirectTo: plain ? null : "https://www.quillmarket.example/",
    defaultTheme: "AUTO",
    themeColors: plain
      ? null
      : { light: { ...palettes.light, ...colors }, dark: { ...palettes.dark, ...colors } },
    cards: cards.map(({ name: card, services }) => ({
      ...{ id: values.id(`card ${name}/${card}`), name: card },
      ...timestamps,
      services: services.map(service),
    })),
  };
}

/** Creates incidents from rows, which name pages and services of `pages`. */
function statusPageIncidents(
  rows: Rows["statusPageIncidents"],
  pages: readonly StatusPage[],
  values: SeedValues,
) {
  return rows.map(({ id, name, severity, updates, ...row }) => {
    const shownOn = pages.filter((page) => row.pages.includes(page.name));
    const offered = shownOn.flatMap(({ cards }) => cards.flatMap(({ services }) => services));
    return {
      ...{ name, severity, id: id ?? values.id(`incident ${name}`) },
      ...(row.duration !== undefined && { duration: row.duration }),
      services: offered.filter((service) => row.services.includes(service.name)),
      incidentUpdates: updates.toReversed().map(({ minutesAgo, status, description, mailed = false }) => ({
        ...{ id: values.id(`update ${name}/${description}`), description, status },
        publicIncidentUpdateDate: values.ago(minutesAgo),
        created_at: values.ago(minutesAgo),
        notifySubscribers: mailed,
      })),
      ...timestampsOf(updates, values),
      statusPageIds: shownOn.map((page) => page.id),
    };
  });
}

function incidents(rows: Rows["incidents"], values: SeedValues) {
  const startOrStop = (minutesAgo: number | null, zoned: boolean) => {
    if (minutesAgo === null) return null;
    return zoned ? values.ago(minutesAgo) : values.ago(minutesAgo).slice(0, 19).replace("T", " ");
  };
  return rows.map(({ started, stopped, zoned = false, updates, ...row }) => ({
    ...row,
    incidentUpdates: updates.toReversed().map(({ minutesAgo, status, description }) => ({
      ...{ id: values.id(`update ${row.id}/${description}`), status, description, incidentId: row.id },
      ...{ created_at: values.ago(minutesAgo), updated_at: null },
    })),
    startedAt: startOrStop(started, zoned),
    stoppedAt: startOrStop(stopped, zoned),
    ...timestampsOf(updates, values),
  }));
}

function timestampsOf(updates: readonly Update[], values: SeedValues) {
  const times = updates.map(({ minutesAgo }) => minutesAgo);
  return {
    created_at: values.ago(Math.max(...times)),
    updated_at: updates.length > 1 ? values.ago(Math.min(...times)) : null,
  };
}

function alertChannels(rows: Rows["alertChannels"], values: SeedValues) {
  return rows.map(({ note: _, checks, paused = 0, changedDaysAgo, ...row }) => ({
    ...{ sendRecovery: true, sendFailure: true, sendDegraded: true, sslExpiry: true },
    ...{ sslExpiryThreshold: 21, autoSubscribe: true },
    ...row,
    subscriptions: Array.from({ length: checks + paused }, (_, index) => ({
      ...{ id: row.id * 100 + index, checkId: values.id(`check ${index}`), groupId: null },
      activated: index < checks,
    })),
    created_at: values.ago(days((changedDaysAgo ?? 0) + values.number(`channel ${row.id}`, 30, 400))),
    updated_at: changedDaysAgo === null ? null : values.ago(days(changedDaysAgo)),
  }));
}

/** An alert channel as the service returns it, which may have a type that the API doesn't document. */
type FleetAlertChannel = SandboxAccount["alertChannels"][number];

const dayMs = 86_400_000;
const firstId = 218701;

/** Returns alert channels in the shapes of a real service. Their names are for rule files. All values are invented; `age` is in days. */
export function fleet(now: Date): FleetAlertChannel[] {
  const ago = (age: number): string => new Date(now.getTime() - age * dayMs).toISOString();
  return channels.map(({ name: _, age = 30, ...row }, index) => ({
    id: firstId + index,
    ...usual,
    ...row,
    created_at: ago(age + 60),
    updated_at: age === 30 && index % 3 === 0 ? null : ago(age),
  }));
}

/** Ids of the fleet by name, for `channels` in a rule file. */
export const fleetNames: Readonly<Record<string, number>> = Object.fromEntries(
  channels.map(({ name }, index) => [name, firstId + index]),
);

/** Returns the channels that match the API, for an account of the sandbox. */
function contractFleet(now: Date): FleetAlertChannel[] {
  return fleet(now).filter(({ type }) => alertChannelTypes.some((known) => known === type));
}
