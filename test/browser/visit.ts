/** A visit to a page: how it is looked at, and what it does besides being shown. */
import { type AxeResults, source } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../tools/generate/pictures";

/** That of the test file. */
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
afterAll(() => browser.close());

/** Width of a phone, in CSS pixels. */
const phone = 390;

export interface Look {
  /** In CSS pixels. Default: 1280. */
  readonly width?: number;
  /** Default: light. */
  readonly theme?: "light" | "dark";
  /** Default: screen. */
  readonly media?: "screen" | "print";
}

/** Each page is looked at in these ways. */
export const screens: readonly Look[] = [
  { theme: "light" },
  { theme: "dark" },
  { theme: "light", width: phone },
  { theme: "dark", width: phone },
];

export interface Visit {
  readonly page: Page;
  /** Addresses that were asked for besides the page itself. */
  readonly requests: readonly string[];
  /** What the console says, and errors of scripts. */
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

/** A visit without script. */
export async function visitWithoutScript(url: string): Promise<Page> {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(url);
  return page;
}

/** By how many pixels the page is wider than the window: sideways scrolling, which nobody wants. */
export function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** What axe finds against WCAG and good practice, contrast included: the rule, and the elements that break it. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
