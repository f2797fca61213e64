/** The generated SDK in Go, with the programs that use it. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareLanguages } from "../../tools/test/prepareLanguages";
import { areShippedCurrent } from "../../tools/generate/sdks/generate";
import { expectSuccess, folderInRepository, repository } from "../engine/stack";
import { schemaExamples } from "./schemaExamples";

it("the archives of the SDKs that the package has are those of the schema", () => {
  // Otherwise: `npm run sdks`.
  expect(areShippedCurrent()).toBe(true);
});

it("compiles with the quick start and every example of the schema", async () => {
  const { go } = await prepareLanguages();
  // Two folders below the root, like the example, whose go.mod names the SDK by a relative path.
  const folder = folderInRepository();
  cpSync(join(repository, "examples", "go"), folder, { recursive: true });
  for (const [name, program] of schemaExamples("go")) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "main.go"), program);
  }
  expectSuccess(await go(["vet", "-mod=readonly", "-trimpath", "./..."], { cwd: folder }));
});
