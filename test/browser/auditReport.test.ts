/** Tests the HTML report of an audit in a browser. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { type AuditReport, formats } from "../../audit";
import { audit, channel } from "../audit/channels";
import { reportOfEverything } from "../audit/reports";
import { accessibilityProblems, type Look, screens, sidewaysOverflow, visit } from "./visit";

/** The printable width of an A4 sheet in landscape, in CSS pixels. */
const sheet = 1032;

const folder = mkdtempSync(join(tmpdir(), "report-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a report and returns its URL. */
const published = (name: string, report: AuditReport): string => {
  const file = join(folder, name);
  writeFileSync(file, formats.html(report));
  return pathToFileURL(file).href;
};
const url = published("audit.html", reportOfEverything());

const open = async (look?: Look): Promise<Page> => (await visit(url, look)).page;

it.each<Look>([
  ...screens,
  { theme: "light", media: "print", width: sheet },
  { theme: "dark", media: "print", width: sheet },
])(
  "an audit's page is complete, logs nothing, is accessible and is never wider than the window: %j",
  async (look) => {
    const { page, requests, complaints } = await visit(url, look);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await sidewaysOverflow(page)).toBe(0);
    expect({ requests, complaints }).toEqual({ requests: [], complaints: [] });
    const background = await page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
    const isDark = background !== "rgb(255, 255, 255)" && background !== "rgb(246, 247, 249)";
    expect(isDark).toBe(look.theme === "dark" && look.media !== "print");
  },
);

it("an audit's page is no wider than a small phone, however long a name is", async () => {
  const long = "x".repeat(200);
  const channels = [1, 2].map((id) =>
    channel({ id, name: `${long}${id}`, config: { address: `${long}@acme.example` } }),
  );
  const exceptions = [{ channel: 1, rules: { "send-failure": "off" as const }, reason: long }];
  const rules = { "duplicate-target": "error", "send-failure": { options: { value: false } } } as const;
  const { page } = await visit(published("long.html", audit(channels, { rules, exceptions })), {
    width: 320,
  });
  expect(await sidewaysOverflow(page)).toBe(0);
});

it("the keyboard moves from a finding to its rule", async () => {
  const page = await open();
  await page.focus('a[href="#rule-https-hook"]');
  await page.keyboard.press("Enter");
  expect(await page.$eval("article:target code", (code) => code.textContent)).toBe("https-hook");
});
