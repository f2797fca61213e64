/** The preview in the README's picture is the one of today. `npm run verify` compares the pictures with the other texts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { previewOf } from "../../tools/generate/pictures/pullRequest";
import { root } from "../../tools/setup";
import { startSandbox } from "../../sandbox";

it("shows the preview that the quick start prints", async () => {
  const sandbox = await startSandbox();
  try {
    expect(await previewOf(sandbox)).toBe(
      readFileSync(join(root, "docs", "pictures", "preview.json"), "utf8"),
    );
  } finally {
    await sandbox.close();
  }
});
