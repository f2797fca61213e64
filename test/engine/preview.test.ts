/** What the reviewer of a pull request reads, by both adapters. */
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

it.each([["dynamic", ""] as const, ["plugin", "/native"] as const])(
  "%s: a preview says which resource publishes which text, and what stays public",
  async (_, entry) => {
    const [existing] = service.sandbox.incident(incidentId).incidentUpdates;
    const { id, status, description, created_at: since } = existing ?? {};
    const stack = await createStack({ env: environmentOf(service.sandbox) });
    if (entry !== "") stack.declarePlugin();
    stack.write("index.js", programOf(entry, merged));
    expectSuccess(await stack.up());
    stack.write("index.js", programOf(entry, proposed({ status, description })));
    const output = expectSuccess(await stack.preview());
    const said = output.split("\n").flatMap((line) => /IncidentUpdate ".*$/.exec(line.trim())?.[0] ?? []);
    expect([...new Set(said)].sort()).toEqual([
      `IncidentUpdate "adopted" adopts ${id} of ${incident}, public since ${since}, ${status}: ${JSON.stringify(description)} Nothing is posted.`,
      `IncidentUpdate "cause" posts to ${incident}, IDENTIFIED: "A cache was too small.\\nWe enlarge it." No subscriber is emailed.`,
      `IncidentUpdate "cause": the update that it replaces stays public, IDENTIFIED: "A cache was too small."`,
      `IncidentUpdate "embargoed" posts to ${incident}, RESOLVED: (secret text). No subscriber is emailed.`,
      `IncidentUpdate "over" posts to ${incident}, RESOLVED: "All good." Every subscriber is emailed.`,
    ]);
    expect(output).not.toContain("Canary");
    expect(service.posts).toHaveLength(2);
  },
);
