/**
 * Renders the public status page: the overall status, open incidents, all status pages, and recently resolved incidents. It
 * works without JavaScript and loads nothing from other hosts.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { severities } from "../provider/api";
import { amount, type Markup, multilineMarkup as html, trusted } from "../provider/texts";
import { type HttpResponse } from "./http";
import {
  type SandboxAccount,
  type SandboxData,
  type StoredStatusPage,
  type StoredStatusPageIncident,
} from "./store";

export function publicPage(data: SandboxData): HttpResponse {
  const nonce = randomBytes(16).toString("base64");
  const own = (element: "style" | "script", file: string) => {
    const text = readFileSync(join(__dirname, "page", file), "utf8");
    return trusted(`<${element} nonce="${nonce}">${text}</${element}>`);
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
  const newestFirst = account.statusPageIncidents.toSorted((one, other) =>
    lastChange(other).localeCompare(lastChange(one)),
  );
  const open = newestFirst.filter(isOpen).sort(bySeverity);
  const resolved = newestFirst.filter((incident) => !isOpen(incident)).slice(0, maxResolved);
  const contentOf: Content = (incident) => html`${facts(incident, account)} ${timeline(incident, mailed)}`;
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

/** @param open The open incidents, worst first. */
function summary(open: StoredStatusPageIncident[]): Markup {
  const [worst] = open;
  if (worst === undefined)
    return html`<p class="summary good">${icon("good")} <strong>All systems operational</strong></p>`;
  return html`<p class="summary ${worst.severity.toLowerCase()}">
    ${icon("bad")}
    <strong><a href="#incident-${worst.id}">${amount(open.length, "open incident")}</a></strong>
    <span>highest severity: ${word(worst.severity).toLowerCase()}</span>
  </p>`;
}

/** Renders what open and resolved incidents show alike. */
type Content = (incident: StoredStatusPageIncident) => Markup;

function openIncidents(open: StoredStatusPageIncident[], contentOf: Content): Markup {
  if (open.length === 0) return html``;
  return html`<section aria-labelledby="open">
    <h2 id="open">Open incidents</h2>
    ${open.map(
      (incident) =>
        html`<article class="card" id="incident-${incident.id}" tabindex="-1">
          <h3>${incident.name}</h3>
          ${contentOf(incident)}
        </article>`,
    )}
  </section>`;
}

function resolvedIncidents(resolved: StoredStatusPageIncident[], contentOf: Content): Markup {
  if (resolved.length === 0) return html``;
  return html`<section aria-labelledby="resolved">
    <h2 id="resolved">Recently resolved</h2>
    <div class="card rows">
      ${resolved.map(
        (incident) =>
          html`<details id="incident-${incident.id}">
            <summary>
              <h3>${incident.name}</h3>
              <span class="muted">resolved ${time(lastChange(incident))}</span>
            </summary>
            ${contentOf(incident)}
          </details>`,
      )}
    </div>
  </section>`;
}

function facts(
  { severity, services, statusPageIds }: StoredStatusPageIncident,
  account: SandboxAccount,
): Markup {
  const pages = account.statusPages.filter(({ id }) => statusPageIds.includes(id)).map(({ name }) => name);
  const affected = [...new Set(services.map(({ name }) => name))];
  return html`<p class="facts">
    <span class="badge ${severity.toLowerCase()}">${word(severity)}</span>
    <span>${pages.join(", ")}</span>
    <span class="muted">${affected.join(", ")}</span>
  </p>`;
}

function timeline({ name, incidentUpdates }: StoredStatusPageIncident, mailed: Mailed): Markup {
  return html`<ol class="timeline">
    ${incidentUpdates.map(
      (update) =>
        html`<li
          id="update-${update.id}"
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

function statusPages(account: SandboxAccount, open: StoredStatusPageIncident[]): Markup {
  const pages = account.statusPages.slice(0, maxPages);
  const more = account.statusPages.length - pages.length;
  return html`<section aria-labelledby="pages">
    <h2 id="pages">${account.statusPages.length} status pages</h2>
    <ul class="card pages">
      ${pages.map((page) => statusPage(page, open))}
    </ul>
    ${more > 0 ? html`<p class="muted">and ${more} more</p>` : ""}
  </section>`;
}

function statusPage({ id, name }: StoredStatusPage, open: StoredStatusPageIncident[]): Markup {
  const worst = open.find(({ statusPageIds }) => statusPageIds.includes(id))?.severity;
  return html`<li class="${worst?.toLowerCase() ?? "good"}">
    <span>${name}</span> <span class="state">${word(worst ?? "OPERATIONAL")}</span>
  </li>`;
}

const isOpen = ({ incidentUpdates: [latest] }: StoredStatusPageIncident) => latest?.status !== "RESOLVED";

function lastChange({ updated_at, created_at }: StoredStatusPageIncident): string {
  return updated_at ?? created_at;
}

const bySeverity = (one: StoredStatusPageIncident, other: StoredStatusPageIncident) =>
  severities.indexOf(one.severity) - severities.indexOf(other.severity);

/** Returns a word such as `Investigating` for `INVESTIGATING`. */
const word = (value: string) => value.charAt(0) + value.slice(1).toLowerCase();

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
