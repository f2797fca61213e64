const { modelOf, explore } = require("./search");
const { configurations } = require("./configurations");
const { switches } = require("./switches");
const from = Number(process.argv[2] ?? 0), every = Number(process.argv[3] ?? 1);
const only = new RegExp(process.argv[4] ?? "");
const sizes = JSON.parse(require("fs").readFileSync("/tmp/h/sizes28.json", "utf8"));
const list = configurations.filter((c) => (sizes[c.name] ?? 1) < 26000).sort((a, b) => sizes[a.name] - sizes[b.name]);
const hints = [[/full|complete|honoured id|clock/i, /full/], [/timeline|entr|order/i, /timeline|full history, timeline/], [/onChange|check found/i, /refuse/], [/list holds twice/, /twice/], [/refresh/, /refresh/], [/replace/i, /replace/],[/rejects/, /rejected/], [/\bids?\b|conflict/i, /ids|deleted/], [/consent|resend|note/i, /one update|two stacks, resend|swap|rename/], [/twin|unconfirmed|another|free|gives up|given up|occurrence|count/i, /swap|occurrence|refresh|lost state|rename/], [/only refused|nothing was sent/, /moved|full/], [/read/, /failing/], [/predecessor|A, B, A|lineage/, /A, B, A/]];
for (const [i, s] of switches.entries()) {
  if (i % every !== from || !only.test(s.name)) continue;
  const res = hints.filter(([a]) => a.test(s.name)).map(([, b]) => b);
  const order = [...list.filter((c) => res.some((r) => r.test(c.name))), ...list.filter((c) => !res.some((r) => r.test(c.name)))];
  let hit; let total = 0;
  for (const config of order) {
    if (hit) break;
    let r;
    try { r = explore(modelOf(config, s.replacements), 30000); } catch (e) { r = { violation: "threw " + e.message.slice(0, 80), states: 0 }; }
    total += r.states;
    if (r.violation) hit = `${config.name} | ${r.states} | ${r.violation}`;
  }
  console.log(hit ? "caught" : "NOT CAUGHT", "|", s.name, "|", hit ?? "", "|", total);
}
