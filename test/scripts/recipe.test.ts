import fs from "node:fs";
import path from "node:path";
import { version } from "../../scripts/engine/pinned";
import { parts } from "../../scripts/engine/source";

/** The build from source and the official download must bring the same engine. */
it("the CLI that is built from source is the pinned one", () => {
  const [cli] = parts;
  const requirements = fs.readFileSync(path.join(cli.module, "go.mod"), "utf8");

  expect(requirements).toContain(`github.com/pulumi/pulumi/pkg/v3 v${version}\n`);
  expect(requirements).toContain(`github.com/pulumi/pulumi/sdk/v3 v${version} // indirect\n`);
});
