/** What an entry of a timeline knows of the others, in the calls of the engine. The decisions: test/protocol. */
import { followersOf, keysOf } from "../../../provider/lifecycles/incidentUpdate/timelineEntries";
import { contentKey } from "../../../provider/protocol";
import { failureOf, Service, words } from "../updateProcess";

const service = new Service();

describe("the create", () => {
  it("of an entry knows the later entries of its timeline, and doesn't record them", async () => {
    const later = { status: "RESOLVED" as const, description: "It is over." };
    const followedBy = [contentKey(later)];
    const entry = await service.declare({ description: "Before.", followedBy });
    expect(entry.outs).not.toHaveProperty("followedBy");
    service.putByHand(later);
    const { message } = await failureOf(service.declare({ followedBy }));
    expect(message).toContain("would be published after a later entry of this timeline");
  });

  it("of an entry that is inserted far before the ones that the service shows is refused, and no code is asked for", async () => {
    const entries = Array.from({ length: 250 }, (_, index) => ({
      status: "MONITORING" as const,
      description: `Update ${index}.`,
    }));
    entries.slice(-100).forEach((update) => service.putByHand(update));
    const inserted = { description: "Before.", followedBy: followersOf(keysOf([words, ...entries]), 0) };
    const { message } = await failureOf(service.declare(inserted));
    expect(message).toContain("would be published after a later entry of this timeline");
    expect(service.posts).toEqual([]);
  });

  it("of an entry waits for the one before it, and doesn't record that", async () => {
    const before = { ...words, description: "Before.", followedBy: [contentKey(words)] };
    const entry = { followedBy: [], follows: contentKey(before) };
    const { message } = await failureOf(service.declare(entry));
    expect(message).toContain("the entry before this one isn't shown, and this run doesn't post it.");
    expect(service.posts).toEqual([]);
    await service.declare({ ...before, __resource: "before" });
    expect((await service.declare(entry)).outs).not.toHaveProperty("follows");
    expect(service.posts).toHaveLength(2);
  });
});
