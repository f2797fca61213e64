/** Colours by theme; red, orange, amber and blue by severity, each readable on the card (4.5 : 1 and more). */
export const style = `
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
