/** What the notes of a machine say of several updates at once, and of an incident whose time is written in another way. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { followersOf, keysOf } from "../../provider/lifecycles/incidentUpdate/timeline";
import { incidentId, Service, words } from "../engine/service";
import { adapters } from "./adapters";
import { DrivenProject, type Ended } from "./drivenProject";
import { newMachine } from "./machines";

const service = new Service();
const resend = { onUnconfirmed: "resend" };

/** Some time passes for the notes, too little for them to end. */
function pass(machine: string, ms = 600_000): void {
  for (const name of readdirSync(machine).filter((each) => each.endsWith(".json"))) {
    const file = join(machine, name);
    const notes = JSON.parse(readFileSync(file, "utf8")) as {
      sent: { at: number; endedAt?: number }[];
    };
    for (const note of notes.sent) {
      note.at -= ms;
      if (note.endedAt !== undefined) note.endedAt -= ms;
    }
    writeFileSync(file, JSON.stringify(notes));
  }
}

describe.each(adapters)("by the $name adapter,", (adapter) => {
  let machine: string;
  const stack = (): DrivenProject => {
    const made = new DrivenProject(adapter, service.sandbox);
    Object.assign(made.env, { MONITORING_LOCK_DIRECTORY: machine, MONITORING_DEADLINE_MS: "3000" });
    return made;
  };
  beforeEach(() => (machine = newMachine()));

  /** Does what each message says: one run with the consent, then one without it, until one succeeds. */
  async function consent(project: DrivenProject, ...updates: Record<string, unknown>[]): Promise<Ended[]> {
    const runs: Ended[] = [];
    for (let round = 0; round < 8; round += 1) {
      const consenting = round % 2 === 1;
      const run = await project.up(...updates.map((each) => ({ ...each, ...(consenting && resend) })));
      runs.push(run);
      if (run.ok) break;
    }
    return runs;
  }

  it("two identical updates that were deleted by hand can be published again, with consents", async () => {
    const both = [words, { ...words, occurrence: 2 }];
    const project = stack();
    expect(await project.up(...both)).toMatchObject({ ok: true });
    expect(await project.destroy()).toMatchObject({ ok: true });
    for (const { id } of service.published()) service.sandbox.byHand.deleteUpdate(incidentId, id);
    pass(machine);
    const runs = await consent(project, words);
    expect(runs.at(-1)).toMatchObject({ ok: true });
    expect(service.published()).toHaveLength(1);
  });

  it("the entries of a timeline that were deleted by hand can be published again, with consents", async () => {
    const texts = ["One.", "Two.", "Three."].map((description) => ({ ...words, description }));
    const keys = keysOf(texts);
    const entries = texts.map((each, index) => ({
      ...each,
      entry: keys[index],
      followedBy: followersOf(keys, index),
      onChange: "refuse",
    }));
    const project = stack();
    expect(await project.up(...entries)).toMatchObject({ ok: true });
    expect(await project.destroy()).toMatchObject({ ok: true });
    for (const { id } of service.published()) service.sandbox.byHand.deleteUpdate(incidentId, id);
    pass(machine);
    const runs = await consent(project, ...entries.slice(0, 1));
    expect(runs.at(-1)).toMatchObject({ ok: true });
    expect(service.published()).toHaveLength(1);
  });

  it.each([
    ["equally", "2026-07-01T10:00:00.000Z"],
    ["without milliseconds", "2026-07-01T10:00:00Z"],
  ])("a note counts when the incident's time is written %s in the next run", async (_, after) => {
    service.sandbox.byHand.editIncident(incidentId, { created_at: "2026-07-01T10:00:00.000Z" });
    service.sandbox.faults.add({ kind: "lateVisibility", ms: 600_000 });
    expect(await stack().up(words)).toMatchObject({ ok: true });
    pass(machine);
    service.sandbox.byHand.editIncident(incidentId, { created_at: after });
    const other = await stack().up(words);
    expect(service.posts).toHaveLength(1);
    expect(other).toMatchObject({
      ok: false,
      output: expect.stringContaining("the service doesn't show it yet"),
    });
  });
});
