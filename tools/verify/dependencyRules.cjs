/** The dependency rules: which module may import which. A module is a folder at the root, or one in provider, audit or tools. */

const shipped = "^(provider|plugin|sdk|audit|policy|cli|sandbox)/";
const api = "^provider/api/";
const credentials = "^provider/credentials/";
const expectations = "^provider/expectations/";
const texts = "^provider/texts/";
const values = "^provider/values/";
/** The API's objects, and what all may import. */
const facts = [api, texts, values];
const client = "^provider/client/";
const audit = "^audit/";
const sources = "^audit/sources/";
const heldFile = "^provider/machine/heldFile\\.ts$";
const packageManifest = "^provider/machine/packageManifest\\.ts$";
const errorCode = "^provider/machine/errorCode\\.ts$";
/** Plain JavaScript, so that the soak stages run it without a compiler. */
const driver = "^test/driver/[^/]+\\.js$";

/** The folders of the product, each after those that it imports: so that no imports of folders form a circle. */
const folders = [
  "provider/texts",
  "provider/values",
  "provider/machine",
  "provider/api",
  "provider/credentials",
  "provider/expectations",
  "provider/client/transport",
  "provider/client",
  "provider/protocol",
  "provider/protocol/texts",
  "provider/connection",
  "provider/publishing",
  "provider/lifecycles",
  "provider/lifecycles/incidentUpdate",
  "provider/lifecycles/observed",
  "provider/engine",
  "provider/dynamic",
  "provider/lookups",
  "audit/channels",
  "audit/definition",
  "audit/checks",
  "audit/rules",
  "audit/ruleFile",
  "audit/report",
  "audit/formats",
  "audit",
  "audit/sources",
  "plugin/grpc",
  "plugin",
  "sdk/program",
  "sdk/dataSources",
  "sdk/resources",
  "sdk/components",
  "sdk",
  "policy",
  "sandbox/store",
  "sandbox/http",
  "sandbox/faults",
  "sandbox/page",
  "sandbox/seed",
  "sandbox",
  "cli/command",
  "cli/audit",
  "cli/doctor",
  "cli",
];
/** @param {string} folder without those inside */
const filesOf = (folder) => `^${folder}/[^/]+$`;

const setUp = "^tools/setup/";
const runsCommands = [setUp, "^tools/pulumi/"];
const tables = "^tools/tables/";
/** The folders of tools, each after those that it imports. @type {Record<string, string[]>} */
const tools = {
  setup: [],
  tables: [],
  pulumi: [setUp],
  plugin: [setUp],
  demo: runsCommands,
  generate: runsCommands,
  verify: [setUp, "^tools/generate/"],
  test: [...runsCommands, tables, "^tools/generate/sdks/"],
  bench: [shipped, ...runsCommands, tables],
  soak: [shipped, ...runsCommands, tables, driver],
};

/**
 * The files of `from` import only each other and what `to` names. Other rules are for packages.
 * @param {string} name
 * @param {string} comment
 * @param {{path: string, pathNot?: string}} from
 * @param {string[]} to
 */
