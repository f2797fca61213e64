/** All tests of a group as one file, so that jest loads what they need once for each change, instead of once for each of them. */
const { groups, testFile } = require("./groups");

const { tests = [] } = groups[process.env.MUTANTS ?? ""] ?? {};
for (const name of tests) require(testFile(name));
