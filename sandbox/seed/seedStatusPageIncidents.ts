/** Sample status-page incidents: a few open ones, and those that were resolved in the last weeks. */
import type { Severity, UpdateStatus } from "../../provider/api";
import type { StoredStatusPage, StoredStatusPageIncident } from "../data";
import { days, hours, type SeedValues } from "./seedValues";
import { wellKnown } from "./wellKnown";

interface Row {
  /** Default: a UUID. */
  id?: string;
  name: string;
  severity: Severity;
  /** Names of the pages that show it. */
  pages: string[];
  /** Names of the services of these pages that are affected. */
  services: string[];
  /** Oldest first. */
  updates: [minutesAgo: number, status: UpdateStatus, description: string, notified?: "mailed"][];
}

const ids = wellKnown.statusPageIncidents;

const quillmarket: Row[] = [
  {
    id: ids.checkoutLatency,
    name: "Checkout is slow for shoppers in Europe",
    severity: "MAJOR",
    pages: ["Checkout Europe"],
    services: ["Checkout page", "Order API"],
    updates: [
      [
        52,
        "INVESTIGATING",
        "Placing an order takes up to 20 seconds. Orders do arrive; please don't send them twice. We are looking into it.",
        "mailed",
      ],
      [
        31,
        "IDENTIFIED",
        "The stock check waits for a database that is short of connections. We are adding capacity.",
      ],
    ],
  },
  {
    id: ids.cardDeclines,
    name: "Some card payments are declined",
    severity: "CRITICAL",
    pages: ["Payments North America", "Checkout North America"],
    services: ["Cards", "Checkout page"],
    updates: [
      [
        hours(3) - 10,
        "INVESTIGATING",
        "About one in nine card payments in North America is declined without reason. Other ways to pay work.",
        "mailed",
      ],
      [
        hours(2),
        "IDENTIFIED",
        "One of our two card processors has trouble. We are moving payments to the other.",
      ],
    ],
  },
  {
    id: ids.webhookDelays,
    name: "Webhooks arrive late",
    severity: "MEDIUM",
    pages: ["Developer API"],
    services: ["Webhooks"],
    updates: [[hours(1) + 15, "INVESTIGATING", "Webhooks arrive up to ten minutes late. None is lost."]],
  },
  {
    id: ids.searchLag,
    name: "New listings appear late in search",
    severity: "MINOR",
    pages: ["Search Asia Pacific"],
    services: ["Search index"],
    updates: [
      [hours(9), "INVESTIGATING", "New listings take about an hour to appear in search results."],
      [hours(8), "IDENTIFIED", "The search index is being rebuilt more slowly than usual."],
      [hours(5), "MONITORING", "The index has caught up. We keep an eye on it."],
    ],
  },
  {
    id: ids.labelPrinting,
    name: "Shipping labels of one carrier can't be printed",
    severity: "MEDIUM",
    pages: ["Shipping Europe", "Seller Center"],
    services: ["Label printing", "Orders"],
    updates: [
      [
        hours(26),
        "INVESTIGATING",
        "Labels of one parcel carrier come out blank. Other carriers work.",
        "mailed",
      ],
      [hours(22), "IDENTIFIED", "The carrier changed its label format. An adjustment is being tested."],
      [hours(4), "MONITORING", "The adjustment is live for all sellers."],
    ],
  },
  {
    id: ids.loginLoopResolved,
    name: "Sign-in returns to the start page",
    severity: "CRITICAL",
    pages: ["Accounts Europe", "Accounts North America", "Accounts Asia Pacific"],
    services: ["Sign-in"],
    updates: [
      [
        days(3) + 117,
        "INVESTIGATING",
        "After signing in, some customers land on the start page, signed out.",
        "mailed",
      ],
      [
        days(3) + 92,
        "IDENTIFIED",
        "A configuration change dropped session cookies. It is being rolled back.",
      ],
      [days(3) + 77, "MONITORING", "The change is rolled back and sign-in works again."],
      [
        days(3) + 37,
        "RESOLVED",
        "Sign-in has worked without errors since. Thank you for your patience.",
        "mailed",
      ],
    ],
  },
  {
    name: "Product photos load slowly",
    severity: "MINOR",
    pages: ["Storefront Asia Pacific"],
    services: ["Images"],
    updates: [
      [days(15) + 502, "INVESTIGATING", "Photos take up to five seconds to load."],
      [days(15) + 412, "RESOLVED", "A cache node was full. It has been replaced."],
    ],
  },
  {
    name: "The Android app closes on start",
    severity: "MAJOR",
    pages: ["Mobile Apps"],
    services: ["Android app"],
    updates: [
      [
        days(19) + 395,
        "INVESTIGATING",
        "Version 8.14 closes on start on some phones. The website works.",
        "mailed",
      ],
      [
        days(19) + 335,
        "IDENTIFIED",
        "A font that these phones lack is to blame. Version 8.14.1 is on its way.",
      ],
      [days(19) + 95, "RESOLVED", "Version 8.14.1 is in the store."],
    ],
  },
  {
    name: "Vouchers are refused",
    severity: "MAJOR",
    pages: ["Promotions Europe", "Promotions North America"],
    services: ["Vouchers"],
    updates: [
      [days(27) + 363, "INVESTIGATING", "Valid vouchers are refused as expired."],
      [
        days(27) + 328,
        "IDENTIFIED",
        "Vouchers of this campaign carry the wrong end date. We are correcting them.",
      ],
      [days(27) + 233, "RESOLVED", "All vouchers have the right end date."],
    ],
  },
  {
    name: "Seller payouts are a day late",
    severity: "MEDIUM",
    pages: ["Payments Europe", "Seller Center"],
    services: ["Seller payouts", "Reports"],
    updates: [
      [
        days(34) + hours(25),
        "IDENTIFIED",
        "Our bank did not carry out yesterday's file. It runs again tonight.",
        "mailed",
      ],
      [days(34) + 310, "RESOLVED", "All payouts have been carried out."],
    ],
  },
  {
    name: "Chat is closed",
    severity: "MINOR",
    pages: ["Help Center"],
    services: ["Chat"],
    updates: [
      [days(48) + 238, "INVESTIGATING", "Chat with our support can't be opened. Phone and email work."],
      [days(48) + 168, "RESOLVED", "Chat is open again."],
    ],
  },
];

