/** A preview names each object that isn't as expected, and what would be posted, and fails once, at its end. */
import { wellKnown } from "../../sandbox";
import { Service } from "./service";
import { createStack, expectSuccess } from "./stack";

const { onCall, operationsMail } = wellKnown.alertChannels;
const service = new Service();
const entries = ["pulumi-monitoring-service", "pulumi-monitoring-service/native"];

const start = async (program: string) => {
  const stack = await createStack({ program, sandbox: service.sandbox });
  stack.declarePlugin();
  return stack;
};

/** @param expected of two channels */
const programOf = (entry: string, expected: string, more = "") => `
const { AlertChannel, IncidentUpdate, StatusPage } = require("${entry}");
new AlertChannel("pager", { channelId: ${onCall}, expect: { type: "${expected}" } });
new AlertChannel("mail", { channelId: ${operationsMail}, expect: { type: { not: "${expected}" }, sendFailure: false } });
new AlertChannel("fine", { channelId: ${operationsMail} });
${more}
new IncidentUpdate("update", {
  incidentId: "${wellKnown.statusPageIncidents.checkoutLatency}", status: "MONITORING", description: "We watch it.",
});`;

const missing = `
new AlertChannel("gone", { channelId: 999 });
new StatusPage("page", { statusPageId: "none" });`;

const wrong = [
  `AlertChannel ${onCall}: not as expected:`,
  `AlertChannel ${operationsMail}: not as expected:`,
  "The preview fails, because",
];

const expectErrors = (output: string, errors: string[]): void => {
  const counts = errors.map((error) => [error, output.split(`error: ${error}`).length - 1]);
  expect({ output, counts }).toEqual({ output, counts: errors.map((error) => [error, 1]) });
  expect(output).toContain('IncidentUpdate "update" posts to');
  expect(output).not.toContain("__problem");
};

it.each(entries)("of new ones, by %s", async (entry) => {
  const stack = await start(programOf(entry, "EMAIL", missing));
  const { ok, output } = await stack.preview();
  expect(ok).toBe(false);
  expectErrors(output, [...wrong, "AlertChannel 999: not found in", "StatusPage none: not found in"]);
});

it.each(entries)("of changed ones, by %s", async (entry) => {
  const stack = await start(programOf(entry, "PAGERDUTY").replace(/new IncidentUpdate[^]*/, ""));
  expectSuccess(await stack.up());
  stack.write("index.js", programOf(entry, "EMAIL"));
  const { ok, output } = await stack.preview();
  expect(ok).toBe(false);
  expectErrors(output, wrong);
  expect(service.posts).toEqual([]);
});
