require("../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { prepareBuild, root } = require("../setup");
const { makeFolder } = require("../setup/go");
const { command, run, SetupFailure } = require("../setup/run");

/** @typedef {import("../../sandbox").Sandbox} Sandbox */

const folder = path.join(root, "docs", "pictures");
const audited = path.join(root, "examples", "audit-in-pipeline");

/** `npm run pictures`: takes the screenshots of the README and the guides in a real browser. */
async function takePictures() {
  await prepareBuild();
  /** @type {typeof import("../../sandbox")} */
  const { startSandbox } = require(path.join(root, "dist", "sandbox"));
  const sandbox = await startSandbox();
  const browser = await launchBrowser();
  try {
    const report = await printed(sandbox, folder, "audit", "--all", "--format", "html");
    await take("status-page", sandbox.url, { width: 960, height: 620 });
    await take("audit-report", addressOf(report), { width: 1060, height: 960 });
    const audit = await printed(sandbox, audited, "audit", "--format", "markdown");
    await take("pull-request", addressOf(pageOf(await preview("preview"), audit)), { width: 1280 });
    await take("correction", addressOf(pageOf(await preview("correction"))), { width: 960 });
  } finally {
    await browser.close();
    await sandbox.close();
  }

  /** Returns the comment of a recorded preview. @param {string} name */
  function preview(name) {
    const pulumi = `node ${path.join(__dirname, "recordedPulumi.js")} ${name}`;
    return printed(sandbox, audited, "preview", "--format", "markdown", "--pulumi", pulumi);
  }

  /** @param {string} name @param {string} url @param {{width: number, height?: number}} size without a height, the whole page is shown */
  async function take(name, url, { width, height }) {
    const page = await browser.newPage({ viewport: { width, height: height ?? 100 } });
    await page.goto(url);
    await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: height === undefined });
  }
}

/** @param {string} html */
const addressOf = (html) => `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;

/**
 * Returns the output of a command in a folder. The command reads the folder's rule file, if there is one.
 * @param {Sandbox} sandbox
 * @param {string} cwd
 * @param {string[]} args
 */
async function printed({ url, apiKey, accountId }, cwd, ...args) {
  const settings = { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, MONITORING_ACCOUNT_ID: accountId };
  const command = path.join(root, "dist", "cli", "monitoring.js");
  const options = { cwd, env: { ...process.env, ...settings } };
  const { stdout, output } = await run(process.execPath, [command, ...args], options);
  if (stdout === "") throw new SetupFailure(`monitoring ${args.join(" ")} printed nothing:\n${output}`);
  return stdout;
}

const styles = `
  body { margin: 16px auto; padding: 0 16px; max-width: 900px; font: 14px/1.5 system-ui, sans-serif; color: #1f2328; }
  article { border: 1px solid #d1d9e0; border-radius: 6px; margin-bottom: 16px; }
  header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e; }
  section { padding: 0 16px 8px; }
  table { border-collapse: collapse; }
  th, td { border: 1px solid #d1d9e0; padding: 6px 13px; }
  code { background: #eff1f3; border-radius: 6px; padding: 2px 5px; font-size: 85%; }
  blockquote { margin: 0; padding: 0 16px; color: #59636e; border-left: 4px solid #d1d9e0; }
  a { color: #0969da; text-decoration: none; }`;

/** Returns the page of a pull request with comments by the job, similar to GitHub. @param {string[]} comments in Markdown */
function pageOf(...comments) {
  /** @type {typeof import("marked")} */
  const { marked } = require(path.join(root, "node_modules", "marked"));
  const articles = comments.map((markdown) => {
    // GitHub keeps line breaks in comments. The emoji are replaced, because the font may lack them.
    const html = marked
      .parse(markdown, { gfm: true, breaks: true, async: false })
      .replaceAll("🔴", '<b style="color: #d1242f">●</b>')
      .replaceAll("🟡", '<b style="color: #bf8700">●</b>');
    const header = "<header><b>github-actions</b> (bot) commented</header>";
    return `<article>${header}<section>${html}</section></article>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>${styles}</style>${articles.join("")}`;
}

/**
 * Starts a real browser: from an npm package on Linux (x64), otherwise this machine's Chrome. CHROME_PATH can specify another browser.
 * @returns {Promise<import("playwright-core").Browser>}
 */
async function launchBrowser() {
  /** @type {typeof import("playwright-core")} */
  const { chromium } = require(path.join(root, "node_modules", "playwright-core"));
  const hasPackage = process.platform === "linux" && process.arch === "x64";
  const executablePath = process.env["CHROME_PATH"] ?? (hasPackage ? await fromPackage() : undefined);
  return chromium.launch({
    // The sandbox isn't needed for our own pages, and isn't available as root or in a container.
    args: ["--no-sandbox"],
    ...(executablePath === undefined ? { channel: "chrome" } : { executablePath }),
  });
}

/** Unpacks the browser once. */
async function fromPackage() {
  const packaged = require.resolve("@sparticuz/chromium");
  const manifest = path.resolve(packaged, "../../../package.json");
  const { version } = JSON.parse(fs.readFileSync(manifest, "utf8"));
  const folder = path.join(root, "node_modules", ".cache", `chromium-${version}`);
  await makeFolder(folder, async (partial) => {
    // The package can only unpack into the folder for temporary files.
    const env = { ...process.env, TMPDIR: partial };
    const unpack = "require(process.argv[1]).executablePath()";
    const { ok, output } = await run(process.execPath, ["-e", unpack, packaged], { env });
    if (!ok) throw new SetupFailure(`The browser could not be unpacked:\n${output}`);
  });
  return path.join(folder, "chromium");
}

if (require.main === module) command(takePictures);

module.exports = { launchBrowser };
