/** The preview that the reference and the README show is the one of the quick start. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox } from "../../sandbox";
import { createStack, environmentOf, repository } from "../engine/stack";

it("is what `pulumi preview --json` prints for the quick start", async () => {
  const sandbox = await startSandbox();
  try {
    const stack = await createStack({
      language: "typescript",
      program: readFileSync(join(repository, "examples", "quickstart", "index.ts"), "utf8"),
      settings: { incidentId: "inc_checkout_latency", "monitoring:alertChannels": '{"on-call": 4101}' },
      env: environmentOf(sandbox),
    });
    const { steps, diagnostics } = JSON.parse(await stack.mustRun("preview", "--json")) as {
      steps: { op: string; urn: string }[];
      diagnostics: object[];
    };
    const printed = { steps: steps.map(({ op, urn }) => ({ op, urn })), diagnostics };
    const recorded = readFileSync(join(repository, "docs", "pictures", "preview.json"), "utf8");
    expect(printed).toEqual(JSON.parse(recorded));
  } finally {
    await sandbox.close();
  }
});
