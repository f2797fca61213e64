import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox, wellKnown } from "../../sandbox";
import { sandboxData } from "../../sandbox/data";
import { incidentId, news, temporaryFolder, updatesPath } from "../sandbox/sandboxes";
import { addressOf, monitoring } from "./monitoring";

test("a killed sandbox has kept every update that it acknowledged, and its file is whole", async () => {
  const data = join(temporaryFolder(), "sandbox.json");
  const acknowledged: string[] = [];

  for (const enough of [5, 20, 40]) {
    const running = monitoring("sandbox", "--port", "0", "--data", data);
    const url = await addressOf(running);
    const post = async () => {
      for (;;) {
        const answer = await fetch(url + updatesPath, {
          method: "POST",
          headers: {
            authorization: `Bearer ${wellKnown.apiKeys.quillmarket}`,
            "content-type": "application/json",
          },
          body: JSON.stringify(news),
        });
        const { id } = (await answer.json()) as { id: string };
        acknowledged.push(id);
        if (acknowledged.length >= enough) running.process.kill("SIGKILL");
      }
    };
    await Promise.allSettled([post(), post(), post(), post()]);
    await running.ended;
    sandboxData.parse(JSON.parse(readFileSync(data, "utf8")));
  }

  const survivor = await startSandbox({ data });
  const kept = survivor.incident(incidentId).incidentUpdates.map(({ id }) => id);
  await survivor.close();
  expect(acknowledged.length).toBeGreaterThanOrEqual(40);
  expect(kept).toEqual(expect.arrayContaining(acknowledged));
});
