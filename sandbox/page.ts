/**
 * Renders the public status page: the overall status, open incidents, all status pages, and recently resolved incidents. It
 * works without JavaScript and loads nothing from other hosts.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { amount, Markup, multilineMarkup as html } from "../provider/texts";
import {
  byLastChange,
  incidentsOf,
  isOpen,
  lastChange,
  pageIdsOf,
  type SandboxAccount,
  type SandboxData,
  type StoredIncident,
} from "./data";
import { type HttpResponse } from "./http";

export function publicPage(data: SandboxData): HttpResponse {
  const nonce = randomBytes(16).toString("base64");
  const own = (element: "style" | "script", file: string) => {
    const text = readFileSync(join(__dirname, "page", file), "utf8");
    return new Markup(`<${element} nonce="${nonce}">${text}</${element}>`);
  };
  const [account] = data.accounts;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${account.name} status</title>
        <link rel="icon" href="${iconPath}" />
        <noscript><meta http-equiv="refresh" content="5" /></noscript>
        ${own("style", "style.css")}
      </head>
      <body>
        ${body(account, data.mailed)} ${own("script", "refresh.js")}
      </body>
    </html> `;
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": [
        "default-src 'none'",
        `style-src 'nonce-${nonce}'`,
        `script-src 'nonce-${nonce}'`,
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
    body: page.text,
  };
}

const iconPath = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#15803d"/><path d="M4.5 8.2l2.4 2.4 4.6-5" fill="none" stroke="#fff" stroke-width="1.8"/></svg>',
)}`;

type Mailed = SandboxData["mailed"];

const maxPages = 200;
const maxResolved = 10;

function body(account: SandboxAccount, mailed: Mailed): Markup {
  const newestFirst = incidentsOf(account).sort(byLastChange);
  const shown = newestFirst.map((incident) => toShown(incident, account));
  const open = shown
    .filter(({ incident }) => isOpen(incident))
    .sort((one, other) => byTone(one.worst, other.worst));
  const resolved = shown.filter(({ incident }) => !isOpen(incident)).slice(0, maxResolved);
  const contentOf: Content = (shown) => html`${facts(shown, account)} ${timeline(shown, mailed)}`;
  return html`<header>
      <div class="wide">
        <p class="brand"><span aria-hidden="true"></span>${account.name}</p>
        <h1>Service status</h1>
      </div>
    </header>
    <main class="wide">
      ${summary(open)} ${openIncidents(open, contentOf)} ${statusPages(account, open)}
      ${resolvedIncidents(resolved, contentOf)}
    </main>
    <footer class="wide">
      <p>
        This is a sandbox with test data; no emails are sent. The page updates automatically.
        <a href="/">Reload</a>
      </p>
      <p id="offline" hidden>The sandbox doesn’t respond. This is the last known status.</p>
      <p id="news" role="status" class="unseen"></p>
    </footer>`;
}

/** Tones by severities of incidents and states of components, worst first. */
const toneOf = {
  CRITICAL: "critical",
  MAJOR_OUTAGE: "critical",
  MAJOR: "major",
  PARTIAL_OUTAGE: "major",
  MEDIUM: "medium",
  DEGRADED_PERFORMANCE: "medium",
  MINOR: "minor",
  UNDER_MAINTENANCE: "minor",
  OPERATIONAL: "good",
} as const;
type State = keyof typeof toneOf;
const tones: string[] = Object.values(toneOf);
const byTone = (one: State, other: State) => tones.indexOf(toneOf[one]) - tones.indexOf(toneOf[other]);

/** An incident on pages of either kind, with what the page shows of both. */
interface ShownIncident {
  incident: StoredIncident;
  /** Begins ids of elements: a migrated incident and its updates may have the ids of others. */
  scope: string;
  /** Its severity, or the worst state of a component that it still affects. */
  worst: State;
  badges: [state: State, text: string][];
  affected: string[];
}

function toShown(incident: StoredIncident, { componentPages }: SandboxAccount): ShownIncident {
  if (!("statusPageId" in incident)) {
    const { severity, services } = incident;
    const affected = [...new Set(services.map(({ name }) => name))];
    return { incident, scope: "", worst: severity, badges: [[severity, word(severity)]], affected };
  }
  const components = componentPages.flatMap((page) =>
    page.id === incident.statusPageId ? page.components : [],
  );
  const impacts = incident.componentImpacts.toSorted((one, other) => byTone(one.status, other.status));
  const lasting = impacts.filter(({ endedAt }) => endedAt === null);
  const badges = (isOpen(incident) ? lasting : impacts).map(({ componentId, status }): [State, string] => [
    status,
    `${word(status)}: ${components.find(({ id }) => id === componentId)?.name}`,
  ]);
  const worst = lasting[0]?.status ?? "OPERATIONAL";
  return { incident, scope: `${incident.statusPageId}-`, worst, badges, affected: [] };
}

