/** The first thing that a user does, by the README's commands. */
import { startSandbox } from "../../sandbox";
import { followReadme } from "../docs/walkthrough";

it("publishes one update, as the README says, with commands typed by hand", async () => {
  const sandbox = await startSandbox();
  try {
    await followReadme(sandbox);
    expect(sandbox.requests.filter(({ applied }) => applied)).toHaveLength(1);
  } finally {
    await sandbox.close();
  }
});
