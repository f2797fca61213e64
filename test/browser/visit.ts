/** Visits a page, and records its requests and errors. */
import { type AxeResults, source } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../tools/generate/pictures";

/** The browser of the test file. */
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
afterAll(() => browser.close());

/** The width of a phone, in CSS pixels. */
const phone = 390;

export interface Look {
  /** In CSS pixels. Default: 1280. */
  readonly width?: number;
  /** Default: light. */
  readonly theme?: "light" | "dark";
  /** Default: screen. */
  readonly media?: "screen" | "print";
}

/** The conditions in which each page is tested. */
export const screens: readonly Look[] = [
  { theme: "light" },
  { theme: "dark" },
  { theme: "light", width: phone },
  { theme: "dark", width: phone },
];

export interface Visit {
  readonly page: Page;
  /** URLs that the page requested, without the page itself. */
  readonly requests: readonly string[];
  /** Console messages and errors of scripts. */
  readonly complaints: readonly string[];
}

export async function visit(url: string, look: Look = {}): Promise<Visit> {
  const { width = 1280, theme = "light", media = "screen" } = look;
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: theme });
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    if (!request.isNavigationRequest()) requests.push(request.url());
  });
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.emulateMedia({ media });
  await page.goto(url);
  return { page, requests, complaints };
}

/** Opens a page with scripts disabled. */
export async function visitWithoutScript(url: string): Promise<Page> {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(url);
  return page;
}

/** Returns the number of pixels by which the page is wider than the window. */
export function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Returns the violations of WCAG and best practices that axe finds, including contrast: the rule and the elements that violate it. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
