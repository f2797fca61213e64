/** The first thing that a user does, by the README's commands. */
import { followReadme } from "./walkthrough";
import { sandboxWith } from "../sandbox/sandboxes";

it("publishes one update, as the README says, with commands typed by hand", async () => {
  const sandbox = await sandboxWith();
  await followReadme(sandbox);
  expect(sandbox.requests.filter(({ applied }) => applied)).toHaveLength(1);
});
