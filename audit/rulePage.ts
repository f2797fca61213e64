/** The page of a rule in the reference. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFolder, repository, version } from "../provider/packageManifest";

export { version } from "../provider/packageManifest";

/** A published version, with the URL of its repository if known. */
interface Release {
  readonly version: string;
  readonly repository?: { readonly url: string } | undefined;
}

const thisRelease: Release = { version, repository };
const folder = ["docs", "reference"];

/** Its URL in the repository that published this version; in a checkout, that of the file. */
export function rulePage(id: string, release = thisRelease): string | undefined {
  return pageUrl(release, "rules", `${id}.md`);
}

/** The page that documents the rules on the audit itself. */
export function metaRulePage(release = thisRelease): string | undefined {
  return pageUrl(release, "README.md");
}

function pageUrl({ version, repository }: Release, ...path: string[]): string | undefined {
  const web = webUrl(repository?.url);
  if (web !== undefined) return [`${web}/blob/v${version}`, ...folder, ...path].join("/");
  const file = join(packageFolder, ...folder, ...path);
  return existsSync(file) ? pathToFileURL(file).href : undefined;
}

/** `https://host/owner/name` for `git+https://host/owner/name.git`. */
function webUrl(url = ""): string | undefined {
  return /^(?:git\+)?(https:\/\/.+?)(?:\.git)?$/.exec(url)?.[1];
}
