const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { createHash } = require("node:crypto");
const { root } = require("../../setup");
const { SetupFailure } = require("../../setup/failure");
const { run } = require("../../setup/run");
const { pullRequestPage } = require("./pullRequest");

/** @typedef {import("../../../sandbox").Sandbox} Sandbox */

const monitoring = path.join(root, "dist", "cli", "monitoring.js");

/**
 * The pages that the pictures show.
 * @param {Sandbox} sandbox
 * @param {string} scratch
 * @param {string} preview what `pulumi preview --json` prints
 * @returns {Promise<Record<"status-page" | "audit-report" | "pull-request", string>>} their HTML
 */
async function pagesOf(sandbox, scratch, preview) {
  const rules = path.join(root, "examples", "audit-in-pipeline", "audit.yaml");
  return {
    "status-page": await (await fetch(sandbox.url, { headers: { accept: "text/html" } })).text(),
    "audit-report": await audited(sandbox, scratch, recommended(sandbox), "html"),
    "pull-request": pullRequestPage([
      await commentOf(scratch, preview),
      await audited(sandbox, scratch, fs.readFileSync(rules, "utf8"), "markdown"),
    ]),
  };
}

/** All channels of the sandbox, by type. @param {Sandbox} sandbox */
function recommended({ data }) {
  const [{ alertChannels }] = data.accounts;
  const channels = alertChannels.map(({ id, type }) => [`${type.toLowerCase()}-${id}`, id]);
  return JSON.stringify({ extends: "recommended", channels: Object.fromEntries(channels) });
}

/**
 * A report of `monitoring audit`.
 * @param {Sandbox} sandbox
 * @param {string} scratch
 * @param {string} rules
 * @param {"html" | "markdown"} format
 */
async function audited({ url, apiKey, accountId }, scratch, rules, format) {
  fs.writeFileSync(path.join(scratch, "audit.yaml"), rules);
  const settings = { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, MONITORING_ACCOUNT_ID: accountId };
  // In that folder, because the report shows the path of its rules.
  const options = { cwd: scratch, env: { ...process.env, ...settings } };
  const { stdout, output } = await run(process.execPath, [monitoring, "audit", "--format", format], options);
  if (stdout === "") throw new SetupFailure(`monitoring audit wrote no report:\n${output}`);
  return stdout;
}

/** What `monitoring preview` makes of a preview. @param {string} scratch @param {string} preview */
async function commentOf(scratch, preview) {
  const file = path.join(scratch, "preview.json");
  fs.writeFileSync(file, preview);
  const { ok, stdout, output } = await run(process.execPath, [monitoring, "preview", file]);
  if (!ok) throw new SetupFailure(`monitoring preview failed:\n${output}`);
  return stdout;
}

/** Opened in a browser. @param {string} scratch @param {string} name @param {string} html */
function urlOf(scratch, name, html) {
  const file = path.join(scratch, `${name}.html`);
  fs.writeFileSync(file, html);
  return pathToFileURL(file).href;
}

/** Of the text, except what is different in each run: addresses, times, ages and ids. @param {string} html */
function hashOf(html) {
  const text = html
    .replace(/<(style|script)\b[^]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/127\.0\.0\.1:\d+/g, "address")
    .replace(/\d+ \w+ \d{4}(,| at) \d\d:\d\d UTC|\d{4}-\d\d-\d\d(T[\d:.]+Z)?|\d+ days/g, "time")
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "id")
    .replace(/\s+/g, " ");
  return createHash("sha256").update(text).digest("hex");
}

module.exports = { hashOf, pagesOf, urlOf };
