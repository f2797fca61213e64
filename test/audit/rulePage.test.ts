import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AuditReport, builtInRules, formats } from "../../audit";
import { metaRulePage, rulePage } from "../../audit/rule";
import { packageFolder } from "../../provider/packageManifest";
import { audit, channel, silence } from "./channels";

test.each([
  "git+https://git.acme.example/ops/monitoring.git",
  "https://git.acme.example/ops/monitoring.git",
  "https://git.acme.example/ops/monitoring",
])("a released package links to its version in the repository %s", (url) => {
  const release = { version: "1.2.3", repository: { url } };
  const folder = "https://git.acme.example/ops/monitoring/blob/v1.2.3/docs/reference";
  expect(rulePage("send-failure", release)).toBe(`${folder}/rules/send-failure.md`);
  expect(metaRulePage(release)).toBe(`${folder}/README.md`);
});

test.each([undefined, { url: "git@git.acme.example:ops/monitoring.git" }])(
  "a package without a published page has no link: %j",
  (repository) => {
    const release = { version: "1.2.3", repository };
    expect([rulePage("send-failure", release), metaRulePage(release)]).toEqual([undefined, undefined]);
  },
);

test.each(builtInRules)("$id has a page", ({ id }) => {
  expect(existsSync(join(packageFolder, "docs", "reference", "rules", `${id}.md`))).toBe(true);
});

/** A report of a package that a repository has published. */
function released(report: AuditReport): AuditReport {
  const docs = "https://git.acme.example/rules/send-failure.md";
  const link = <Linked extends object>(all: readonly Linked[]) => all.map((one) => ({ ...one, docs }));
  return { ...report, findings: link(report.findings), rules: link(report.rules) };
}

test.each([
  ["markdown", "[`send-failure`]: https://git.acme.example/rules/send-failure.md"],
  ["html", 'href="https://git.acme.example/rules/send-failure.md"'],
  ["sarif", '"helpUri":"https://git.acme.example/rules/send-failure.md"'],
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
