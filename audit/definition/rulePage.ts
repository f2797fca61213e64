/** The page of a rule in the reference. */
import { repository, version } from "../../provider/machine/packageManifest";

/** A published version, with the URL of its repository if known. */
interface Release {
  readonly version: string;
  readonly repository?: { readonly url: string } | undefined;
}

const thisRelease: Release = { version, repository };

/** Its URL in the repository that published this version; undefined where none has. */
export function rulePage(id: string, release = thisRelease): string | undefined {
  return pageUrl(release, `rules/${id}.md`);
}

/** The page that documents the rules on the audit itself. */
export function metaRulePage(release = thisRelease): string | undefined {
  return pageUrl(release, "README.md");
}

function pageUrl({ version, repository }: Release, page: string): string | undefined {
  const web = webUrl(repository?.url);
  return web === undefined ? undefined : `${web}/blob/v${version}/docs/reference/${page}`;
}

/** `https://host/owner/name` for `git+https://host/owner/name.git`. */
function webUrl(url = ""): string | undefined {
  return /^(?:git\+)?(https:\/\/.+?)(?:\.git)?$/.exec(url)?.[1];
}
