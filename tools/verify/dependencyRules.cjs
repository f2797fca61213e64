/** The modules, each with its face and what it may import, and the rules on packages. CONTRIBUTING.md says what each hides. */

/** A module imports only modules that stand before it, so that no imports form a circle. */
const modules = [
  "provider/files.ts",
  "provider/nodeVersion.ts",
  "provider/packageManifest.ts",
  "provider/texts",
  "provider/api",
  "provider/credentials",
  "provider/expectations.ts",
  "provider/client",
  "provider/protocol",
  "provider/connection",
  "provider/publishing",
  "provider/engine",
  "provider/lifecycles",
  "provider/lookups",
  "provider/dynamic",
  "audit",
  "audit/sources",
  "plugin",
  "sdk",
  "policy",
  "sandbox",
  "cli",
];

/** What a module doesn't import although it stands before it. @type {Record<string, string[]>} */
const never = {
  "provider/client": ["provider/expectations.ts", "provider/credentials", "provider/nodeVersion.ts"],
  "provider/protocol": [
    "provider/credentials",
    "provider/expectations.ts",
    "provider/client",
    "provider/files.ts",
  ],
  audit: modules.slice(modules.indexOf("provider/client"), modules.indexOf("audit")),
  plugin: ["provider/dynamic"],
  sdk: ["provider/dynamic", "plugin"],
  policy: ["provider/dynamic", "plugin", "sdk"],
  sandbox: modules
    .slice(modules.indexOf("provider/credentials"), modules.indexOf("sandbox"))
    .filter((name) => name !== "provider/connection"),
  cli: ["provider/dynamic", "plugin", "sdk", "policy"],
};

/** The files of a module, without those of modules inside it. @param {string} name */
const filesOf = (name) => {
  const inside = modules.filter((other) => other.startsWith(`${name}/`));
  return {
    path: `^${name}(/|$)`,
    ...(inside.length > 0 && { pathNot: inside.map((other) => `^${other}/`) }),
  };
};
const shipped = "^(provider|plugin|sdk|audit|policy|cli|sandbox)/";
const own = "^(provider|plugin|sdk|audit|policy|cli|sandbox|examples|test|tools)/";

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...modules.map((name, index) => {
      const allowed = modules.slice(0, index).filter((other) => !never[name]?.includes(other));
      return rule(
        `module-${name}`,
        `${name} imports ${allowed.join(", ") || "no other module"}`,
        filesOf(name),
        {
          path: own,
          pathNot: [name, ...allowed].map((each) => `^${each}(/|$)`),
        },
      );
    }),
    rule(
      "examples-by-name",
      "examples import the package by its name, as users do",
      { path: "^examples/" },
      { path: own, pathNot: "^examples/" },
    ),
    rule(
      "tools-bare",
      "what installs, builds and starts things runs before any package is installed",
      {
        path: "^tools/(setup|demo|test|pulumi)/",
        pathNot: "^tools/setup/(engine/installProcess|steps/bundle)\\.js$",
      },
      { dependencyTypesNot: ["core", "local"] },
    ),
    rule(
      "without-pulumi",
      "the API's objects, the client and the audit never import Pulumi",
      { path: "^(provider/(api|texts|credentials|client|protocol)|audit)/" },
      { path: "node_modules/@pulumi/" },
    ),
    rule(
      "axios-in-client",
      "only the client, its tests and benchmarks know axios",
      { pathNot: "^(provider/client|test/client|bench|tools/bench)/" },
      { path: "node_modules/axios/" },
    ),
    rule(
      "shipped-dependencies",
      "published code imports no package that npm doesn't install with it",
      { path: shipped },
      {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["npm-peer", "type-only"],
      },
    ),
    rule("no-cycles", "no cycles", {}, { circular: true }),
    rule("resolvable", "every import can be resolved", {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: ["node_modules", "^dist/"] },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["require", "types", "default"] },
  },
};
