/** What the reviewer of a pull request reads, by both adapters: what is posted, also of hostile texts, and what isn't as expected. */
import { quotation } from "../../provider/texts/quotation";
import { wellKnown } from "../../sandbox";
import { run, shown } from "../cli/previewing";
import { incidentId, Service } from "./service";
import { createStack, environmentOf, expectSuccess, type Stack } from "./stack";

const { onCall, operationsMail, slackIncidents } = wellKnown.alertChannels;
const incident = `"Checkout is slow for shoppers in Europe" (${incidentId})`;
const service = new Service();

type Adapter = "dynamic" | "plugin";
const adapters = ["dynamic", "plugin"] as const;

/** A program with these resources, and two channels of which something is expected. */
const programOf = (adapter: Adapter, expected: string, body: string): string => `
const { secret } = require("@pulumi/pulumi");
const { AlertChannel, IncidentUpdate, StatusPage } =
  require("pulumi-monitoring-service${adapter === "plugin" ? "/native" : ""}");
const declare = (name, args) => new IncidentUpdate(name, { incidentId: ${JSON.stringify(incidentId)}, ...args });
const observe = (name, channelId, expect) => new AlertChannel(name, { channelId, expect });
observe("pager", ${onCall}, { type: "${expected}" });
observe("mail", ${operationsMail}, { type: { not: "${expected}" }, sendFailure: false });
observe("fine", ${operationsMail});
${body}`;

const merged = `
declare("cause", { status: "IDENTIFIED", description: "A cache was too small." });
declare("removed", { status: "MONITORING", description: "We are watching it." });`;

const proposed = (adopted: object): string => `
declare("cause", { status: "IDENTIFIED", description: "A cache was too small.\\nWe enlarge it." });
declare("adopted", ${JSON.stringify(adopted)});
declare("over", { status: "RESOLVED", description: "All good.", notifySubscribers: true });
declare("embargoed", { status: "RESOLVED", description: secret("Canary words.") });`;

/** 50 updates of 800 characters, of ten incidents. */
const hostile = (incidents: readonly string[], texts: readonly string[]): string => `
const incidents = ${JSON.stringify(incidents)};
${JSON.stringify(texts)}.forEach((description, index) => {
  declare("n" + index, { incidentId: incidents[Math.floor(index / 5)], status: "MONITORING", description });
});`;

/** Of new channels, one isn't as expected, and one isn't there. */
const missing = `
observe("new", ${slackIncidents}, { type: "EMAIL" });
observe("gone", 999);
new StatusPage("page", { statusPageId: "none" });
declare("update", { status: "MONITORING", description: "We watch it." });`;

/** A text in a preview. The engine leaves out the spaces at the ends of lines. */
function quotedLines(text = ""): string {
  return quotation(text)
    .map((line) => line.trimEnd())
    .join("\n");
}

