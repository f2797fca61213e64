/** Tests the generated Go SDK with a program that uses it. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { prepareLanguages } from "../../tools/test/languages";
import { expectSuccess, folderInRepository, repository } from "../engine/stack";

it("the SDK compiles with the quick start", async () => {
  const { go } = await prepareLanguages();
  // The folder is two levels below the root, like the example, because the example's go.mod specifies the SDK by a relative path.
  const folder = folderInRepository();
  cpSync(join(repository, "examples", "go"), folder, { recursive: true });
  expectSuccess(await go(["vet", "-mod=readonly", "-trimpath", "./..."], { cwd: folder }));
});
