const path = require("node:path");
const { root } = require("../../setup");
const { filesUnder } = require("../../setup/files");

/** The texts of reports, which the tests of the audit prove. */
const ofReports = ["escapedJson", "inertMarkdown", "markdownParts"].map(
  (name) => `provider/texts/${name}.ts`,
);

/**
 * The mutated files and folders, the tests that must kill the mutants, and the required percentage. The tests of the first groups
 * call one module directly, so they are fast, and no other test makes up for a mutant that they miss. Survivors of an explored group
 * are given to the explorer.
 * @type {Record<string, {mutate: string[], without?: string[], tests: string[], percent: number, isExplored?: boolean}>}
 */
const groups = {
  retry: {
    mutate: ["provider/client/applied.ts", "provider/client/retry.ts"],
    tests: ["client/retry"],
    percent: 100,
  },
  paths: { mutate: ["provider/api/path.ts"], tests: ["api/path"], percent: 100 },
  redaction: {
    mutate: [
      "provider/credentials/redactConfig.ts",
      "provider/credentials/redactedCredential.ts",
      "provider/credentials/credentialFingerprint.ts",
      "provider/client/secretMasker.ts",
    ],
    tests: ["credentials/redactConfig", "client/secretMasker"],
    percent: 99,
  },
  reconciliation: {
    mutate: ["provider/texts/normalizeText.ts", "provider/api/timestamps.ts", "provider/protocol"],
    tests: [
      "{api/timestamps,texts/normalizeText}",
      "protocol/{begin,codec,decide,decideUnseen,diff,finish,identity,ledger,notedIncident,post,question,searchForPost,timeline}",
      "protocol/{earlierRuns,texts}/*",
    ],
    percent: 100,
    isExplored: true,
  },
  client: {
    mutate: ["provider/api", "provider/client", "provider/credentials", "provider/texts", "provider/values"],
    without: [...ofReports, "provider/texts/regularExpression.ts"],
    tests: ["{api,client,credentials,texts}/**/*", "contract/{client,responses}"],
    percent: 90,
  },
  lifecycles: {
    mutate: ["provider/lifecycles", "provider/publishing"],
    tests: ["{lifecycles,publishing}/**/*"],
    percent: 90,
  },
  audit: {
    mutate: ["audit", ...ofReports],
    tests: ["audit/**/*", "cli/audit/*", "sdk/alertChannelAudit"],
    percent: 90,
  },
};

/** The mutated files of a group. @param {string} name */
function filesOf(name) {
  const { mutate = [], without = [] } = groups[name] ?? {};
  const all = mutate.flatMap((place) => {
    if (place.endsWith(".ts")) return [place];
    const files = filesUnder(path.join(root, place)).filter((file) => file.endsWith(".ts"));
    return files.map((file) => path.relative(root, file).replaceAll("\\", "/")).sort();
  });
  return all.filter((file) => !without.includes(file));
}

module.exports = { filesOf, groups };
