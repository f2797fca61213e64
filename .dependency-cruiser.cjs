/** Which room may import what: the arrows of the design. A room is a folder at the root. */

const rooms = "^(provider|sdk|cli|sandbox)/";
const client = "^provider/client/";
const audit = "^sdk/audit/";
const auditing = "^sdk/auditing/";
const shownConfig = "^provider/client/shownConfig\\.ts$";

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
  to: { path: "^(provider|sdk|cli|sandbox|examples|test|bench|scripts|soak)/", pathNot: [from.path, ...to] },
});

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    only("client-alone", "provider/client is HTTP only and knows none of the others", { path: client }, []),
    only("provider-down", "the provider imports its client alone", { path: "^provider/" }, []),
    only(
      "audit-alone",
      "sdk/audit knows no HTTP and no Pulumi. It imports the list of settings that may be shown, which imports nothing, because a second list could show what the first one hides",
      { path: audit },
      [shownConfig],
    ),
    {
      name: "shown-config-alone",
      comment: "the audit imports this list, and must not get HTTP or Pulumi with it",
      severity: "error",
      from: { path: shownConfig },
      to: {},
    },
    only(
      "auditing-down",
      "sdk/auditing audits what the client reads, for the CLI and for programs",
      { path: auditing },
      [audit, client, "^provider/connection\\.ts$"],
    ),
    only("sdk-down", "the SDK imports the provider", { path: "^sdk/" }, ["^provider/"]),
    only(
      "sandbox-alone",
      "the sandbox shares the schemas with the client, nothing else",
      { path: "^sandbox/" },
      [`${client}schemas/`],
    ),
    only(
      "cli-down",
      "the CLI imports the audit and what runs it, the client, what connects it, the names of kinds, and the sandbox",
      { path: "^cli/" },
      [
        "^provider/(connection|nodeVersion|settings)\\.ts$",
        "^provider/dynamic/text\\.ts$",
        audit,
        auditing,
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
      "the proofs start projects as the benchmarks do, and don't lean on the tests",
      { path: "^soak/" },
      [rooms, "^bench/project\\.js$", "^scripts/"],
    ),
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
      comment: "provider/client, sdk/audit and sdk/auditing never import Pulumi",
      severity: "error",
      from: { path: [client, audit, auditing] },
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
