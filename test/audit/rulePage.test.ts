import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AuditReport, builtInRules, formats } from "../../audit";
import { rulePage } from "../../audit/rule";
import { metaRules } from "../../audit/rules";
import { packageFolder } from "../../provider/packageManifest";
import { audit, channel, silence } from "./channels";

test.each([
  "git+https://git.acme.example/ops/monitoring.git",
  "https://git.acme.example/ops/monitoring.git",
  "https://git.acme.example/ops/monitoring",
])("a released package links to its version in the repository %s", (url) => {
  const release = { version: "1.2.3", repository: { url } };
  const page = "https://git.acme.example/ops/monitoring/blob/v1.2.3/docs/reference/rules.md";
  expect(rulePage("send-failure", release)).toBe(`${page}#send-failure`);
});

test.each([undefined, { url: "git@git.acme.example:ops/monitoring.git" }])(
  "a package without a published page has no link: %j",
  (repository) => {
    const release = { version: "1.2.3", repository };
    expect(rulePage("send-failure", release)).toBeUndefined();
  },
);

test.each([...builtInRules, ...metaRules])("$id has a heading on the page of the rules", ({ id }) => {
  const page = readFileSync(join(packageFolder, "docs", "reference", "rules.md"), "utf8");
  expect(page).toMatch(new RegExp(`^##+ ${id}$`, "m"));
});

/** A report of a package that a repository has published. */
function released(report: AuditReport): AuditReport {
  const docs = "https://git.acme.example/rules.md#send-failure";
  const link = <Linked extends object>(all: readonly Linked[]) => all.map((one) => ({ ...one, docs }));
  return { ...report, findings: link(report.findings), rules: link(report.rules) };
}

test.each([
  ["markdown", "[`send-failure`]: https://git.acme.example/rules.md#send-failure"],
  ["html", 'href="https://git.acme.example/rules.md#send-failure"'],
  ["sarif", '"helpUri":"https://git.acme.example/rules.md#send-failure"'],
] as const)("%s links to the page only where one is published, and has the same text", (format, link) => {
  const report = audit([channel({ sendFailure: false })], silence);
  const [here, there] = [formats[format](report), formats[format](released(report))];
  expect(there.replaceAll(": ", ":")).toContain(link.replaceAll(": ", ":"));
  expect(here).not.toMatch(/file:|git\.acme/);
  expect(here).toContain("Turn failure alerts on in the channel");
  expect(here).not.toMatch(/learns of outages from its customers\. Turn/);
});

test("findings of custom rules have no page", () => {
  const customRules = [{ id: "no-mail", title: "No mail", expect: { type: { not: "EMAIL" } } }];
  const report = audit([channel()], { customRules });
  expect(report.findings).toMatchObject([{ rule: "no-mail", docs: undefined }]);
  expect(formats.markdown(report)).toContain("`no-mail`<br>");
});
