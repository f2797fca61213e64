const { loadCore } = require("./core");
const { successorsOf, firstWorld } = require("./search");
const { configurations } = require("./configurations");
const config = configurations.find((c) => c.name === process.argv[2]);
const model = { core: loadCore(), config };
let w = firstWorld(config);
for (const l of process.argv.slice(3)) {
  const all = successorsOf(model, w);
  const n = all.find((s) => s.label === l) ?? (l === "" ? all[0] : undefined);
  if (!n) {
    console.log(
      "no",
      l,
      all.map((s) => s.label),
    );
    break;
  }
  w = n.world;
  if (n.violation) console.log(n.violation);
}
console.dir({ ...w, stacks: w.stacks }, { depth: 8 });
