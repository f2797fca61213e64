/** Reads the commit, the pull request and the URL of the log of a job from the environment of GitHub, GitLab or Jenkins. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Document } from "./documents";

/** The job that writes a comment. */
export interface Job {
  /** SHA of the commit. */
  readonly commit?: string | undefined;
  /** URL of the job's log. */
  readonly log?: string | undefined;
}

export interface PullRequest {
  readonly number: string;
  /** SHA of the last commit when the job started. Undefined if the environment doesn't contain it. */
  readonly head?: string | undefined;
}

export function readJob(environment: NodeJS.ProcessEnv): Job {
  const { GITHUB_ACTIONS, GITLAB_CI, CI_JOB_URL, GIT_COMMIT, BUILD_URL } = environment;
  if (GITHUB_ACTIONS) {
    const { GITHUB_SERVER_URL = "", GITHUB_REPOSITORY = "", GITHUB_RUN_ID = "" } = environment;
    return createJob(
      findGithubCommit(environment),
      `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`,
    );
  }
  if (GITLAB_CI) return createJob(getGitlabCommit(environment), CI_JOB_URL);
  return createJob(GIT_COMMIT, BUILD_URL);
}

/** Returns the name of a preview, for its heading and to distinguish its comment from the comments of other stacks. */
export function formatPreviewTitle(stack = ""): string {
  return stack === "" ? "preview" : `preview (${stack})`;
}

/** Returns the comment of a job without a result, or without a result yet. @param about Name of the result, such as "preview". */
export function createNoResultDocument(about: string, job: Job, why?: string): Document {
  const reason = why === undefined ? "" : `${why}. `;
  const note = { level: "note", head: `${reason}See the log.` } as const;
  return { ...job, heading: [`No ${about}`, ""], sections: [{ items: [[note]] }] };
}

const commitPattern = /^[\da-f]{7,64}$/;

/** Returns true for a URL without characters that would end a Markdown link. */
const isAddress = (text: string): boolean =>
  text.length <= 1000 && /^https?:\/\/[^\s<>\\]+$/.test(text) && URL.canParse(text);

const createJob = (commit = "", log = ""): Job => ({
  commit: commitPattern.test(commit) ? commit : undefined,
  log: isAddress(log) ? log : undefined,
});

/** Describes the sources that {@link findPullRequest} reads, for a notice. */
export const pullRequestSources = {
  github:
    "the event at GITHUB_EVENT_PATH (pull_request, issue of a pull request, workflow_run of a single pull request, or merge_group)",
  gitlab: "CI_MERGE_REQUEST_IID",
};

/**
 * Returns the pull request or merge request of a job. Undefined if the job doesn't belong to one.
 *
 * @param given Number that takes precedence.
 */
export function findPullRequest(
  host: keyof typeof pullRequestSources,
  environment: NodeJS.ProcessEnv,
  given?: string,
): PullRequest | undefined {
  const found = host === "github" ? findGithubPullRequest(environment) : findGitlabMergeRequest(environment);
  if (given === undefined || found?.number === given) return found;
  const { GITHUB_ACTIONS, GITLAB_CI } = environment;
  return { number: given, head: GITHUB_ACTIONS || GITLAB_CI ? undefined : readJob(environment).commit };
}

function findGitlabMergeRequest(environment: NodeJS.ProcessEnv): PullRequest | undefined {
  const { CI_MERGE_REQUEST_IID: number } = environment;
  return number ? { number, head: getGitlabCommit(environment) || undefined } : undefined;
}

/** In a pipeline of merged results, CI_COMMIT_SHA contains the SHA of a merge commit. */
const getGitlabCommit = ({ CI_MERGE_REQUEST_SOURCE_BRANCH_SHA, CI_COMMIT_SHA }: NodeJS.ProcessEnv) =>
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || CI_COMMIT_SHA;

const numbered = z.object({ number: z.int() });
const githubEvent = z.object({
  pull_request: numbered.extend({ head: z.object({ sha: z.string() }) }).optional(),
  issue: numbered.extend({ pull_request: z.object({}).optional() }).optional(),
  workflow_run: z.object({ head_sha: z.string(), pull_requests: z.array(numbered) }).optional(),
  merge_group: z.object({ head_ref: z.string() }).optional(),
});

function readGithubEvent({ GITHUB_EVENT_PATH }: NodeJS.ProcessEnv): z.infer<typeof githubEvent> {
  try {
    return githubEvent.parse(JSON.parse(readFileSync(GITHUB_EVENT_PATH ?? "", "utf8")));
  } catch {
    return {};
  }
}

/**
 * Returns the commit of a job. GITHUB_SHA is a temporary merge commit for a pull request, and the default branch's commit for an issue or
 * another workflow.
 */
function findGithubCommit(environment: NodeJS.ProcessEnv): string | undefined {
  const { pull_request, issue, workflow_run } = readGithubEvent(environment);
  if (issue) return undefined;
  return pull_request?.head.sha ?? workflow_run?.head_sha ?? environment["GITHUB_SHA"];
}

function findGithubPullRequest(environment: NodeJS.ProcessEnv): PullRequest | undefined {
  const { pull_request, issue, workflow_run, merge_group } = readGithubEvent(environment);
  if (pull_request) return { number: String(pull_request.number), head: pull_request.head.sha };
  if (issue) return issue.pull_request && { number: String(issue.number) };
  if (workflow_run) {
    const [only, ...others] = workflow_run.pull_requests;
    return only && others.length === 0
      ? { number: String(only.number), head: workflow_run.head_sha }
      : undefined;
  }
  // The merge queue tests a branch such as gh-readonly-queue/main/pr-7-abc1234.
  const [, number] = /\/pr-(\d+)-[\da-f]+$/.exec(merge_group?.head_ref ?? "") ?? [];
  return number === undefined ? undefined : { number };
}
