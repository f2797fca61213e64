const { loadCore } = require("./core");
const { explore } = require("./search");
const { configurations: base, unguarded } = require("./configurations");
const configurations = process.argv[5] ? unguarded : base;
const only = new RegExp(process.argv[2] ?? "");
const from = process.argv[4] ? configurations.findIndex((c) => c.name.includes(process.argv[4])) : 0;
for (const config of configurations.slice(from).filter((c) => only.test(c.name))) {
  const t = Date.now();
  const r = explore(
    {
      core: loadCore(
        config.replacements ??
          (config.limit
            ? [{ file: "ledger", text: "fullFrom = 100", by: `fullFrom = ${config.limit}` }]
            : []),
      ),
      config,
    },
    Number(process.argv[3] ?? 300000),
  );
  console.log(
    config.name,
    "|",
    r.states,
    r.isComplete ? "" : "INCOMPLETE",
    Date.now() - t,
    "ms",
    r.violation ?? "ok",
    config.mustFail ? "(must fail)" : "",
  );
  if (r.violation) for (const l of r.trace) console.log("    ", l);
}
