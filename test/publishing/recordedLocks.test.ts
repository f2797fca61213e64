/** The lock directory of a run by a release, during a post: recorded by test/fixtures/record.js. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MonitoringError } from "../../provider/client";
import { Connections } from "../../provider/connection/connections";
import { contentKey, ownId } from "../../provider/protocol";
import { Incidents } from "../../provider/publishing/incidents";
import { LockDirectory } from "../../provider/publishing/lock";
import { type SandboxData } from "../../sandbox";
import { temporaryFolder } from "../temporaryFolder";

const fixtures = join(__dirname, "..", "fixtures");
const releases = readdirSync(fixtures).filter((name) => name.startsWith("release-"));

/** What the recorded run published, and then sent. */
const posted = { status: "MONITORING", description: "We are watching it." } as const;
const sent = { status: "RESOLVED", description: "It is over." } as const;

describe.each(releases)("%s", (release) => {
  const recorded = (file: string): unknown =>
    JSON.parse(readFileSync(join(fixtures, release, file), "utf8"), (name, value: unknown) =>
      // As if it was sent now.
      ["at", "endedAt"].includes(name) ? Date.now() : value,
    );
  const { service } = recorded("plugin.json") as { service: SandboxData };
  const [{ incidentUpdates, ...incident } = { id: "", created_at: "", incidentUpdates: [] }] =
    service.accounts[0].statusPageIncidents;
  const configuration: Record<string, string> = { baseUrl: "http://127.0.0.1:4010", apiKey: "key-of-a-run" };
  const connection = new Connections((name) => configuration[name], {}).connect();
  const { key } = new Incidents().of(connection, incident.id);

  it("is waited for, and then its posts are known", async () => {
    const folder = temporaryFolder();
    for (const [name, content] of Object.entries(recorded("locks.json") as object)) {
      if (content === null) mkdirSync(join(folder, name));
      else writeFileSync(join(folder, name), JSON.stringify(content));
    }
    const directory = new LockDirectory(folder);
    const notice = (): never => {
      throw new Error("The directory can be used.");
    };
    const posts = (signal?: AbortSignal) =>
      directory.withLock(key, { notice, signal }, (notes) => {
        notes.ofIncident(incident.created_at);
        return Promise.resolve(notes.posts([posted, sent].map(contentKey)));
      });
    const waits = new MonitoringError("It waits.");
    await expect(posts(AbortSignal.abort(waits))).rejects.toBe(waits);
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".lock")))
      rmSync(join(folder, name), { recursive: true });
    const [newest] = incidentUpdates;
    expect(await posts()).toEqual([
      expect.objectContaining({ key: contentKey(posted), id: newest?.id, occurrence: 1 }),
      expect.objectContaining({ key: contentKey(sent), occurrence: 1 }),
    ]);
  });

  it("gives an update the id that this release gives it", () => {
    const declared = { ...posted, incidentId: incident.id, occurrence: 1 };
    expect(ownId(declared, 0)).toBe(incidentUpdates[0]?.id);
  });
});
