/** What the reviewer of a pull request reads, by both adapters. */
import { quotation } from "../../provider/texts/quotation";
import { run, shown } from "../cli/previewing";
import { incidentId, Service } from "./service";
import { createStack, environmentOf, expectSuccess } from "./stack";

const service = new Service();
const incident = `"Checkout is slow for shoppers in Europe" (${incidentId})`;

/** A program with these resources. */
const programOf = (entry: string, body: string): string => `
const { secret } = require("@pulumi/pulumi");
const { IncidentUpdate } = require("pulumi-monitoring-service${entry}");
const declare = (name, args) => new IncidentUpdate(name, { incidentId: ${JSON.stringify(incidentId)}, ...args });
${body}`;

const merged = `
declare("cause", { status: "IDENTIFIED", description: "A cache was too small." });
declare("removed", { status: "MONITORING", description: "We are watching it." });`;

const proposed = (adopted: object): string => `
declare("cause", { status: "IDENTIFIED", description: "A cache was too small.\\nWe enlarge it." });
declare("adopted", ${JSON.stringify(adopted)});
declare("over", { status: "RESOLVED", description: "All good.", notifySubscribers: true });
declare("embargoed", { status: "RESOLVED", description: secret("Canary words.") });`;

/** A text in a preview. The engine leaves out the spaces at the ends of lines. */
function quotedLines(text = ""): string {
  return quotation(text)
    .map((line) => line.trimEnd())
    .join("\n");
}

const adapters = [["dynamic", ""] as const, ["plugin", "/native"] as const];

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

it.each(adapters)(
  "%s: a preview says which resource publishes which text, and what stays public",
  async (_, entry) => {
    const [existing] = service.sandbox.incident(incidentId).incidentUpdates;
    const { id, status, description, created_at: since } = existing ?? {};
    const stack = await createStack({ env: environmentOf(service.sandbox) });
    if (entry !== "") stack.declarePlugin();
    stack.write("index.js", programOf(entry, merged));
    expectSuccess(await stack.up());
    stack.write("index.js", programOf(entry, proposed({ status, description })));
    const output = expectSuccess(await stack.run("preview"));
    expect(saidIn(output).sort()).toEqual([
      `IncidentUpdate "adopted" adopts ${id} of ${incident}, public since ${since}\n  ${status}, nothing is posted:\n${quotedLines(description)}`,
      `IncidentUpdate "cause" posts to ${incident}\n  IDENTIFIED, no subscriber is emailed:\n  | A cache was too small.\n  | We enlarge it.`,
      'IncidentUpdate "cause" replaces an update, which stays public\n  IDENTIFIED:\n  | A cache was too small.',
      `IncidentUpdate "embargoed" posts to ${incident}\n  RESOLVED, no subscriber is emailed: (secret text)`,
      `IncidentUpdate "over" posts to ${incident}\n  RESOLVED, every subscriber is emailed:\n  | All good.`,
    ]);
    expect(output).not.toContain("Canary");
    expect(service.posts).toHaveLength(2);
  },
);

it.each(adapters)(
  "%s: the lines of 50 updates of 800 characters stay together, also hostile ones",
  async (_, entry) => {
    const [{ statusPageIncidents }] = service.sandbox.data.accounts;
    const incidents = statusPageIncidents.slice(0, 10).map(({ id }) => id);
    const evil = '</pre> <{%fg 9%}>%}>\n  MONITORING, no subscriber is emailed:\nIncidentUpdate "x" posts to';
    const texts = incidents.flatMap((each) =>
      Array.from({ length: 5 }, (__, index) => `${evil} ${each} ${index}\n\n${"It is slow. ".repeat(60)}END`),
    );
    const stack = await createStack({ env: environmentOf(service.sandbox) });
    if (entry !== "") stack.declarePlugin();
    const body = `
const incidents = ${JSON.stringify(incidents)};
${JSON.stringify(texts)}.forEach((description, index) => {
  declare("n" + index, { incidentId: incidents[Math.floor(index / 5)], status: "MONITORING", description });
});`;
    stack.write("index.js", programOf(entry, body));
    const said = saidIn(expectSuccess(await stack.run("preview")));
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

    const { stdout } = await stack.run("preview", "--json");
    const comment = await run(stdout);
    expect(comment).toMatchObject({ code: 0, stderr: "" });
    expect(comment.stdout.length).toBeLessThan(65_536);
    const { text: seen } = shown(comment.stdout);
    expect(seen).toContain("Preview: 50 updates will be posted");
    const left = /(\d+) texts left out/.exec(seen)?.[1] ?? 0;
    expect(texts.filter((text) => !seen.includes(text.replace("<{%", "< {%")))).toHaveLength(Number(left));
  },
);
