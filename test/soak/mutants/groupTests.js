/** Combines all tests of a group in one file, so that Jest loads their modules once for each change, and not once for each test file. */
const path = require("node:path");
const { groups, getTestFile } = require("./groups");

const { files = [], tests = [] } = groups[process.env.MUTANTS ?? ""] ?? {};
// A command is loaded here. Otherwise, its first test would load it, and Stryker would attribute the command's constants only to that test.
for (const file of files) if (file.startsWith("cli/")) require(path.join(__dirname, "../../..", file));
// With `describe`, the hooks of a file apply only to its own tests.
for (const name of tests) describe(name, () => void require(getTestFile(name)));
