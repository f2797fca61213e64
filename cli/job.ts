/** Reads the commit and the log's address of a job from the environment of GitHub, GitLab and Jenkins. */
import { readFileSync } from "node:fs";
import { z } from "zod";

/** The job that writes a comment. */
export interface Job {
  /** SHA of the commit. */
  readonly commit?: string | undefined;
  /** Address of the job's log. */
  readonly log?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function jobIn(environment: Environment): Job {
  const { GITHUB_ACTIONS, GITHUB_SHA, GITLAB_CI, CI_COMMIT_SHA, CI_JOB_URL, GIT_COMMIT, BUILD_URL } =
    environment;
  if (GITHUB_ACTIONS) {
    const { GITHUB_SERVER_URL = "", GITHUB_REPOSITORY = "", GITHUB_RUN_ID = "" } = environment;
    // GITHUB_SHA is the SHA of a temporary merge commit, which readers of the pull request don't know.
    const commit = githubPullRequest(environment)?.head.sha ?? GITHUB_SHA;
    return jobOf(commit, `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`);
  }
  if (GITLAB_CI) return jobOf(environment["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"] || CI_COMMIT_SHA, CI_JOB_URL);
  return jobOf(GIT_COMMIT, BUILD_URL);
}

const jobOf = (commit = "", log = ""): Job => ({
  commit: isCommit(commit) ? commit : undefined,
  log: isAddress(log) ? log : undefined,
});

export const isCommit = (text: string): boolean => /^[\da-f]{7,64}$/.test(text);

/** Returns true for an address without a character that would end a link. */
export function isAddress(text: string): boolean {
  return text.length <= 1000 && /^https?:\/\/[^\s<>\\]+$/.test(text) && URL.canParse(text);
}

const githubEvent = z.object({
  pull_request: z.object({ number: z.int(), head: z.object({ sha: z.string() }) }).optional(),
});

/** Returns the pull request of a job on GitHub; undefined if the job isn't for a pull request. */
export function githubPullRequest({ GITHUB_EVENT_PATH }: Environment) {
  if (!GITHUB_EVENT_PATH) return undefined;
  try {
    return githubEvent.parse(JSON.parse(readFileSync(GITHUB_EVENT_PATH, "utf8"))).pull_request;
  } catch {
    return undefined;
  }
}
