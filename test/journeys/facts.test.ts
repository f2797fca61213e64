/** The facts that a provider process writes for `monitoring preview`, by both adapters. All of them: test/wording/report.test.ts. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PreviewFact } from "../../provider/wording";
import { type Sandbox, startSandbox } from "../../sandbox";
import { incidentId, words } from "../engine/service";
import { unknown } from "../lifecycles/phases";
import { adapters, secret } from "../driver/adapters";
import { DrivenProject } from "../driver/drivenProject";
import { type Properties } from "../driver/provider";

const folder = mkdtempSync(join(tmpdir(), "facts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const six = { ...words, status: "IDENTIFIED", description: "Six hundred." };
const seven = { ...words, description: "Seven hundred." };
const name = "Checkout is slow for shoppers in Europe";

describe.each(adapters)("by the $name adapter,", (adapter) => {
  let sandbox: Sandbox;
  let project: DrivenProject;

  beforeEach(async () => {
    sandbox = await startSandbox();
    project = new DrivenProject(adapter, sandbox);
  });
  afterEach(() => sandbox.close());

  /** The facts of a preview, by the names of the resources, and all that a user reads. */
  async function previewed(program: Record<string, Properties>) {
    const file = join(folder, "facts");
    writeFileSync(file, "", { mode: 0o600 });
    project.env["MONITORING_PREVIEW_FACTS"] = file;
    const told = await project.preview(program);
    delete project.env["MONITORING_PREVIEW_FACTS"];
    // The command says what is in the file.
    expect(told.output).not.toMatch(/posts to|not verified/);
    const { output } = await project.preview(program);
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    rmSync(file);
    const facts = lines.map((line) => JSON.parse(line) as PreviewFact);
    const byName = Object.fromEntries(facts.map((fact) => [fact.urn.split("::").at(-1) ?? "", fact]));
    return { facts: byName, lines, output };
  }

  /** Whose post has no response, and isn't found. */
  async function lose(program: Record<string, Properties>): Promise<void> {
    project.env["MONITORING_DEADLINE_MS"] = "2000";
    sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
    expect((await project.up(program)).output).toContain("The state records it");
    sandbox.faults.clear();
  }

  it("there is a line for each declaration, in the file alone, with the step's URN", async () => {
    const program = {
      kept: words,
      edited: six,
      refused: { ...six, description: "Fixed.", onChange: "refuse" },
      flagged: { ...six, description: "Flagged." },
      later: { ...six, description: "Later." },
    };
    await project.up(program);
    const adopted = sandbox.incident(incidentId).incidentUpdates.at(-1);
    const { facts, lines, output } = await previewed({
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
      "story-2": { posts: "will" },
      embargoed: { posts: "will", blocks: [{ lines: [expect.stringMatching(/ \(secret text\)$/)] }] },
    });
    // A refusal is an error.
    for (const each of ["kept", "refused", "invalid"]) expect(facts).not.toHaveProperty(each);
    expect(output).toContain("must not change");
    expect(output).toContain("status must be one of");
    expect(output).toContain('IncidentUpdate "story-2" (2 of 4) posts to ');
    expect(lines.join()).not.toContain("Canary");
  });

  it("a lost post that is or was a secret isn't shown, also if its text is plain now", async () => {
    const lines = expect.arrayContaining(["IDENTIFIED: (secret text)"]) as unknown;
    const unconfirmed = { posts: "may", blocks: [{ lines }, {}] };
    await lose({ status: six });
    const hidden = { ...seven, description: secret(seven.description) };
    const now = await previewed({ status: hidden });
    expect(now.facts["status"]).toMatchObject(unconfirmed);
    expect([...now.lines, now.output].join()).not.toContain("hundred");

    project = new DrivenProject(adapter, sandbox);
    await lose({ status: { ...six, description: secret(six.description) } });
    for (const declared of [six, seven]) {
      const { facts, lines, output } = await previewed({ status: declared });
      expect(facts["status"]).toMatchObject(unconfirmed);
      expect([...lines, output].join()).not.toContain("Six hundred");
    }
    const { output } = await project.up({ status: seven });
    expect(output).toContain("(IDENTIFIED, a secret text)");
    expect(output).not.toContain("hundred");
  });
});
