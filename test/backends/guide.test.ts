/** Follows the guides on shared state and interrupted runs as written, with the state on a PostgreSQL server. */
import { interruptions } from "../docs/interruptions";
import { followGuideWithStack } from "../docs/walkthrough";
import { Service } from "../engine/service";
import { startPostgres } from "./servers";

const shown = "postgres://pulumi@127.0.0.1:5432/pulumi?sslmode=disable";
const service = new Service();

it("the guide shared-state moves a stack, and fresh runners continue", async () => {
  const backend = await startPostgres();
  try {
    await followGuideWithStack("docs/guides/shared-state.md", {
      url: service.sandbox.url,
      replaced: { [shown]: backend.url },
    });
  } finally {
    await backend.close();
  }
  expect(service.posts).toHaveLength(1);
});

it("the guide interrupted-runs continues after a killed run and posts its update once", async () => {
  const backend = await startPostgres();
  try {
    await followGuideWithStack("docs/guides/interrupted-runs.md", {
      url: service.sandbox.url,
      replaced: { "PULUMI_BACKEND_URL=file://.": `PULUMI_BACKEND_URL=${backend.url}` },
      events: interruptions(service),
    });
  } finally {
    await backend.close();
  }
  expect(service.published().map(({ status }) => status)).toEqual(["MONITORING", "RESOLVED"]);
  expect(service.posts).toHaveLength(4);
});
