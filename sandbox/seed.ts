/** Generates the sample data of a fictional company: Quillmarket, a marketplace, and the separate account of its labs. */
import { createHash } from "node:crypto";
import { type AlertChannel, alertChannelTypes, type Incident } from "../provider/api";
import { documented, listIncidents, type SandboxAccount, type SandboxData, countSubscribers } from "./data";
import { channels, usual } from "./seed/fleet.json";
import labsRows from "./seed/labs.json";
import palettes from "./seed/palettes.json";
import quillmarketRows from "./seed/quillmarket.json";
import { addIncident, toComponentPage } from "./store";

/**
 * IDs and API keys that are the same in every sandbox, for programs, tests and documentation. The keys are intentionally public test data;
 * only a sandbox accepts them.
 */
export const wellKnown = {
  apiKeys: {
    /** Gives access to both accounts. The default account is `quillmarket`. */
    quillmarket: "mon_sandbox_0123456789abcdef0123456789abcdef",
    /** Only gives access to `labs`. */
    labs: "mon_sandbox_fedcba9876543210fedcba9876543210",
  },
  accounts: {
    quillmarket: "6f1c2a7e-0d3b-4c58-9e41-5a7b8c9d0e1f",
    labs: "b27d94c0-58ae-4f13-8c6d-3e2f1a0b9c8d",
  },
  /** Pages with components. */
  componentPages: {
    shop: "page_shop",
    developers: "page_developers",
  },
  /** Incidents on pages with components. They are open unless their name ends in `Resolved`. */
  componentPageIncidents: {
    /** On `shop`: a major outage of Checkout, and degraded performance of Search. */
    checkoutOutage: "inc_checkout_outage",
    /** On `developers`: the API is under maintenance. */
    apiMaintenance: "inc_api_maintenance",
    slowImagesResolved: "inc_slow_images",
  },
  /** Incidents on pages with cards. They are open unless their name ends in `Resolved`. */
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

/**
 * Returns two accounts with status pages, alert channels, and open and resolved incidents, with the IDs in `wellKnown`. All timestamps
 * are relative to `now`, which is the current time by default.
 */
export function seedData({ now = new Date() }: { now?: Date } = {}): SandboxData {
  const quillmarket = new AccountSeed(now, wellKnown.accounts.quillmarket).account(quillmarketRows);
  const labs = new AccountSeed(now, wellKnown.accounts.labs).account(labsRows);
  const ofContract = fleet(now).filter(({ type }) => alertChannelTypes.some((known) => known === type));
  labs.alertChannels.push(...ofContract);
  return {
    access: [
      { apiKey: wellKnown.apiKeys.quillmarket, accountIds: [quillmarket.id, labs.id] },
      { apiKey: wellKnown.apiKeys.labs, accountIds: [labs.id] },
    ],
    accounts: [quillmarket, labs],
    mailed: Object.fromEntries([quillmarket, labs].flatMap(listEmailCounts)),
  };
}

/** Returns the number of emails for each update that notified subscribers. All subscribers of the incident's pages were emailed. */
function listEmailCounts(account: SandboxAccount): [updateId: string, subscribers: number][] {
  return listIncidents(account).flatMap((incident) =>
    incident.incidentUpdates
      .filter(({ notifySubscribers }) => notifySubscribers)
      .map(({ id }): [string, number] => [id, countSubscribers(incident, account)]),
  );
}

const daysToMinutes = (count: number) => count * 24 * 60;

interface UpdateRow {
  minutesAgo: number;
  status: string;
  description: string;
  /** True if subscribers were notified. */
  isEmailed?: boolean;
}

interface PageRow {
  name: string;
  accent: string;
  cards: { name: string; services: string[] }[];
  /** True if each region has a separate page. */
  regional?: boolean;
  /** True for a page that was never changed and has no logo, icon, link, domain or colors. */
  plain?: boolean;
}

/** A page with components. Each card becomes a group, unless its name is empty. */
interface ComponentPageRow extends PageRow {
  id: string;
  /** Incidents of the page. `impacts` contains states by the names of components. */
  incidents: {
    id: string;
    name: string;
    updates: UpdateRow[];
    impacts: Record<string, string | undefined>;
  }[];
}

interface StatusPageIncidentRow {
  /** ID of the incident. Default: a UUID. */
  id?: string;
  name: string;
  severity: string;
  pages: string[];
  /** Names of the services of these pages that are affected. */
  services: string[];
  updates: UpdateRow[];
}

interface IncidentRow extends Pick<Incident, "id" | "name"> {
  impact: string;
  /** Start and end, in minutes before the present. */
  started: number | null;
  stopped: number | null;
  /** True if the two times include a time zone, as the service writes them since 2026. */
  zoned?: boolean;
  updates: UpdateRow[];
}

interface AlertChannelRow extends Pick<AlertChannel, "id" | "type" | "config"> {
  /** Description of the channel's defect, for readers of the file. */
  note?: string;
  /** Number of active subscriptions. */
  checks: number;
  /** Number of paused subscriptions. */
  paused?: number;
  /** Days since the last change; null if the channel was never changed. */
  changedDaysAgo: number | null;
}

/** The rows of one account, from its JSON file. Updates are in order, oldest first. Other fields are copied unchanged. */
interface Rows {
  name: string;
  statusPages: PageRow[];
  statusPageIncidents: StatusPageIncidentRow[];
  componentPages: ComponentPageRow[];
  incidents: IncidentRow[];
  alertChannels: AlertChannelRow[];
}

/** Generates the data of an account from its rows. IDs and numbers look random but are always the same. */
class AccountSeed {
  constructor(
    private readonly now: Date,
    private readonly accountId: string,
  ) {}

  account(rows: Rows): SandboxAccount {
    const statusPages = rows.statusPages.flatMap((row) => {
      if (!row.regional) return this.#statusPage(row, row.plain !== true);
      return ["Europe", "North America", "Asia Pacific"].map((region) =>
        this.#statusPage({ ...row, name: `${row.name} ${region}` }, region === "Europe"),
      );
    });
    const componentPages = rows.componentPages.map((row) => this.#componentPage(row));
    const subscribers = [...statusPages, ...componentPages].map(({ id, name }): [string, number] => [
      id,
      this.#number(`subscribers ${name}`, 300, 4800),
    ]);
    return {
      id: this.accountId,
      name: rows.name,
      statusPages,
      subscribers: Object.fromEntries(subscribers),
      statusPageIncidents: rows.statusPageIncidents.map((row) => this.#statusPageIncident(row, statusPages)),
      alertChannels: rows.alertChannels.map((row) => this.#alertChannel(row)),
      incidents: rows.incidents.map((row) => this.#incident(row)),
      componentPages,
    };
  }

  #statusPage({ name, accent, cards, plain, regional: _, ...more }: PageRow, hasDomain: boolean) {
    const slug = name.toLowerCase().replaceAll(" ", "-");
    const age = this.#number(`page ${name}`, 300, 1400);
    const times = {
      created_at: this.#ago(daysToMinutes(age)),
      updated_at: plain ? null : this.#ago(daysToMinutes(age % 90)),
    };
    const { accountId } = this;
    const colors = {
      headerBackgroundColor: accent,
      linkFontColor: accent,
      primaryButtonBackgroundColor: accent,
    };
    return {
      name,
      url: `quillmarket-${slug}`,
      id: this.#id(`page ${name}`),
      accountId,
      ...times,
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
        id: this.#id(`card ${name}/${card}`),
        name: card,
        ...times,
        services: services.map((service) => ({
          name: service,
          id: this.#id(`service ${name}/${service}`),
          accountId,
          ...times,
        })),
      })),
    };
  }

  #statusPageIncident(row: StatusPageIncidentRow, all: SandboxAccount["statusPages"]) {
    const { name, severity, id = this.#id(`incident ${name}`), pages, services, updates, ...more } = row;
    const shownOn = all.filter((page) => pages.includes(page.name));
    const offered = shownOn.flatMap(({ cards }) => cards.flatMap((card) => card.services));
    return {
      name,
      severity: documented.severity.parse(severity),
      id,
      ...more,
      services: offered.filter((service) => services.includes(service.name)),
      incidentUpdates: this.#updates(name, updates),
      ...this.#timesOf(updates),
      statusPageIds: shownOn.map((page) => page.id),
    };
  }

  #componentPage({ incidents, id, ...row }: ComponentPageRow) {
    const withCards = { ...this.#statusPage(row, true), id };
    const page = toComponentPage(withCards, (name) => this.#id(`component ${id}/${name}`));
    for (const { impacts, updates, ...incident } of incidents) {
      const incidentUpdates = this.#updates(incident.id, updates);
      addIncident(page, { ...incident, incidentUpdates, ...this.#timesOf(updates) }, (name) =>
        documented.componentStatus.optional().parse(impacts[name]),
      );
    }
    return page;
  }

  #updates(incident: string, updates: readonly UpdateRow[]) {
    return updates.toReversed().map(({ minutesAgo, status, description, isEmailed = false }) => ({
      id: this.#id(`update ${incident}/${description}`),
      description,
      status: documented.updateStatus.parse(status),
      publicIncidentUpdateDate: this.#ago(minutesAgo),
      created_at: this.#ago(minutesAgo),
      notifySubscribers: isEmailed,
    }));
  }

  #incident({ started, stopped, zoned = false, updates, impact, ...row }: IncidentRow) {
    const time = (minutesAgo: number | null) => {
      if (minutesAgo === null) return null;
      const text = this.#ago(minutesAgo);
      return zoned ? text : text.slice(0, 19).replace("T", " ");
    };
    return {
      ...row,
      impact: documented.impact.parse(impact),
      incidentUpdates: updates.toReversed().map(({ minutesAgo, status, description }) => ({
        id: this.#id(`update ${row.id}/${description}`),
        status: documented.dashboardUpdateStatus.parse(status),
        description,
        incidentId: row.id,
        created_at: this.#ago(minutesAgo),
        updated_at: null,
      })),
      startedAt: time(started),
      stoppedAt: time(stopped),
      ...this.#timesOf(updates),
    };
  }

  #alertChannel({ note: _, checks, paused = 0, changedDaysAgo, ...row }: AlertChannelRow) {
    return {
      sendRecovery: true,
      sendFailure: true,
      sendDegraded: true,
      sslExpiry: true,
      sslExpiryThreshold: 21,
      autoSubscribe: true,
      ...row,
      subscriptions: Array.from({ length: checks + paused }, (_, index) => ({
        id: row.id * 100 + index,
        checkId: this.#id(`check ${index}`),
        groupId: null,
        activated: index < checks,
      })),
      created_at: this.#ago(
        daysToMinutes((changedDaysAgo ?? 0) + this.#number(`channel ${row.id}`, 30, 400)),
      ),
      updated_at: changedDaysAgo === null ? null : this.#ago(daysToMinutes(changedDaysAgo)),
    };
  }

  #timesOf(updates: readonly { minutesAgo: number }[]) {
    const times = updates.map(({ minutesAgo }) => minutesAgo);
    const updated = updates.length > 1 ? this.#ago(Math.min(...times)) : null;
    return { created_at: this.#ago(Math.max(...times)), updated_at: updated };
  }

  /** Returns a UUID of version 4. */
  #id(label: string): string {
    const bytes = this.#digest(label);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  #number(label: string, least: number, most: number): number {
    return least + (this.#digest(label).readUInt32BE() % (most - least + 1));
  }

  #ago(minutes: number): string {
    return new Date(this.now.getTime() - minutes * 60_000).toISOString();
  }

  #digest(label: string): Buffer {
    return createHash("sha256").update(`0/${this.accountId}/${label}`).digest();
  }
}

const firstId = 218701;

/**
 * Returns alert channels in the formats that a real service returns. Their types may be undocumented. All values are invented. In the rows, `name` is for rule files, and
 * `age` is in days.
 */
export function fleet(now: Date): SandboxAccount["alertChannels"] {
  const ago = (age: number): string => new Date(now.getTime() - daysToMinutes(age) * 60_000).toISOString();
  return channels.map(({ name: _, age = 30, ...row }, index) => ({
    id: firstId + index,
    ...usual,
    ...row,
    created_at: ago(age + 60),
    updated_at: age === 30 && index % 3 === 0 ? null : ago(age),
  }));
}