/** @param open The open incidents, worst first. */
function summary(open: ShownIncident[]): Markup {
  const [first] = open;
  if (first === undefined)
    return html`<p class="summary good">${icon("good")} <strong>All systems operational</strong></p>`;
  const { incident, scope, worst } = first;
  const measure = "severity" in incident ? "highest severity" : "worst impact";
  return html`<p class="summary ${toneOf[worst]}">
    ${icon("bad")}
    <strong><a href="#incident-${scope}${incident.id}">${amount(open.length, "open incident")}</a></strong>
    <span>${measure}: ${word(worst).toLowerCase()}</span>
  </p>`;
}

/** Renders what open and resolved incidents show alike. */
type Content = (shown: ShownIncident) => Markup;

function openIncidents(open: ShownIncident[], contentOf: Content): Markup {
  if (open.length === 0) return html``;
  return html`<section aria-labelledby="open">
    <h2 id="open">Open incidents</h2>
    ${open.map(
      (shown) =>
        html`<article class="card" id="incident-${shown.scope}${shown.incident.id}" tabindex="-1">
          <h3>${shown.incident.name}</h3>
          ${contentOf(shown)}
        </article>`,
    )}
  </section>`;
}

function resolvedIncidents(resolved: ShownIncident[], contentOf: Content): Markup {
  if (resolved.length === 0) return html``;
  return html`<section aria-labelledby="resolved">
    <h2 id="resolved">Recently resolved</h2>
    <div class="card rows">
      ${resolved.map(
        (shown) =>
          html`<details id="incident-${shown.scope}${shown.incident.id}">
            <summary>
              <h3>${shown.incident.name}</h3>
              <span class="muted">resolved ${time(lastChange(shown.incident))}</span>
            </summary>
            ${contentOf(shown)}
          </details>`,
      )}
    </div>
  </section>`;
}

function facts({ incident, badges, affected }: ShownIncident, account: SandboxAccount): Markup {
  const ids = pageIdsOf(incident);
  const pages = pagesOf(account).filter(({ id }) => ids.includes(id));
  return html`<p class="facts">
    ${badges.map(([state, text]) => html`<span class="badge ${toneOf[state]}">${text}</span>`)}
    <span>${pages.map(({ name }) => name).join(", ")}</span>
    <span class="muted">${affected.join(", ")}</span>
  </p>`;
}

function timeline({ incident: { name, incidentUpdates }, scope }: ShownIncident, mailed: Mailed): Markup {
  return html`<ol class="timeline">
    ${incidentUpdates.map(
      (update) =>
        html`<li
          id="update-${scope}${update.id}"
          class="${update.status.toLowerCase()}"
          data-update="${word(update.status)}, ${name}"
        >
          <p class="status">${word(update.status)}</p>
          <p class="text">${update.description}</p>
          <p class="when muted">${time(update.publicIncidentUpdateDate)} ${emails(mailed[update.id])}</p>
        </li>`,
    )}
  </ol>`;
}

const emails = (subscribers = 0) =>
  subscribers > 0 ? html`<span class="mailed">${amount(subscribers, "subscriber")} emailed</span>` : "";

const pagesOf = ({ statusPages, componentPages }: SandboxAccount) => [...statusPages, ...componentPages];

function statusPages(account: SandboxAccount, open: ShownIncident[]): Markup {
  const all = pagesOf(account);
  const pages = all.slice(0, maxPages);
  const more = all.length - pages.length;
  return html`<section aria-labelledby="pages">
    <h2 id="pages">${all.length} status pages</h2>
    <ul class="card pages">
      ${pages.map((page) => statusPage(page, open))}
    </ul>
    ${more > 0 ? html`<p class="muted">and ${more} more</p>` : ""}
  </section>`;
}

function statusPage({ id, name }: { id: string; name: string }, open: ShownIncident[]): Markup {
  const worst = open.find(({ incident }) => pageIdsOf(incident).includes(id))?.worst ?? "OPERATIONAL";
  return html`<li class="${toneOf[worst]}">
    <span>${name}</span> <span class="state">${word(worst)}</span>
  </li>`;
}

/** Returns words such as `Major outage` for `MAJOR_OUTAGE`. */
const word = (value: string) => value.charAt(0) + value.slice(1).toLowerCase().replaceAll("_", " ");

const timeFormat = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

const time = (instant: string) =>
  html`<time datetime="${instant}">${timeFormat.format(new Date(instant))} UTC</time>`;

const icon = (state: "good" | "bad") =>
  html`<svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
    <circle cx="12" cy="12" r="11" />
    <path d="${state === "good" ? "M7 12.5l3.3 3.3L17 9" : "M12 6.5v7M12 16.6v.6"}" />
  </svg>`;
