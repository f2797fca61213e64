/** All tests of a group as one file, so that jest loads what they need once for each change, instead of once for each of them. */
const path = require("node:path");
const { groups, testFile } = require("./groups");

const { files = [], tests = [] } = groups[process.env.MUTANTS ?? ""] ?? {};
// Otherwise, the first test that runs a command would load it, and alone count for its constants.
for (const file of files) if (file.startsWith("cli/")) require(path.join(__dirname, "../../..", file));
// The hooks of a file apply only to its own tests.
for (const name of tests) describe(name, () => void require(testFile(name)));
