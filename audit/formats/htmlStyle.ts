/** Colors have a contrast of at least 4.5 : 1, and no information depends on color alone. */
export const reportStyle = `
:root {
  color-scheme: light;
  --back: #f6f7f9; --card: #ffffff; --line: #dde2e9; --text: #111827; --quiet: #4b5563; --link: #1d4ed8;
  --error: #b91c1c; --error-back: #fee2e2; --warning: #92400e; --warning-back: #fef3c7;
  --clean: #15803d; --waived: #5b21b6; --waived-back: #ede9fe; --open: #1e40af; --open-back: #dbeafe;
  --faint: #6b7280;
}
@media (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --back: #0d1117; --card: #161b22; --line: #2d3540; --text: #e6edf3; --quiet: #a3afbc; --link: #8ab4ff;
    --error: #ff9a94; --error-back: #4a1d1f; --warning: #f0c14b; --warning-back: #40320f;
    --clean: #4ade80; --waived: #c4b5fd; --waived-back: #322a56; --open: #93c5fd; --open-back: #172f55;
    --faint: #8b97a5;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto; max-width: 90rem; padding: 0 1.25rem 3rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  -webkit-text-size-adjust: 100%;
}
h1, h2, h3, p, ul, dl, dd { margin: 0; padding: 0; }
ul { list-style: none; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1rem; line-height: 1.35; overflow-wrap: anywhere; }
header { padding-top: 2.5rem; }
footer { margin-top: 3rem; color: var(--quiet); font-size: .9rem; }
a { color: var(--link); text-underline-offset: .15em; }
code { font: .9em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.unseen {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.skip { position: absolute; left: -99rem; padding: .5rem 1rem; background: var(--card); }
.skip:focus { left: 1rem; top: 1rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }

.error { --tone: var(--error); --ground: var(--error-back); }
.warning { --tone: var(--warning); --ground: var(--warning-back); }
.clean { --tone: var(--clean); --ground: transparent; }
.waived { --tone: var(--waived); --ground: var(--waived-back); }
.open { --tone: var(--open); --ground: var(--open-back); }
.none { --tone: var(--faint); --ground: transparent; }

.verdict { display: flex; align-items: baseline; gap: .6rem; margin: 1rem 0 .25rem; font-size: 1.25rem; color: var(--tone); }
.verdict .sign { flex: none; }
.phone { display: none; }

.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-bottom: .75rem; color: var(--quiet); font-size: .9rem; }
.sign {
  display: inline-block; width: 1.5rem; border-radius: .3rem; text-align: center; font-weight: 700;
  color: var(--tone); background: var(--ground);
}

.scroll {
  position: relative; overflow: auto; background: var(--card); border: 1px solid var(--line); border-radius: .75rem;
  /* The header can only stick to the box that scrolls sideways, so this one scrolls down as well. */
  max-height: max(24rem, 92svh);
  /* Keeps focused cells clear of the sticky header and first column. */
  scroll-padding: 13rem 0 0 21rem;
}
table { border-collapse: separate; border-spacing: 0; }
.matrix { min-width: 100%; }
.matrix thead th { position: sticky; top: 0; z-index: 2; background: var(--card); padding: .75rem 0 .5rem; vertical-align: bottom; text-align: center; border-bottom: 2px solid var(--line); }
.matrix thead a { display: inline-block; color: var(--text); font-size: .85rem; font-weight: 500; text-decoration: none; }
.matrix thead a:hover { text-decoration: underline; }
.matrix thead span { display: block; writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; }
.matrix .corner, .matrix tbody th {
  position: sticky; left: 0; z-index: 1; padding: .4rem 1rem; text-align: left; background: var(--card);
  border-right: 1px solid var(--line);
}
.matrix .corner { z-index: 3; font-size: .85rem; padding-bottom: .6rem; }
.matrix tbody th { min-width: 11rem; max-width: 20rem; font-weight: 400; line-height: 1.3; }
.matrix b { display: block; font-weight: 600; overflow-wrap: anywhere; }
.matrix small { color: var(--quiet); font-size: .8rem; white-space: nowrap; }
.matrix td { padding: 2px; min-width: 2.25rem; height: 2.75rem; text-align: center; font-weight: 700; color: var(--tone); }
.matrix td.clean { font-weight: 400; }
.matrix td > * { border-radius: .35rem; }
.matrix td a, .matrix td > span:first-child {
  display: grid; place-content: center; height: 100%; min-height: 2.25rem; color: inherit; background: var(--ground);
  text-decoration: none; border-radius: .35rem;
}
.matrix td a:hover { outline: 2px solid var(--tone); }
.matrix tbody tr + tr > * { border-top: 1px solid var(--line); }
.matrix tbody tr:hover > * { background-color: color-mix(in srgb, var(--line) 35%, var(--card)); }

.card { padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.card + .card { margin-top: .75rem; }
.card:target { border-color: var(--link); box-shadow: 0 0 0 2px var(--link); }
.card h3 small { margin-left: .4rem; color: var(--quiet); font-weight: 400; }
.findings p { max-width: 48rem; }
.findings li { margin-top: .75rem; padding-left: .9rem; border-left: .25rem solid var(--tone); }
.badge {
  padding: .05rem .5rem; border-radius: 1rem; color: var(--tone); background: var(--ground); font-size: .8rem; font-weight: 650;
}
.questions li + li { margin-top: .6rem; padding-top: .6rem; border-top: 1px solid var(--line); }
.rules { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: .75rem; }
.rules .card { margin: 0; }
.rules p { margin-top: .4rem; }

@media (max-width: 40rem) {
  body { padding: 0 .9rem 2rem; }
  header { padding-top: 1.5rem; }
  h1 { font-size: 1.6rem; }
  .matrix .passing { display: none; }
  .phone { display: block; margin-top: .5rem; }
  .matrix tbody th, .matrix .corner { min-width: 8.5rem; max-width: 8.5rem; padding-left: .75rem; padding-right: .5rem; }
  .matrix small { white-space: normal; }
  .scroll { scroll-padding-left: 9rem; }
}
@media print {
  @page { size: A4 landscape; margin: 12mm; }
  :root {
    color-scheme: light;
    --back: #fff; --card: #fff; --line: #999; --text: #000; --quiet: #333; --link: #000; --faint: #555;
    --error: #900; --error-back: #fdd; --warning: #630; --warning-back: #feb; --clean: #060;
    --waived: #407; --waived-back: #eef; --open: #036; --open-back: #def;
  }
  body { padding: 0; max-width: none; font-size: 10pt; }
  .skip, footer { display: none; }
  .scroll { overflow: visible; max-height: none; border: 0; }
  .matrix thead th, .matrix tbody th { position: static; }
  a { text-decoration: none; }
  .matrix thead { display: table-header-group; }
  .matrix td, .matrix tbody th { height: auto; padding: 1pt 3pt; }
  .matrix td a, .matrix td > span:first-child { min-height: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .matrix td { min-width: 0; }
  .matrix thead span { font-size: 8pt; }
  tr, .card, .findings li { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
`;
