/** The facts that a provider process writes for `monitoring preview`, by both adapters. All of them: test/wording/report.test.ts. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PreviewFact } from "../../provider/wording";
import { incidentId, words } from "../engine/service";
import { unknown } from "../lifecycles/phases";
import { adapters, secret } from "../driver/adapters";
import { DrivenProject } from "../driver/drivenProject";
import { sandboxWith } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";

const six = { ...words, status: "IDENTIFIED", description: "Six hundred." };
const seven = { ...words, description: "Seven hundred." };
const name = "Checkout is slow for shoppers in Europe";

it.each(adapters)(
  "by the $name adapter, there is a line for each declaration, in the file alone, with the step's URN",
  async (adapter) => {
    const sandbox = await sandboxWith();
    const project = new DrivenProject(adapter, sandbox);
    const program = {
      kept: words,
      edited: six,
      refused: { ...six, description: "Fixed.", onChange: "refuse" },
      flagged: { ...six, description: "Flagged." },
      later: { ...six, description: "Later." },
    };
    await project.up(program);
    const adopted = sandbox.incident(incidentId).incidentUpdates.at(-1);
    const file = join(temporaryFolder(), "facts");
    writeFileSync(file, "", { mode: 0o600 });
    project.env["MONITORING_PREVIEW_FACTS"] = file;
    const { output } = await project.preview({
      kept: words,
      edited: { ...seven, notifySubscribers: true },
      refused: { ...six, description: "Changed.", onChange: "refuse" },
      flagged: { ...program.flagged, onChange: "refuse" },
      later: { ...six, description: unknown },
      adopted: { incidentId, status: adopted?.status, description: adopted?.description },
      invalid: { ...six, status: "FINE" },
      "story-2": { ...six, description: "Two.", __position: 2, __followedBy: ["three", "four"] },
      embargoed: { ...six, description: secret("Canary words.") },
    });
    // The command says what is in the file.
    expect(output).not.toMatch(/posts to|not verified/);
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    const told = lines.map((line) => JSON.parse(line) as PreviewFact);
    const facts = Object.fromEntries(told.map((fact) => [fact.urn.split("::").at(-1) ?? "", fact]));
    const title = (of: string) => `IncidentUpdate ${JSON.stringify(of)}`;
    expect(facts).toMatchObject({
      edited: {
        format: 2,
        urn: `urn:pulumi:test::test::${adapter.typeOf("IncidentUpdate")}::edited`,
        posts: "will",
        emails: true,
        blocks: [
          {
            head: `${title("edited")} posts to ${JSON.stringify(name)} (${incidentId})`,
            lines: ["MONITORING, every subscriber is emailed:"],
            text: "Seven hundred.",
          },
          {
            head: `${title("edited")} replaces an update, which stays public`,
            lines: ["IDENTIFIED:"],
            text: "Six hundred.",
          },
        ],
      },
      flagged: { posts: "no", blocks: [{ lines: [] }] },
      later: { posts: "may", blocks: [{}, { lines: ["IDENTIFIED:"], text: "Later." }] },
      adopted: {
        posts: "no",
        blocks: [{ head: expect.stringContaining(` adopts ${adopted?.id} of `) as unknown }],
      },
      "story-2": {
        posts: "will",
        blocks: [{ head: expect.stringContaining(`${title("story-2")} (2 of 4) posts to `) as unknown }],
      },
      embargoed: { posts: "will", blocks: [{ lines: [expect.stringMatching(/ \(secret text\)$/)] }] },
    });
    // A refusal is an error.
    for (const each of ["kept", "refused", "invalid"]) expect(facts).not.toHaveProperty(each);
    expect(output).toContain("must not change");
    expect(output).toContain("status must be one of");
    expect(lines.join()).not.toContain("Canary");
  },
);
