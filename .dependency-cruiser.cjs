/** Which room may import what: the arrows of the design. A room is a folder at the root. */

const rooms = "^(provider|sdk|audit|policy|cli|sandbox)/";
const api = "^provider/api/";
const client = "^provider/client/";
const audit = "^audit/";
const sources = "^audit/sources/";
/** Plain JavaScript, so that the proofs run it without a compiler. */
const driver = "^test/driver/[^/]+\\.js$";

/**
 * The files of `from` import nothing but themselves and what `to` names; packages are ruled elsewhere.
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
    path: "^(provider|sdk|audit|policy|cli|sandbox|examples|test|bench|scripts|soak)/",
    pathNot: [from.path, ...to],
  },
});

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    only("api-alone", "provider/api is a leaf: the API's objects, for everybody", { path: api }, []),
    only("client-down", "provider/client is HTTP only and imports provider/api alone", { path: client }, [
      api,
    ]),
    only("provider-down", "the provider imports nothing above it", { path: "^provider/" }, []),
    only("audit-alone", "the audit knows no HTTP and no Pulumi", { path: audit, pathNot: sources }, [api]),
    only(
      "sources-down",
      "audit/sources reads what is audited, for the CLI and for programs",
      { path: sources },
      [audit, api, client, "^provider/connection\\.ts$"],
    ),
    only(
      "policy-down",
      "the policy pack imports the audit, what compares texts, and how errors are shown",
      { path: "^policy/" },
      [audit, api, client, "^provider/(dynamic/text|lifecycles/words)\\.ts$", "^sdk/mistake\\.ts$"],
    ),
    only("sdk-down", "the SDK imports the provider", { path: "^sdk/" }, ["^provider/", audit]),
    only(
      "sandbox-alone",
      "the sandbox shares the API's objects with the client, nothing else",
      { path: "^sandbox/" },
      [api],
    ),
    only(
      "cli-down",
      "the CLI imports the audit and what runs it, the client, what connects it, the names of kinds, and the sandbox",
      { path: "^cli/" },
      [
        "^provider/(connection|nodeVersion|settings)\\.ts$",
        "^provider/dynamic/text\\.ts$",
        api,
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
    only("scripts-alone", "scripts run before anything else is there", { path: "^scripts/" }, []),
    only(
      "soak-not-test",
      "the proofs use the driver of provider processes, and no other part of the tests",
      { path: "^soak/" },
      [rooms, driver, "^scripts/"],
    ),
    only("driver-alone", "the driver serves tests and proofs, and knows neither", { path: driver }, [
      rooms,
      "^scripts/",
    ]),
    only("bench-not-test", "the benchmarks don't lean on the tests", { path: "^bench/" }, [
      rooms,
      "^scripts/",
    ]),
    {
      name: "scripts-bare",
      comment: "scripts run before any package is installed",
      severity: "error",
      from: { path: "^scripts/" },
      to: { dependencyTypesNot: ["core", "local"] },
    },
    {
      name: "client-without-pulumi",
      comment: "provider/api, provider/client and the audit never import Pulumi",
      severity: "error",
      from: { path: [api, client, audit] },
      to: { path: "node_modules/@pulumi/" },
    },
    {
      name: "axios-in-client",
      comment: "provider/client, and what tests or measures it, are the only places that know axios",
      severity: "error",
      from: { pathNot: [client, "^test/client/", "^bench/"] },
      to: { path: "node_modules/axios/" },
    },
    {
      name: "shipped-dependencies",
      comment: "what is published needs nothing that npm doesn't install with it",
      severity: "error",
      from: { path: rooms },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["npm-peer"] },
    },
    { name: "no-cycles", comment: "no cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "resolvable",
      comment: "every import leads somewhere",
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
