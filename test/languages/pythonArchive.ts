/** The archive of the SDK for Python, as a release has it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { prepareLanguages } from "../../scripts/languages/index";
import { run } from "../../scripts/setup/run";

export async function pythonArchive(): Promise<string> {
  const { sdks } = await prepareLanguages();
  const [name = "no archive"] = readdirSync(sdks).filter((file) => file.startsWith("pulumi_monitoring-"));
  return join(sdks, name);
}

/** Installs it into a folder, and returns where Python finds it. */
export async function installedSdk(folder: string): Promise<string> {
  const packages = join(folder, "packages");
  const { ok, output } = await run(
    "python3",
    ["-m", "pip", "install", "--target", packages, "--no-deps", await pythonArchive()],
    { env: process.env },
  );
  expect(ok ? "" : output).toBe("");
  return packages;
}
