/** Renders the public status page: open incidents, all status pages, and recently resolved incidents. Loads nothing from other hosts. */
import { randomBytes } from "node:crypto";
import { Markup, multilineMarkup as html } from "../provider/markup";
import { formatCount } from "../provider/texts";
import {
  compareByLastChange,
  listIncidents,
  isOpen,
  listPageIds,
  type SandboxAccount,
  type SandboxData,
  type StoredIncident,
} from "./data";
import { type HttpResponse } from "./http";

export function renderPublicPage({ accounts: [account], mailed }: SandboxData): HttpResponse {
  const nonce = randomBytes(16).toString("base64");
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${account.name} status</title>
        <link rel="icon" href="data:image/svg+xml," />
        ${new Markup(`<style nonce="${nonce}">${style}</style>`)}
      </head>
      <body>
        <main>${renderContent(account, mailed)}</main>
        <footer>
          <p>This is a sandbox with test data; no emails are sent. The page updates automatically.</p>
        </footer>
        ${new Markup(`<script nonce="${nonce}">${script}</script>`)}
      </body>
    </html> `;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  return { status: 200, headers, body: page.text };
}

/** Updates the page every two seconds if its content has changed. */
const script = `let last; setInterval(async () => {
  const response = await fetch("/").catch(() => undefined);
  const [, main] = /<main>([^]*)<\\/main>/.exec((await response?.text()) ?? "") ?? [];
  if (main && main !== last) document.querySelector("main").innerHTML = last = main;
}, 2000);`;

/** The colors have a contrast of at least 4.5:1 in both themes. */
const style = `
:root { color-scheme: light dark; --back: #f4f6f8; --text: #111827; --line: #cbd5e1; --muted: #4b5563; --critical: #b91c1c; --major: #c2410c; --medium: #8a5a0c; --minor: #1d4ed8; --good: #15803d; }
@media (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --text: #e6edf3; --line: #3b4552; --muted: #9aa7b4; --critical: #ff8585; --major: #fb9a5b; --medium: #f0c14b; --minor: #79b8ff; --good: #4ade80; }
}
body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
article { margin: 1rem 0; padding-left: 1rem; border-left: .25rem solid var(--line); }
h3, p, ol, ul { margin: .25rem 0; } ul { padding: 0; list-style: none; columns: 18rem; }
.text { white-space: pre-wrap; } .muted { color: var(--muted); } .summary { font-size: 1.25rem; }
${["critical", "major", "medium", "minor", "good"].map((tone) => `.${tone} { color: var(--${tone}); }`).join(" ")}
`;

const maxPages = 200;
const maxResolved = 10;

function renderContent(account: SandboxAccount, mailed: SandboxData["mailed"]): Markup {
  const { statusPages, componentPages } = account;
  const pages = [...statusPages, ...componentPages];
  const shown = listIncidents(account)
    .sort(compareByLastChange)
    .map((incident) => ({ incident, ...getImpact(incident, account) }));
  const open = shown
    .filter(({ incident }) => isOpen(incident))
    .sort((one, other) => compareTones(one.worst, other.worst));
  const resolved = shown.filter(({ incident }) => !isOpen(incident)).slice(0, maxResolved);
  const renderArticles = (of: typeof shown) =>
    of.map(({ incident, states }) => {
      const { id, name, incidentUpdates } = incident;
      const ids = listPageIds(incident);
      const on = pages.filter((page) => ids.includes(page.id)).map((page) => page.name);
      return html`<article
        id="incident-${"statusPageId" in incident ? `${incident.statusPageId}-` : ""}${id}"
      >
        <h3>${name}</h3>
        <p>
          ${states.map(([state, text]) => html`<span class="${toneOf[state]}">${text}</span>, `)}<span
            >${on.join(", ")}</span
          >
        </p>
        <ol>
          ${incidentUpdates.map(
            (update) =>
              html`<li data-update="${update.id}">
                <p>
                  <b class="status">${formatWord(update.status)}</b>
                  <span class="muted">${renderTime(update.publicIncidentUpdateDate)}</span>
                  ${renderEmails(mailed[update.id])}
                </p>
                <p class="text">${update.description}</p>
              </li>`,
          )}
        </ol>
      </article>`;
    });
  const getState = (id: string): State =>
    open.find(({ incident }) => listPageIds(incident).includes(id))?.worst ?? "OPERATIONAL";
  const [first] = open;
  return html`<h1>${account.name}: service status</h1>
    ${
      first
        ? html`<p class="summary ${toneOf[first.worst]}">
            <strong>${formatCount(open.length, "open incident")}</strong>, worst:
            ${formatWord(first.worst).toLowerCase()}
          </p>`
        : html`<p class="summary good"><strong>All systems operational</strong></p>`
    }
    <h2>Open incidents</h2>
    ${renderArticles(open)}
    <h2>${pages.length} status pages</h2>
    <ul>
      ${pages.slice(0, maxPages).map(({ id, name }) => html`<li class="${toneOf[getState(id)]}"><span>${name}</span>: ${formatWord(getState(id))}</li>`)}
    </ul>
    <h2>Recently resolved</h2>
    ${renderArticles(resolved)}`;
}

/** Tones of incidents' severities and components' states, worst first. */
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
const compareTones = (one: State, other: State) => tones.indexOf(toneOf[one]) - tones.indexOf(toneOf[other]);

/** Returns the severity of an incident or, on a page with components, its ongoing impacts: the worst one, and the text for each. */
function getImpact(
  incident: StoredIncident,
  { componentPages }: SandboxAccount,
): { worst: State; states: [state: State, text: string][] } {
  if (!("statusPageId" in incident)) {
    const services = [...new Set(incident.services.map(({ name }) => name))];
    return {
      worst: incident.severity,
      states: [[incident.severity, [formatWord(incident.severity), ...services].join(", ")]],
    };
  }
  const page = componentPages.find(({ id }) => id === incident.statusPageId);
  const impacts = incident.componentImpacts
    .filter(({ endedAt }) => endedAt === null || !isOpen(incident))
    .sort((one, other) => compareTones(one.status, other.status));
  const findName = (id: string) => page?.components.find((each) => each.id === id)?.name;
  return {
    worst: isOpen(incident) ? (impacts[0]?.status ?? "OPERATIONAL") : "OPERATIONAL",
    states: impacts.map(({ componentId, status }) => [
      status,
      `${formatWord(status)}: ${findName(componentId)}`,
    ]),
  };
}

const renderEmails = (subscribers = 0) =>
  subscribers > 0 ? html`<span class="mailed">${formatCount(subscribers, "subscriber")} emailed</span>` : "";

/** Returns a readable form of a constant, such as `Major outage` for `MAJOR_OUTAGE`. */
const formatWord = (value: string) => value.charAt(0) + value.slice(1).toLowerCase().replaceAll("_", " ");

const timeFormat = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});
const renderTime = (instant: string) =>
  html`<time datetime="${instant}">${timeFormat.format(new Date(instant))} UTC</time>`;
