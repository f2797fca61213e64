/** Makes the objects of an account from the rows of its JSON file. Times are minutes or days ago; updates, oldest first. */
import palettes from "./palettes.json";
import { days, type SeedValues } from "./seedValues";

interface StatusPageRow {
  readonly name: string;
  readonly accent: string;
  readonly cards: readonly { readonly name: string; readonly services: readonly string[] }[];
  /** Whether each region has a page of its own. */
  readonly regional?: boolean;
  readonly description?: string;
  readonly isPrivate?: boolean;
  readonly projectBindings?: object;
  /** Never changed, and without logo, icon, link, domain and colors. */
  readonly plain?: boolean;
}

interface Update {
  readonly minutesAgo: number;
  readonly status: string;
  readonly description: string;
  /** Whether subscribers were notified. */
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
  /** Whether these two times carry a zone, as the service writes them since 2026. */
  readonly zoned?: boolean;
  readonly updates: readonly Update[];
}

interface AlertChannelRow {
  /** What is wrong with it, for readers of the file. */
  readonly note?: string;
  readonly id: number;
  /** Number of active subscriptions. */
  readonly checks: number;
  /** Number of paused subscriptions. */
  readonly paused?: number;
  /** Null: never. */
  readonly changedDaysAgo: number | null;
}

/** The rows of one account. */
export interface Rows {
  readonly name: string;
  readonly statusPages: readonly StatusPageRow[];
  readonly statusPageIncidents: readonly StatusPageIncidentRow[];
  readonly incidents: readonly IncidentRow[];
  readonly alertChannels: readonly AlertChannelRow[];
}

type StatusPage = ReturnType<typeof statusPage>;

export function statusPages(rows: Rows["statusPages"], values: SeedValues): StatusPage[] {
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

/** Each row names pages and services that are among `pages`. */
export function statusPageIncidents(
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

export function incidents(rows: Rows["incidents"], values: SeedValues) {
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

export function alertChannels(rows: Rows["alertChannels"], values: SeedValues) {
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
