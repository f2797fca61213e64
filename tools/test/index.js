require("../setup/nodeVersion");
const path = require("node:path");
const { generateSdks } = require("../generate/sdks");
const { pack, prepare, prepareInstalled, root } = require("../setup");
const { command, handOver, run, say, SetupFailure } = require("../setup/run");
const { postgresPrograms, postgresUser } = require("./backends");
const { prepareLanguages } = require("./languages");

const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");

/** Tests of the main tier that start built files or the engine. The other tests run on the sources. */
const needBuild =
  /\/(test\/(driver|engine|process|plugin\/process|sdk\/mistakesOfPreview|cli\/(monitoring|preview|sandbox)|tools\/trial))\b/;

/** Tests of the checklists. Jest can't detect that changes affect them, because they read files that they don't import. */
const checklists = ["test/contributing.test.ts", "test/contract"];

/**
 * `npm test`, or a script of another tier with `--tier`: prepares everything that the tests need, then runs jest with the other
 * arguments. `--changed` runs the tests that import files with uncommitted changes, and the tests of the checklists. It omits the tests that
 * need a build, because they take most of the time, and prints the command that runs them.
 */
command(async () => {
  let args = process.argv.slice(2);
  const at = args.indexOf("--tier");
  const [, tier = ""] = at === -1 ? ["", "main"] : args.splice(at, 2);
  process.env.TEST_TIER = tier;
  await prepareInstalled();
  // This fails if the tier doesn't exist.
  require("../../jest.config");
  if (tier !== "main") await prepareTier(tier);
  if (args.includes("--changed")) args = await selectChanged(args.filter((arg) => arg !== "--changed"));
  else if (tier === "main" && (args.length === 0 || (await listed(args)).some(findBuildTests)))
    await prepare();
  return handOver(process.execPath, [jest, ...args], { cwd: root });
});

/** Returns the arguments of jest for `--changed`. @param {string[]} others the other arguments */
async function selectChanged(others) {
  const reached = (await Promise.all([listed(["--onlyChanged"]), listed(checklists)])).flat();
  const omitted = new Set(reached.map(findBuildTests).filter(Boolean));
  if (omitted.size > 0) say(`Omitting tests that need a build: npm test -- ${[...omitted].join(" ")}`);
  return [...others, "--runTestsByPath", ...new Set(reached.filter((file) => !findBuildTests(file)))];
}

/** Returns the folder or file of the tests that need a build, if it contains this file. @param {string} file */
function findBuildTests(file) {
  const [, found] = needBuild.exec(file.replaceAll("\\", "/")) || [];
  return found;
}

/** Returns the test files that jest would run. @param {string[]} args */
async function listed(args) {
  // These options are removed, because jest would write the list to the results file.
  const others = args.filter((arg) => !/^--(json|outputFile=)/.test(arg));
  const { ok, stdout, output } = await run(process.execPath, [jest, "--listTests", ...others], { cwd: root });
  if (!ok) throw new SetupFailure(output.trim());
  return stdout.split("\n").filter(Boolean);
}

/** @param {string} tier */
async function prepareTier(tier) {
  if (tier === "backends") {
    // These calls fail early if PostgreSQL is missing on this machine.
    postgresPrograms();
    postgresUser();
  }
  await prepare();
  if (tier === "languages") {
    await generateSdks();
    await prepareLanguages();
  }
  await pack();
}
