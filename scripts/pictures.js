require("./setup/nodeVersion");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { command } = require("./command");
const { launchBrowser } = require("./pictures/browser");
const { writePullRequest } = require("./pictures/pullRequest");
const { prepareBuild, root } = require("./setup");
const { SetupFailure } = require("./setup/failure");
const { run } = require("./setup/run");

/** @typedef {import("../sandbox").Sandbox} Sandbox */
/** @typedef {import("puppeteer-core").Browser} Browser */

const folder = path.join(root, "docs", "pictures");
const mostBytes = 150000;

/** The size of each picture, in CSS pixels. */
const views = {
  "status-page": { width: 960, height: 620, deviceScaleFactor: 1.5 },
  "audit-report": { width: 1060, height: 960, deviceScaleFactor: 1 },
  "pull-request": { width: 1000, height: 770, deviceScaleFactor: 1 },
};

/** `npm run pictures`: takes the screenshots in docs/pictures for the README, in a real browser. */
command(async () => {
  await prepareBuild();
  /** @type {typeof import("../sandbox")} */
  const { startSandbox } = require(path.join(root, "dist", "sandbox"));
  const browser = await launchBrowser();
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "pictures-"));
  const sandbox = await startSandbox();
  try {
    fs.mkdirSync(folder, { recursive: true });
    const report = await auditReport(sandbox, scratch);
    const pullRequest = await writePullRequest(sandbox, scratch);
    for (const theme of /** @type {const} */ (["light", "dark"])) {
      await takePicture(browser, "status-page", sandbox.url, theme);
      await takePicture(browser, "audit-report", report, theme);
      await takePicture(browser, "pull-request", pullRequest, theme);
    }
  } finally {
    await browser.close();
    await sandbox.close();
    fs.rmSync(scratch, { recursive: true });
  }
});

/**
 * The report of `monitoring audit` about all channels of the sandbox.
 * @param {Sandbox} sandbox
 * @param {string} scratch
 * @returns {Promise<string>} its URL
 */
async function auditReport({ url, apiKey, accountId, data }, scratch) {
  const [{ alertChannels }] = data.accounts;
  const channels = Object.fromEntries(
    alertChannels.map(({ id, type }) => [`${type.toLowerCase()}-${id}`, id]),
  );
  fs.writeFileSync(path.join(scratch, "audit.json"), JSON.stringify({ extends: "recommended", channels }));
  const monitoring = path.join(root, "dist", "cli", "monitoring.js");
  const args = ["audit", "--rules", "audit.json", "--format", "html", "--output", "audit.html"];
  const settings = { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, MONITORING_ACCOUNT_ID: accountId };
  // In that folder, because the report shows the path of its rules.
  const { output } = await run(process.execPath, [monitoring, ...args], {
    cwd: scratch,
    env: { ...process.env, ...settings },
  });
  const report = path.join(scratch, "audit.html");
  if (!fs.existsSync(report)) throw new SetupFailure(`monitoring audit wrote no report:\n${output}`);
  return pathToFileURL(report).href;
}

/**
 * @param {Browser} browser
 * @param {keyof typeof views} name
 * @param {string} url
 * @param {"light" | "dark"} theme
 */
async function takePicture(browser, name, url, theme) {
  const page = await browser.newPage();
  await page.setViewport(views[name]);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  await page.goto(url);
  const file = path.join(folder, `${name}-${theme}.png`);
  const picture = await page.screenshot();
  await page.close();
  if (picture.length > mostBytes) {
    throw new SetupFailure(`${file} would have ${picture.length} bytes, more than ${mostBytes}.`);
  }
  fs.writeFileSync(file, picture);
  console.log(`${path.relative(root, file)}: ${Math.round(picture.length / 1000)} kB`);
}
