/** Where the locks and notes of the runs of one user lie. */
import { isAbsolute, join } from "node:path";
import { pulumiHome } from "./pulumiHome";
import { type Environment, type Settings } from "./settings";

/** Undefined without a setting and without a home. No folder for all users in its place: another user could create it first. */
export function lockDirectoryOf(settings: Settings, environment: Environment): string | undefined {
  const given = settings.text("lockDirectory");
  // A provider process runs in the folder of its project, and nothing expands `~`.
  if (given !== undefined && !isAbsolute(given)) {
    settings.addProblem(
      settings.nameOf("lockDirectory"),
      "must be an absolute path: a relative one is another directory for each project",
    );
  }
  const home = pulumiHome(environment);
  return given ?? (home && join(home, "monitoring-locks"));
}
