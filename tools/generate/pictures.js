require("../setup/nodeVersion");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { command } = require("../setup/command");
const { launchBrowser } = require("./pictures/browser");
const { hashOf, pagesOf, urlOf } = require("./pictures/picturedPages");
const { previewOf } = require("./pictures/pullRequest");
const { prepareBuild, root } = require("../setup");
const { SetupFailure } = require("../setup/failure");

/** @typedef {import("puppeteer-core").Browser} Browser */

const folder = path.join(root, "docs", "pictures");
const mostBytes = 150000;
const isCheck = process.argv.includes("--check");

/**
 * What each picture shows, and its size in CSS pixels. Without a height, it shows the whole page.
 * @type {Record<string, {page: keyof Awaited<ReturnType<typeof pagesOf>>, width: number, height?: number, scale: number}>}
 */
const views = {
  "status-page": { page: "status-page", width: 960, height: 620, scale: 1.5 },
  "audit-report": { page: "audit-report", width: 1060, height: 960, scale: 1 },
  "pull-request": { page: "pull-request", width: 1280, scale: 1 },
  "pull-request-narrow": { page: "pull-request", width: 390, scale: 1 },
};

/** What `pulumi preview --json` printed when the pictures were taken: `npm run test:docs` compares it with what it prints today. */
const previewFile = path.join(folder, "preview.json");
/** In the browser: whether a part of the page is seen only after scrolling to the right. */
const cutsOff =
  '[...document.querySelectorAll("*")].some(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)';
/** The hashes of the pages that the pictures show. */
const hashFile = path.join(folder, "hashes.json");

/**
 * `npm run pictures`: takes the screenshots in docs/pictures for the README, in a real browser. With `--check`, which needs no
 * browser and no engine, only says which are older than what they show.
 */
command(async () => {
  await prepareBuild();
  /** @type {typeof import("../../sandbox")} */
  const { startSandbox } = require(path.join(root, "dist", "sandbox"));
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "pictures-"));
  const sandbox = await startSandbox();
  try {
    const preview = isCheck ? fs.readFileSync(previewFile, "utf8") : await previewOf(sandbox);
    const pages = await pagesOf(sandbox, scratch, preview);
    const hashes = Object.fromEntries(Object.entries(pages).map(([name, html]) => [name, hashOf(html)]));
    if (isCheck) compare(hashes);
    else {
      await takePictures(scratch, pages);
      fs.writeFileSync(previewFile, preview);
      fs.writeFileSync(hashFile, `${JSON.stringify(hashes, undefined, 2)}\n`);
    }
  } finally {
    await sandbox.close();
    fs.rmSync(scratch, { recursive: true });
  }
});

/** @param {string} scratch @param {Awaited<ReturnType<typeof pagesOf>>} pages */
async function takePictures(scratch, pages) {
  const browser = await launchBrowser();
  try {
    for (const [name, view] of Object.entries(views))
      for (const theme of /** @type {const} */ (["light", "dark"]))
        await takePicture(browser, name, urlOf(scratch, name, pages[view.page]), theme);
  } finally {
    await browser.close();
  }
}

/** @param {Record<string, string>} hashes */
function compare(hashes) {
  const taken = JSON.parse(fs.readFileSync(hashFile, "utf8"));
  const older = Object.keys(hashes).filter((name) => hashes[name] !== taken[name]);
  if (older.length > 0)
    throw new SetupFailure(
      `Pictures are older than what they show: ${older.join(", ")}. Run \`npm run pictures\`.`,
    );
}

/**
 * @param {Browser} browser
 * @param {string} name
 * @param {string} url
 * @param {"light" | "dark"} theme
 */
async function takePicture(browser, name, url, theme) {
  const page = await browser.newPage();
  const view = views[name];
  if (!view) throw new Error(`No view of ${name}.`);
  const { width, height, scale: deviceScaleFactor } = view;
  await page.setViewport({ width, height: height === undefined ? 100 : height, deviceScaleFactor });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  await page.goto(url);
  const file = path.join(folder, `${name}-${theme}.png`);
  const isCut = await page.evaluate(cutsOff);
  const picture = await page.screenshot({ fullPage: height === undefined });
  await page.close();
  if (height === undefined && isCut === true)
    throw new SetupFailure(`${file} would not show a part at its right.`);
  if (picture.length > mostBytes) {
    throw new SetupFailure(`${file} would have ${picture.length} bytes, more than ${mostBytes}.`);
  }
  fs.writeFileSync(file, picture);
  console.log(`${path.relative(root, file)}: ${Math.round(picture.length / 1000)} kB`);
}