const only = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from,
  to: {
    path: "^(provider|plugin|sdk|audit|policy|cli|sandbox|examples|test|tools)/",
    pathNot: [from.path, ...to],
  },
});

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...folders.map((folder, index) =>
      only(
        `${folder.replaceAll("/", "-")}-in-order`,
        `${folder} imports only folders that are before it in the list, so that none form a circle`,
        { path: filesOf(folder) },
        folders.slice(0, index).map(filesOf),
      ),
    ),
    {
      name: "folders-in-order",
      comment: "a new folder has its place in the list",
      severity: "error",
      from: { path: shipped, pathNot: folders.map(filesOf) },
      to: { path: shipped },
    },
    only("values-alone", "checks of values import no other module", { path: values }, []),
    only("api-alone", "the API's objects import only work on texts", { path: api }, [texts]),
    only("client-down", "provider/client is HTTP only", { path: client }, [
      ...facts,
      packageManifest,
      errorCode,
    ]),
    only(
      "credentials-down",
      "facts about credentials are of the API's objects",
      { path: credentials },
      facts,
    ),
    only(
      "plugin-down",
      "the plugin is to programs in other languages what the SDK is to TypeScript, and may audit",
      { path: "^plugin/" },
      ["^provider/", audit],
    ),
    {
      name: "adapters-apart",
      comment: "the dynamic provider and the native plugin share code only through provider/engine",
      severity: "error",
      from: { path: "^plugin/" },
      to: { path: "^provider/dynamic/" },
    },
    only("expectations-down", "expectations are of the API's objects", { path: expectations }, [
      ...facts,
      credentials,
    ]),
    only("audit-alone", "the audit uses neither HTTP nor Pulumi", { path: audit, pathNot: sources }, [
      ...facts,
      credentials,
      expectations,
      packageManifest,
    ]),
    only(
      "sources-down",
      "audit/sources reads the channels to audit, for the CLI, for programs and for the plugin",
      { path: sources },
      [
        audit,
        ...facts,
        client,
        credentials,
        "^provider/connection/connections\\.ts$",
        packageManifest,
        "^provider/lookups/(lookupArguments|lookup|readEach)\\.ts$",
      ],
    ),
    only(
      "policy-down",
      "the policy pack imports the audit, text comparison, the names of resource types, and the rendering of errors",
      { path: "^policy/" },
      [
        audit,
        ...facts,
        client,
        "^provider/engine/resourceTypes\\.ts$",
        "^provider/engine/withoutStack\\.ts$",
      ],
    ),
    only("sdk-down", "the SDK imports the provider", { path: "^sdk/" }, ["^provider/", audit]),
    only(
      "sandbox-alone",
      "the sandbox uses the API's objects, files, and the names of the settings",
      { path: "^sandbox/" },
      [...facts, heldFile, "^provider/connection/environmentVariables\\.ts$"],
    ),
    only(
      "cli-down",
      "the CLI imports the audit, the client and its connection, a lookup, the names of resource types, the mark of secrets, and the sandbox",
      { path: "^cli/" },
      [
        "^provider/publishing/(incidentKey|lockDirectory)\\.ts$",
        "^provider/machine/nodeVersion\\.ts$",
        packageManifest,
        "^provider/connection/(connections|lockDirectoryPath|longWait|nearestIncident|reads|settings|environmentVariables)\\.ts$",
        "^provider/lookups/(getOpenIncidents|lookup)\\.ts$",
        "^provider/engine/signatureKey\\.ts$",
        "^provider/engine/resourceTypes\\.ts$",
        ...facts,
        audit,
        client,
        "^sandbox/",
      ],
    ),
    only(
      "examples-by-name",
      "examples import the package by its name, as users do",
      { path: "^examples/" },
      [],
    ),
    ...Object.entries(tools).map(([folder, others]) => {
      const comment = `tools/${folder} imports ${others.join(", ") || "no other module"}`;
      return only(`tools-${folder}`, comment, { path: `^tools/${folder}/` }, others);
    }),
    only("driver-alone", "the driver imports neither tests nor soak stages", { path: driver }, [
      shipped,
      ...runsCommands,
    ]),
    {
      name: "tools-bare",
      comment: "tools run before any package is installed, except those that others load afterwards",
      severity: "error",
      from: {
        path: "^tools/(?!bench|soak)",
        pathNot: "^tools/(setup/engine/installProcess|setup/steps/bundle|plugin/archives)\\.js$",
      },
      to: { dependencyTypesNot: ["core", "local"] },
    },
    {
      name: "client-without-pulumi",
      comment: "the API's objects, facts about credentials, the client and the audit never import Pulumi",
      severity: "error",
      from: { path: [...facts, credentials, client, audit] },
      to: { path: "node_modules/@pulumi/" },
    },
    {
      name: "axios-in-client",
      comment: "only provider/client, its tests and its benchmarks import axios",
      severity: "error",
      from: { pathNot: [client, "^test/client/", "^tools/bench/"] },
      to: { path: "node_modules/axios/" },
    },
    {
      name: "shipped-dependencies",
      comment: "published code imports no package that npm doesn't install with it",
      severity: "error",
      from: { path: shipped },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["npm-peer", "type-only"],
      },
    },
    { name: "no-cycles", comment: "no cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "resolvable",
      comment: "every import can be resolved",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "^dist/"] },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["require", "types", "default"] },
  },
};
