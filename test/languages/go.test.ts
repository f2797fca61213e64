/** The generated SDK in Go, with the programs that use it. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareLanguages } from "../../scripts/languages/index";
import { expectSuccess, repository } from "../engine/stack";
import { schemaExamples } from "./schemaExamples";

let folder: string;

beforeAll(() => {
  const parent = join(repository, ".engine-tests");
  mkdirSync(parent, { recursive: true });
  // Two folders below the root, like the example, whose go.mod names the SDK by a relative path.
  folder = mkdtempSync(join(parent, "go-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("compiles with the quick start and every example of the schema", async () => {
  const { go } = await prepareLanguages();
  cpSync(join(repository, "examples", "go"), folder, { recursive: true });
  for (const [name, program] of schemaExamples("go")) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "main.go"), program);
  }
  expectSuccess(await go(["vet", "-mod=readonly", "-trimpath", "./..."], { cwd: folder }));
});