/** What a preview says of each update: its lines as they are among those of the engine, without the indentation. */
function saidIn(output: string): string[] {
  const said: string[] = [];
  for (const line of output.slice(output.indexOf("Diagnostics:")).split("\n")) {
    if (/^ {4}IncidentUpdate "/.test(line)) said.push("");
    if (line.trim() !== "") said.push(`${said.pop() ?? ""}${line.slice(4)}\n`);
    else said.push("");
  }
  return said.filter((text) => text.startsWith("IncidentUpdate")).map((text) => text.trimEnd());
}

const isHostile = (said: string): boolean => /^IncidentUpdate "n\d+"/.test(said);

/** The lines of each update are together. */
function expectBlocks(said: readonly string[], texts: readonly string[]): void {
  const blocks = said.map((text) => {
    const [head = "", content, ...lines] = text.split("\n");
    expect(content).toBe("  MONITORING, no subscriber is emailed:");
    const [, name] = /^IncidentUpdate "n(\d+)" posts to ".*" \(\S+\)$/.exec(head) ?? [];
    return [Number(name), lines] as const;
  });
  const expected = texts.map((text) => quotedLines(text).split("\n"));
  expect(blocks.sort(([one], [other]) => one - other)).toEqual(
    expected.map((lines, index) => [index, lines]),
  );
}

/** The comment on the pull request, for which no text is too long. */
async function expectComment(stack: Stack, texts: readonly string[]): Promise<void> {
  const { stdout } = await stack.run("preview", "--json");
  const comment = await run(stdout);
  expect(comment).toMatchObject({ code: 0, stderr: "" });
  expect(comment.stdout.length).toBeLessThan(65_536);
  const { text: seen } = shown(comment.stdout);
  expect(seen).toContain("Preview: 53 updates will be posted");
  const left = Number(/(\d+) texts left out/.exec(seen)?.[1] ?? 0);
  const unseen = texts.filter((text) => !seen.includes(text.replace("<{%", "< {%")));
  expect(unseen).toHaveLength(left);
}

it.each(adapters)(
  "%s: a preview says which resource publishes which text, and what stays public; the lines of each text stay together; and it fails once, at its end, for each object that isn't as expected",
  async (adapter) => {
    const [existing] = service.sandbox.incident(incidentId).incidentUpdates;
    const { id, status, description, created_at: since } = existing ?? {};
    const stack = await createStack({ env: environmentOf(service.sandbox) });
    if (adapter === "plugin") stack.declarePlugin();
    stack.write("index.js", programOf(adapter, "PAGERDUTY", merged));
    expectSuccess(await stack.up());

    const [{ statusPageIncidents }] = service.sandbox.data.accounts;
    const incidents = statusPageIncidents.slice(0, 10).map((each) => each.id);
    const evil = '</pre> <{%fg 9%}>%}>\n  MONITORING, no subscriber is emailed:\nIncidentUpdate "x" posts to';
    const texts = incidents.flatMap((each) =>
      Array.from({ length: 5 }, (_, index) => `${evil} ${each} ${index}\n\n${"It is slow. ".repeat(60)}END`),
    );
    const body = proposed({ status, description }) + hostile(incidents, texts);
    stack.write("index.js", programOf(adapter, "PAGERDUTY", body));
    const output = expectSuccess(await stack.run("preview"));
    const said = saidIn(output);
    expect(said.filter((each) => !isHostile(each)).sort()).toEqual([
      `IncidentUpdate "adopted" adopts ${id} of ${incident}, public since ${since}\n  ${status}, nothing is posted:\n${quotedLines(description)}`,
      `IncidentUpdate "cause" posts to ${incident}\n  IDENTIFIED, no subscriber is emailed:\n  | A cache was too small.\n  | We enlarge it.`,
      'IncidentUpdate "cause" replaces an update, which stays public\n  IDENTIFIED:\n  | A cache was too small.',
      `IncidentUpdate "embargoed" posts to ${incident}\n  RESOLVED, no subscriber is emailed: (secret text)`,
      `IncidentUpdate "over" posts to ${incident}\n  RESOLVED, every subscriber is emailed:\n  | All good.`,
    ]);
    expectBlocks(said.filter(isHostile), texts);
    expect(output).not.toContain("Canary");
    if (adapter === "plugin") await expectComment(stack, texts);

    stack.write("index.js", programOf(adapter, "EMAIL", missing));
    const failed = await stack.preview();
    expect(failed.ok).toBe(false);
    expectErrors(failed.output);
    expect(service.posts).toHaveLength(2);
  },
);

/** Each once, beside what would be posted. */
function expectErrors(output: string): void {
  const errors = [
    `AlertChannel ${onCall}: not as expected:`,
    `AlertChannel ${operationsMail}: not as expected:`,
    `AlertChannel ${slackIncidents}: not as expected:`,
    "AlertChannel 999: not found in",
    "StatusPage none: not found in",
    "The preview fails, because",
  ];
  const counts = errors.map((error) => [error, output.split(`error: ${error}`).length - 1]);
  expect({ output, counts }).toEqual({ output, counts: errors.map((error) => [error, 1]) });
  expect(output).toContain('IncidentUpdate "update" posts to');
  expect(output).not.toContain("__problem");
}
