/** The archive of the SDK for Python, as a release has it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { prepareLanguages } from "../../scripts/languages/index";

export async function pythonArchive(): Promise<string> {
  const { sdks } = await prepareLanguages();
  const [name = "no archive"] = readdirSync(sdks).filter((file) => file.startsWith("pulumi_monitoring-"));
  return join(sdks, name);
}
