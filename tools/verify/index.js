require("../setup/nodeVersion");
const { argumentsOf, command } = require("../setup/command");
const { inParallel } = require("../setup/parallel");
const { prepareBuild } = require("../setup");
const { SetupFailure } = require("../setup/failure");
const { checks } = require("./checks");
const { Passed } = require("../setup/passed");

/** The commands that fix what a check finds. @type {Record<string, string>} */
const fixes = {
  lint: "`npx eslint --fix .` fixes some of it.",
  format: "`npm run format` fixes it.",
  unused:
    "Something new isn't in its list yet: the checklists in CONTRIBUTING.md say which. Anything else: delete it. Only what is " +
    "run by its name belongs into tools/verify/knip.json.",
  dependencies: "tools/verify/dependencyRules.cjs says why each rule exists.",
};

/** `npm run verify`: all checks, or the named ones: `npm run verify -- lint types`. */
command(async () => {
  const started = Date.now();
  const { names } = argumentsOf("check", checks, {});
  // Lint, types and dependencies of the examples need the built package.
  await prepareBuild();
  const passed = new Passed();
  const wanted = Object.entries(checks).filter(([name]) => names.includes(name));
  const count = wanted.length;
  const failed = (await inParallel(wanted, (named) => failureOf(named, passed))).flat();
  passed.end();
  const seconds = since(started);
  if (failed.length === 0) console.log(`${count} of ${count} checks passed in ${seconds}`);
  else console.log(`${failed.length} of ${count} checks failed in ${seconds}: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
});

/**
 * @param {[name: string, check: import("./checks").Check]} named
 * @param {Passed} passed
 * @returns {Promise<string[]>} its name if it fails
 */
async function failureOf([name, check], passed) {
  const started = Date.now();
  try {
    const isRun = await check(passed);
    console.log(`ok      ${name.padEnd(12)} ${isRun ? since(started) : "nothing changed since it passed"}`);
    return [];
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    const text = [error.message, fixes[name] || ""].join("\n").trimEnd();
    console.log(`FAILED  ${name.padEnd(12)} ${since(started)}\n${text.replace(/^/gm, "  ")}`);
    return [name];
  }
}

/** @param {number} started */
function since(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}
