import type { Browser } from "puppeteer-core";
import { launchBrowser } from "./launchBrowser";

/** That of the test file. */
export let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterEach(async () => {
  for (const page of await browser.pages()) await page.close();
});
afterAll(() => browser.close());
