/** Runs `monitoring doctor`: checks the settings and the service, and prints a report. */
import { wrapSentence } from "../../provider/terminal";
import { formatCount, toOneLine, toSafeJson, quoteLine } from "../../provider/texts";
import { type Arguments, type CommandContext, print } from "../command";
import type * as definitions from "../definitions";
import { examine, type Examination, type OpenIncident, type PageWithComponents } from "./checks";
import { exitCodes } from "../exitCodes";

export async function runDoctor(
  { values }: Arguments<typeof definitions.doctor>,
  { environment, stdout }: CommandContext,
): Promise<number> {
  const examination = await examine({ ...values, environment });
  await print(formats[values.format](examination, values.stack), stdout);
  return isHealthy(examination) ? exitCodes.success : exitCodes.failed;
}

const isHealthy = ({ checks }: Examination): boolean => checks.every(({ ok }) => ok);

const formats = { text: formatText, json: formatJson };

function formatText(report: Examination, stack?: string): string {
  const { checks, notChecked, openIncidents = [], statusPages = [], needsPage = false } = report;
  const nameWidth = Math.max(
    ...[...checks.map(({ name }) => name), ...notChecked].map(({ length }) => length),
  );
  const indent = " ".repeat(8 + nameWidth + 2);
  const lines = checks.flatMap(({ name, ok, text: result, remedy }) => [
    `${ok ? "ok      " : "FAILED  "}${name.padEnd(nameWidth)}  ${result}`,
    ...(remedy === undefined ? [] : [indent + remedy]),
  ]);
  if (notChecked.length > 0) lines.push(`--      not checked: ${notChecked.join(", ")}`);
  const conclusion = isHealthy(report)
    ? [...formatPages(statusPages, needsPage ? stack : undefined), ...formatOpenIncidents(openIncidents)]
    : ["Fix the failed checks, then run this command again."];
  return `${[...lines, "", ...conclusion].join("\n")}\n`;
}

/** Limits the list, so that it doesn't push the checks off the screen. */
const maxListed = 20;

/** Lists the pages with their components. @param stack The stack that needs the ID of a page. */
function formatPages(pages: readonly PageWithComponents[], stack: string | undefined): string[] {
  if (pages.length === 0) return [];
  const listed = pages.flatMap(({ statusPageId, name, components }) => {
    const parts = components === undefined ? "its components can't be read" : components.join(", ");
    const about = wrapSentence(`${toOneLine(name)}: ${toOneLine(parts)}`, 76);
    return [`  statusPageId: ${quoteLine(statusPageId)}`, ...about.map((line) => `    ${line}`)];
  });
  const setting =
    stack === undefined
      ? []
      : ["A program can read the page from its configuration. Set one page, for example:"];
  const [first] = pages;
  return [
    "Status pages with components:",
    ...listed,
    "",
    ...setting,
    ...(stack === undefined
      ? []
      : [`  npx pulumi config set statusPageId ${first?.statusPageId} --stack ${stack}`, ""]),
  ];
}

/** Lists the arguments that a program declares to post to the open incidents. */
function formatOpenIncidents(incidents: readonly OpenIncident[]): string[] {
  if (incidents.length === 0) return [];
  const listed = incidents.slice(0, maxListed).flatMap(({ address, name, status, statusPages }) => {
    const args = Object.entries(address).map(([argument, id]) => `${argument}: ${quoteLine(id)}`);
    const [page = "", ...others] = statusPages;
    const more = others.length === 0 ? "" : ` and ${formatCount(others.length, "other")}`;
    const about = wrapSentence(`${name} (${status ?? "no status"}), on ${page}${more}`, 76);
    return [`  ${args.join(", ")}`, ...about.map((line) => `    ${line}`)];
  });
  const more = incidents.length - maxListed;
  return [
    "Open incidents, each with the arguments for an update or a timeline:",
    ...listed,
    ...(more > 0 ? [`  and ${more} more (list all with --format json)`] : []),
  ];
}

function formatJson(report: Examination): string {
  const { checks, notChecked, statusPages, openIncidents: open } = report;
  const openIncidents = open?.map(({ address, ...shown }) => ({ ...address, ...shown }));
  const ok = isHealthy(report);
  return `${toSafeJson({ ok, checks, notChecked, statusPages, openIncidents }, 2)}\n`;
}
