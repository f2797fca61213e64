/**
 * Renders the public status page: the overall status, open incidents, all status pages, and recently resolved incidents. It
 * works without JavaScript and loads nothing from other hosts.
 */
import { randomBytes } from "node:crypto";
import { severities, type Severity } from "../provider/api";
import { type Markup, multilineMarkup as html, trusted } from "../provider/texts";
import { type HttpResponse } from "./http";
import {
  type SandboxAccount,
  type SandboxData,
  type StoredIncidentUpdate,
  type StoredStatusPage,
  type StoredStatusPageIncident,
  toStatusPageIncident,
} from "./store";

export function publicPage(data: SandboxData): HttpResponse {
  const nonce = randomBytes(16).toString("base64");
  const own = (element: "style" | "script", text: string) =>
    trusted(`<${element} nonce="${nonce}">${text}</${element}>`);
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
        ${own("style", style)}
      </head>
      <body>
        ${body(account, data.mailed)} ${own("script", refreshScript)}
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
  const open = account.statusPageIncidents.filter(isOpen);
  const resolved = account.statusPageIncidents.filter((incident) => !isOpen(incident));
  return html`<header>
      <div class="wide">
        <p class="brand"><span aria-hidden="true"></span>${account.name}</p>
        <h1>Service status</h1>
      </div>
    </header>
    <main class="wide">
      ${summary(open)} ${openIncidents(open, account, mailed)} ${statusPages(account, open)}
      ${resolvedIncidents(resolved, account, mailed)}
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

function summary(open: StoredStatusPageIncident[]): Markup {
  const [worst] = worstFirst(open);
  if (worst === undefined)
    return html`<p class="summary good">${icon("good")} <strong>All systems operational</strong></p>`;
  const count = open.length === 1 ? "1 open incident" : `${open.length} open incidents`;
  return html`<p class="summary ${worst.severity.toLowerCase()}">
    ${icon("bad")} <strong><a href="#incident-${worst.id}">${count}</a></strong>
    <span>highest severity: ${word(worst.severity).toLowerCase()}</span>
  </p>`;
}

function openIncidents(open: StoredStatusPageIncident[], account: SandboxAccount, mailed: Mailed): Markup {
  if (open.length === 0) return html``;
  return html`<section aria-labelledby="open">
    <h2 id="open">Open incidents</h2>
    ${worstFirst(open).map(
      (incident) =>
        html`<article class="card" id="incident-${incident.id}" tabindex="-1">
          <h3>${incident.name}</h3>
          ${facts(incident, account)} ${timeline(incident, mailed)}
        </article>`,
    )}
  </section>`;
}

function resolvedIncidents(
  resolved: StoredStatusPageIncident[],
  account: SandboxAccount,
  mailed: Mailed,
): Markup {
  if (resolved.length === 0) return html``;
  return html`<section aria-labelledby="resolved">
    <h2 id="resolved">Recently resolved</h2>
    <div class="card rows">
      ${newestFirst(resolved)
        .slice(0, maxResolved)
        .map(
          (incident) =>
            html`<details id="incident-${incident.id}">
              <summary>
                <h3>${incident.name}</h3>
                <span class="muted">resolved ${time(lastChange(incident))}</span>
              </summary>
              ${facts(incident, account)} ${timeline(incident, mailed)}
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
          <p class="when muted">${time(update.publicIncidentUpdateDate)} ${mails(update, mailed)}</p>
        </li>`,
    )}
  </ol>`;
}

function mails({ id }: StoredIncidentUpdate, mailed: Mailed): Markup {
  const subscribers = mailed[id] ?? 0;
  if (subscribers === 0) return html``;
  return html`<span class="mailed">${subscribers.toLocaleString("en")} subscribers emailed</span>`;
}

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
  const worst = worstOf(open.filter(({ statusPageIds }) => statusPageIds.includes(id)));
  return html`<li class="${worst?.toLowerCase() ?? "good"}">
    <span>${name}</span> <span class="state">${worst === undefined ? "Operational" : word(worst)}</span>
  </li>`;
}

const isOpen = (incident: StoredStatusPageIncident) =>
  toStatusPageIncident(incident, incident.incidentUpdates).lastUpdateStatus !== "RESOLVED";

function worstOf(incidents: StoredStatusPageIncident[]): Severity | undefined {
  return severities.find((severity) => incidents.some((incident) => incident.severity === severity));
}

function lastChange({ updated_at, created_at }: StoredStatusPageIncident): string {
  return updated_at ?? created_at;
}

function newestFirst(incidents: StoredStatusPageIncident[]): StoredStatusPageIncident[] {
  return incidents.toSorted((one, other) => lastChange(other).localeCompare(lastChange(one)));
}

function worstFirst(incidents: StoredStatusPageIncident[]): StoredStatusPageIncident[] {
  return newestFirst(incidents).sort(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  );
}

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

/** Colours by theme; red, orange, amber and blue by severity, each readable on the card (4.5 : 1 and more). */
const style = `
:root {
  color-scheme: light;
  --back: #f4f6f8; --card: #ffffff; --line: #dfe4ea; --text: #111827; --muted: #4b5563;
  --link: #1d4ed8; --rail: #cbd5e1;
  --good: #15803d; --critical: #b91c1c; --major: #c2410c; --medium: #a16207; --minor: #1d4ed8;
  --news: #fef9c3;
}
@media (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --back: #0d1117; --card: #161b22; --line: #2b323c; --text: #e6edf3; --muted: #9aa7b4;
    --link: #79b8ff; --rail: #3b4552;
    --good: #4ade80; --critical: #ff8585; --major: #fb9a5b; --medium: #f0c14b; --minor: #79b8ff;
    --news: #3a3415;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--back); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  -webkit-text-size-adjust: 100%; overflow-wrap: anywhere;
}
.wide { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
h1, h2, h3, p, ol, ul { margin: 0; padding: 0; }
ol, ul { list-style: none; }
a { color: var(--link); }
.muted { color: var(--muted); font-size: .9rem; }

header .wide { padding-top: 2.5rem; padding-bottom: 1.5rem; }
.brand { display: flex; align-items: center; gap: .5rem; margin-bottom: .25rem; font-weight: 600; color: var(--muted); }
.brand span { flex: none; width: .9rem; height: .9rem; border-radius: .3rem .3rem .3rem 0; background: var(--good); }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.05rem; line-height: 1.35; }

.good { --tone: var(--good); }
.critical { --tone: var(--critical); }
.major { --tone: var(--major); }
.medium { --tone: var(--medium); }
.minor { --tone: var(--minor); }

.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.summary {
  display: flex; align-items: center; gap: .25rem .75rem; flex-wrap: wrap; padding: 1rem 1.25rem;
  background: color-mix(in srgb, var(--tone) 7%, var(--card)); border-radius: .75rem;
  border: 1px solid color-mix(in srgb, var(--tone) 45%, var(--line));
}
.summary strong { font-size: 1.15rem; }
.summary span { color: var(--muted); }
svg circle { fill: var(--tone); }
svg path { fill: none; stroke: var(--card); stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }

article.card { padding: 1.25rem; margin-bottom: 1rem; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; margin-top: .4rem; font-size: .95rem; }
.badge {
  color: var(--tone); border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem;
  font-size: .8rem; font-weight: 600; white-space: nowrap;
}

.timeline { margin-top: .9rem; }
.timeline li { position: relative; padding: .3rem .75rem .3rem 1.5rem; margin-bottom: .5rem; border-radius: .5rem; }
.timeline li:last-child { margin-bottom: 0; }
.timeline li::before {
  content: ""; position: absolute; left: .3rem; top: .75rem; width: .65rem; height: .65rem;
  border-radius: 50%; background: var(--rail);
}
.timeline li:not(:last-child)::after {
  content: ""; position: absolute; left: calc(.625rem - 1px); top: 1.65rem; bottom: -1rem; width: 2px; background: var(--rail);
}
.timeline li:first-child::before { background: var(--text); }
.timeline li.resolved::before { background: var(--good); }
.status { font-weight: 600; }
.text { white-space: pre-line; max-width: 42rem; }
.mailed { color: var(--text); font-weight: 600; }

.when { display: flex; flex-wrap: wrap; gap: 0 .75rem; }

.pages { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1px; overflow: hidden; }
.pages li {
  display: flex; align-items: baseline; gap: .6rem; padding: .5rem 1rem;
  box-shadow: 0 0 0 1px var(--line); font-size: .95rem;
}
.pages li::before { content: ""; flex: none; width: .55rem; height: .55rem; border-radius: 50%; background: var(--tone); }
.state { flex: none; margin-left: auto; color: var(--tone); font-size: .85rem; font-weight: 600; }
.good .state { color: var(--muted); font-weight: 400; }

.rows details + details { border-top: 1px solid var(--line); }
.rows details { padding: .9rem 1.25rem; }
summary { cursor: pointer; margin-left: 1.1rem; list-style-position: outside; }
summary h3 { font-size: 1rem; }
details .facts, details .timeline { margin-left: 1.1rem; }
details .facts { margin-top: .75rem; }

footer.wide { margin-top: 2.5rem; margin-bottom: 3rem; color: var(--muted); font-size: .9rem; }
#offline { color: var(--critical); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .25rem; }
@media (prefers-reduced-motion: no-preference) {
  .new { animation: arrive 6s ease-out; }
  @keyframes arrive { from { background: var(--news); } }
}
`;

/** Updates an open page in place. If JavaScript is disabled, the page reloads instead. */
const refreshScript = `
let source = document.querySelector("main").innerHTML;

async function refresh() {
  if (document.hidden) return;
  const response = await fetch("/").catch(() => undefined);
  document.getElementById("offline").hidden = response !== undefined;
  if (response === undefined) return;

  // Only this part: the browser would reject the style, which has another nonce.
  const [text] = (await response.text()).match(/<main[^]*<\\/main>/) ?? [];
  if (text === undefined) return;
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  if (fresh.innerHTML === source) return;
  source = fresh.innerHTML;

  const shown = document.querySelector("main");
  for (const open of shown.querySelectorAll("details[open]"))
    fresh.querySelector("#" + CSS.escape(open.id))?.setAttribute("open", "");
  const added = [...fresh.querySelectorAll("[data-update]")].filter(
    (update) => !shown.querySelector("#" + CSS.escape(update.id)),
  );
  for (const update of added) update.classList.add("new");
  const focused = document.activeElement.closest("details")?.id;
  shown.replaceWith(document.adoptNode(fresh));
  // The only focusable element in it keeps the keyboard focus.
  if (focused) document.querySelector("#" + CSS.escape(focused) + " summary")?.focus({ preventScroll: true });
  if (added.length > 0) document.getElementById("news").textContent = "New update: " + added[0].dataset.update;
}

setInterval(refresh, 2000);
`;
