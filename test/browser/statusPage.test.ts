/** Tests the sandbox's public status page in a browser. */
import type { Page } from "playwright-core";
import { type Sandbox, wellKnown } from "../../sandbox";
import { listIncidents } from "../../sandbox/data";
import { news, post, startTestSandbox } from "../sandbox/sandboxes";
import {
  accessibilityProblems,
  type Look,
  screens,
  sidewaysOverflow,
  visit,
  visitWithoutScript,
} from "./visit";

const open = async (sandbox: Sandbox, look?: Look): Promise<Page> => (await visit(sandbox.url, look)).page;

const resolveAll = (sandbox: Sandbox): void =>
  sandbox.dashboard.change(({ accounts: [account] }) => {
    for (const { incidentUpdates } of listIncidents(account))
      for (const update of incidentUpdates) update.status = "RESOLVED";
  });

it.each(screens)(
  "a status page logs nothing, is accessible and is never wider than a window: %j",
  async (look) => {
    const { url, dashboard, data } = await startTestSandbox();
    // The page also contains incidents with equal IDs and components with long names.
    dashboard.migratePage(
      data.accounts[0].statusPages.find(({ name }) => name === "Checkout North America")?.id ?? "",
    );
    dashboard.change(({ accounts: [{ componentPages }] }) => {
      for (const { components } of componentPages)
        for (const each of components) each.name = each.name.repeat(20);
    });
    const { page, requests, complaints } = await visit(url, look);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysOverflow(page)).toBe(0);
    expect(complaints).toEqual([]);
    expect(requests.filter((request) => request !== `${url}/`)).toEqual([]);
    const background = await page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
    expect(background).toBe(look.theme === "dark" ? "rgb(13, 17, 23)" : "rgb(244, 246, 248)");
  },
);

describe("an open status page", () => {
  it("an open status page updates itself", async () => {
    const sandbox = await startTestSandbox();
    const page = await open(sandbox);
    resolveAll(sandbox);
    await page.waitForFunction(
      () => document.querySelector(".summary")?.textContent.trim() === "All systems operational",
    );
  });
});

it("the status page is complete without scripts, and current after a reload", async () => {
  const sandbox = await startTestSandbox();
  const page = await visitWithoutScript(sandbox.url);
  await post(sandbox);
  await page.reload();
  expect(await page.$eval("main", (main) => main.textContent)).toContain(news.description);
});

it("the status page shows an incident's components, history and emails, and sorts incidents by state", async () => {
  const page = await open(await startTestSandbox());
  const texts = (selector: string) =>
    page.$$eval(selector, (all) => all.map(({ textContent }) => textContent.replaceAll(/\s+/g, " ").trim()));
  const { checkoutOutage } = wellKnown.componentPageIncidents;
  const { shop } = wellKnown.componentPages;
  const article = `[id="incident-${shop}-${checkoutOutage}"]`;
  expect(await texts(`${article} > p`)).toEqual([
    "Major outage: Checkout, Degraded performance: Search, Shop",
  ]);
  expect(await texts(`${article} .status`)).toEqual(["Identified", "Investigating"]);
  expect(await texts(`${article} .mailed`)).toEqual([expect.stringMatching(/^[\d,]+ subscribers emailed$/)]);
  expect((await texts("article h3")).slice(0, 7)).toEqual([
    ...[
      "Orders can't be placed",
      "Some card payments are declined",
      "Checkout is slow for shoppers in Europe",
    ],
    ...["Webhooks arrive late", "Shipping labels of one carrier can't be printed"],
    ...["Maintenance of the API", "New listings appear late in search"],
  ]);
  expect(await texts(".summary")).toEqual(["7 open incidents, worst: major outage"]);
  expect(await texts("li.critical")).toContain("Shop: Major outage");
  expect(await texts("li.minor")).toContain("Developers: Under maintenance");
});
