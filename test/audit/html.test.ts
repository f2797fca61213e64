import { createHash } from "node:crypto";
import { SaxesParser } from "saxes";
import { formats } from "../../audit";
import { oneLine } from "../../provider/texts/printable";
import { audit, many, silence, silent } from "./channels";
import { hostileName, reportOfEverything } from "./reports";

const everything = reportOfEverything();
const page = formats.html(everything);

test("a page loads nothing: links to documentation are its only URLs, and a policy only allows its own style", () => {
  const withoutLinks = page.replace(/<a href="[^"]+\/docs\/reference\/[^"]+\.md">/g, "");
  expect(withoutLinks.match(/https?:|\/\/|@import|url\(/)).toBeNull();
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "";
  const [, style = ""] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
  expect(policy.replace(/&#39;/g, "'").split("; ")).toEqual([
    "default-src 'none'",
    "img-src data:",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  const tags = page.replace(/"[^"]*"/g, '""').match(/<\w[^>]*>/g) ?? [];
  expect(tags.filter((tag) => / (style|on\w+)=/.test(tag))).toEqual([]);
});

test("what is between backticks of a message is code on a page", () => {
  const fix = "Set `sendFailure: <true>` and `a`, not `b.";
  const customRules = [{ id: "own", title: "Own", why: "`Why` not.", expect: { type: "CALL" }, fix }];
  const report = formats.html(audit([silent(1)], { customRules }));
  expect(report).toContain("Set <code>sendFailure: &lt;true&gt;</code> and <code>a</code>, not `b.");
  expect(report).toContain("<p><code>Why</code> not.</p>");
});

test("a page is well-formed, and escapes every value", () => {
  const texts: string[] = [];
  const parser = new SaxesParser({ fragment: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("text", (text) => texts.push(text));
  const asXml = page
    .replace("<!doctype html>\n", "")
    .replace(/<(meta|link)([^>]*)>/g, "<$1$2/>")
    .replace(/<style>[^]*?<\/style>/g, "");
  parser.write(asXml).close();
  expect(texts).toContain(`3 ${oneLine(hostileName)}`);
  expect(texts).toContain("Rename it & <save>.");
});

test("a page links each finding to its details, and those to its rule", () => {
  const targets = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id ?? "");
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((id) => !targets.has(id))).toEqual([]);
  // One that couldn't be read has details, too.
  expect(links).toContain("channel-4");
});

test("a page shows the channels with the worst findings, and how many it omits", () => {
  const long = formats.html(audit([...many(1_499, {}), silent(1_499)], silence));
  expect(long).toContain("<b>1499</b>");
  expect(long).toContain("and 500 more channels");
});