const labs: Row[] = [
  {
    id: ids.labsPreview,
    name: "Previews are not built",
    severity: "MINOR",
    pages: ["Labs Preview"],
    services: ["Preview"],
    updates: [[hours(6), "INVESTIGATING", "New previews stay in the queue. Existing ones are reachable."]],
  },
];

export const statusPageIncidentRows = { quillmarket, labs };

/** Each row names pages and services that are among `pages`. */
export function statusPageIncidents(
  rows: Row[],
  pages: StoredStatusPage[],
  values: SeedValues,
): StoredStatusPageIncident[] {
  return rows.map(({ updates, services, ...row }) => {
    const shownOn = pages.filter((page) => row.pages.includes(page.name));
    const offered = shownOn.flatMap(({ cards }) => cards.flatMap((card) => card.services));
    const times = updates.map(([minutesAgo]) => minutesAgo);
    const newestFirst = updates.toReversed().map(([minutesAgo, status, description, notified]) => ({
      id: values.id(`update ${row.name}/${description}`),
      description,
      status,
      publicIncidentUpdateDate: values.ago(minutesAgo),
      created_at: values.ago(minutesAgo),
      notifySubscribers: notified === "mailed",
    }));
    return {
      name: row.name,
      severity: row.severity,
      id: row.id ?? values.id(`incident ${row.name}`),
      services: offered.filter(({ name }) => services.includes(name)),
      incidentUpdates: newestFirst,
      created_at: values.ago(Math.max(...times)),
      updated_at: updates.length > 1 ? values.ago(Math.min(...times)) : null,
      statusPageIds: shownOn.map(({ id }) => id),
    };
  });
}
