const { modules } = require("./modules");

const names = Object.keys(modules);
const own = "^(provider|plugin|sdk|audit|policy|cli|sandbox|examples|test|tools)/";

/** @param {string} name @param {object} from @param {object} to */
const rule = (name, from, to) => ({ name, severity: "error", from, to });

const ofModules = Object.entries(modules).map(([name, others], index) => {
  const allowed = names.slice(0, index).filter((other) => !others.test(other));
  const inside = names.filter((other) => other.startsWith(`${name}/`)).map((other) => `^${other}/`);
  return rule(
    `${name} imports only ${allowed.join(", ") || "itself"}`,
    { path: `^${name}(/|$)`, ...(inside.length > 0 && { pathNot: inside }) },
    { path: own, pathNot: [name, ...allowed].map((each) => `^${each}(/|$)`) },
  );
});

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...ofModules,
    rule(
      "examples import the package by its name, as users do",
      { path: "^examples/" },
      { path: own, pathNot: "^examples/" },
    ),
    rule(
      "what installs, builds and starts things runs before any package is installed",
      {
        path: "^tools/(setup|demo|test|pulumi)/",
        pathNot: "^tools/setup/(engine/installProcess|steps/bundle)\\.js$",
      },
      { dependencyTypesNot: ["core", "local"] },
    ),
    rule(
      "the API's objects, the client and the audit never import Pulumi",
      { path: "^(provider/(api|texts|credentials|client|protocol)|audit)/" },
      { path: "node_modules/@pulumi/" },
    ),
    rule(
      "only the client, its tests and benchmarks know axios",
      { pathNot: "^(provider/client|test/client|tools/bench)/" },
      { path: "node_modules/axios/" },
    ),
    rule(
      "published code imports no package that npm doesn't install with it",
      { path: "^(provider|plugin|sdk|audit|policy|cli|sandbox)/" },
      {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["npm-peer", "type-only"],
      },
    ),
    rule("no import is circular", {}, { circular: true }),
    rule("every import can be resolved", {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: ["node_modules", "^dist/"] },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["require", "types", "default"] },
  },
};
