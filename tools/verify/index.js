require("../setup/nodeVersion");
const { prepareBuild, root } = require("../setup");
const { argumentsOf, command, inParallel, run } = require("../setup/run");
const { scripts } = require("../../package.json");

/** Scripts of package.json with the name `verify:NAME`, by NAME. The slowest scripts are first in package.json. */
const checks = Object.fromEntries(
  Object.entries(scripts).flatMap(([name, script]) =>
    name.startsWith("verify:") ? [[name.slice("verify:".length), script]] : [],
  ),
);

/** Instructions to fix the findings of a check. @type {Record<string, string>} */
const fixes = {
  lint: "`npx oxlint --fix` fixes some of it.",
  format: "`npm run format` fixes it.",
  unused: "Delete it. Only what is run by its name belongs into tools/verify/knip.json.",
};

/** `npm run verify`: runs all checks or the named ones, as in `npm run verify -- lint shape`. */
command(async () => {
  const started = Date.now();
  const { names } = argumentsOf("check", checks, {});
  // The checks of the examples' code, types and dependencies need the built package.
  await prepareBuild();
  const wanted = Object.entries(checks).filter(([name]) => names.includes(name));
  const failed = (await inParallel(wanted, failureOf)).flat();
  const result = failed.length === 0 ? "passed" : `failed: ${failed.join(", ")}`;
  console.log(`${wanted.length} checks in ${since(started)}, ${result}`);
  return failed.length === 0 ? 0 : 1;
});

/** @param {[name: string, script: string]} check @returns {Promise<string[]>} its name if it fails */
async function failureOf([name, script]) {
  const started = Date.now();
  // The script can use the commands of packages, because `npm run` adds them to PATH.
  const { ok, output } = await run(script, [], { cwd: root, shell: true });
  const text = ok ? (name === "shape" ? output : "") : [output.trim(), fixes[name] || ""].join("\n");
  console.log(`${ok ? "ok    " : "FAILED"}  ${name.padEnd(12)} ${since(started)}`);
  if (text !== "") console.log(text.trimEnd().replace(/^/gm, "  "));
  return ok ? [] : [name];
}

/** @param {number} started */
function since(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}
