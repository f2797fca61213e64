/** Runs `monitoring comment`: maintains a single comment of a job on its pull request, with the result for the newest commit. */
import { existsSync } from "node:fs";
import { z } from "zod";
import { readText } from "../provider/files";
import { createRequester } from "../provider/client";
import { formatCount, getErrorReason, toOneLine } from "../provider/texts";
import { toInertSentence } from "../provider/inertText";
import type { Arguments, CommandContext } from "./command";
import type * as definitions from "./definitions";
import { renderMarkdown } from "./documents";
import { exitCodes } from "./exitCodes";
import {
  readJob,
  formatPreviewTitle,
  findPullRequest,
  pullRequestSources,
  createNoResultDocument,
} from "./job";

export async function runComment(
  { values, operand = "" }: Arguments<typeof definitions.comment>,
  { environment, stdout, stderr }: CommandContext,
): Promise<number> {
  const { host, "pull-request": number } = values;
  const about = values.about ?? formatPreviewTitle(environment["PULUMI_STACK"]);
  // GitHub shows lines in this format on the page of the job.
  const printMessage = (level: "notice" | "warning", text: string): void => {
    const line = toOneLine(text);
    if (host === "github") stdout.write(`::${level}::${line.replace(/%/g, "%25")}\n`);
    else (level === "notice" ? stdout : stderr).write(`${line}\n`);
  };
  try {
    const pullRequest = findPullRequest(host, environment, number);
    if (!pullRequest) {
      printMessage(
        "notice",
        `No comment was written, because this job has no pull request in ${pullRequestSources[host]}. To comment on a pull request, set --pull-request NUMBER.`,
      );
      return exitCodes.success;
    }
    const comments = hosts[host](environment, pullRequest.number);
    const marker = `<!-- monitoring: ${about} -->\n`;
    const body = marker + buildBody(operand, about, comments.maxCharacters - marker.length, environment);
    const { head } = pullRequest;
    const newest = await write(comments, await comments.getAuthor(), head, marker.trim(), body);
    if (newest !== undefined)
      printMessage(
        "notice",
        `No comment was written, because the last commit of the pull request is now ${newest.slice(0, 7)}, not ${head?.slice(0, 7)}.`,
      );
    return exitCodes.success;
  } catch (error) {
    printMessage("warning", `Writing the comment failed: ${getErrorReason(error)}`);
    return exitCodes.unread;
  }
}

/** @param file Empty if a script has no file. */
function buildBody(file: string, about: string, most: number, environment: NodeJS.ProcessEnv): string {
  const text = existsSync(file) ? withDetail(readText(file), about) : "";
  const isTooLong = text.length > most;
  if (text.trim() !== "" && !isTooLong) return text;
  const length = `The result is too long for a comment (${formatCount(text.length, "character")})`;
  return renderMarkdown(createNoResultDocument(about, readJob(environment), isTooLong ? length : undefined));
}

/** Adds the detail in `about`, such as an account, below the heading, unless the heading contains it. */
function withDetail(text: string, about: string): string {
  const detail = /\((.+)\)$/.exec(about)?.[1];
  const [heading = "", ...lines] = text.split("\n");
  if (detail === undefined || text.trim() === "" || heading.includes(toInertSentence(detail))) return text;
  return [heading, "", `_${toInertSentence(detail)}_`, ...lines].join("\n");
}

interface Comments {
  readonly maxCharacters: number;
  /** Returns the SHA of the pull request's last commit. Undefined if the token isn't allowed to read it. */
  getHead(): Promise<string | undefined>;
  /** Returns the comments of a page, starting at 1. A host may return all comments on each page. */
  getPage(number: number): Promise<readonly Comment[]>;
  /** Returns the owner of the token, in the form of `author` in {@link Comment}. Undefined if the host doesn't return it. */
  getAuthor(): Promise<string | undefined>;
  /** Returns the comments that weren't hidden, for example as outdated. GitLab can't hide notes of a merge request. */
  listShown(of: readonly Comment[]): Promise<readonly Comment[]>;
  create(body: string): Promise<Comment>;
  replace(id: number, body: string): Promise<unknown>;
  delete(id: number): Promise<unknown>;
}

interface Comment {
  readonly id: number;
  readonly node_id?: string | null | undefined;
  readonly author: string;
  readonly body: string;
}

const pageSize = 100;

/**
 * Writes the job's comment, which starts with the marker. Other users can write comments with the marker, so only a comment by the token's
 * owner is replaced. Of several, the oldest visible comment is replaced, so that concurrent jobs choose the same one.
 *
 * @param author The token's owner. Undefined if the host only returns it with a comment.
 * @param head The job's commit.
 * @returns The last commit of the pull request if it isn't the job's commit. In that case, nothing is written.
 */
async function write(
  comments: Comments,
  author: string | undefined,
  head: string | undefined,
  marker: string,
  body: string,
): Promise<string | undefined> {
  const earlier = author === undefined ? undefined : await findOldest(comments, author, marker);
  const newest = head && (await comments.getHead());
  if (newest && newest !== head) return newest;
  if (earlier) {
    await comments.replace(earlier.id, body);
    return undefined;
  }
  const created = await comments.create(body);
  const first = await findOldest(comments, created.author, marker);
  if (!first || first.id === created.id) return undefined;
  // A concurrent job created a comment, or an earlier job did and the host didn't return the author until now.
  await comments.delete(created.id);
  return write(comments, created.author, head, marker, body);
}

/** Returns the author's oldest comment that starts with the marker and wasn't hidden. */
async function findOldest(comments: Comments, author: string, marker: string): Promise<Comment | undefined> {
  const found = new Map<number, Comment>();
  for (let number = 1, before = -1; found.size > before; number += 1) {
    before = found.size;
    const page = await comments.getPage(number);
    for (const comment of page) found.set(comment.id, comment);
    if (page.length < pageSize) break;
  }
  const own = [...found.values()].filter((one) => one.author === author && one.body.startsWith(marker));
  return (await comments.listShown(own)).toSorted((one, other) => one.id - other.id)[0];
}

const githubUser = z.object({ login: z.string() });
const githubViewer = z.object({ data: z.object({ viewer: githubUser }) });
/** Entries are null for comments that the token isn't allowed to read. */
const githubNodes = z.object({
  data: z.object({ nodes: z.array(z.object({ id: z.string(), isMinimized: z.boolean() }).nullish()) }),
});
const githubPullRequest = z.object({ head: z.object({ sha: z.string() }) });
const githubComment = z
  .object({
    id: z.int(),
    node_id: z.string().nullish(),
    body: z.string().nullish(),
    user: githubUser.nullish(),
  })
  .transform(({ body, user, ...others }): Comment => {
    return { ...others, body: body ?? "", author: user?.login ?? "" };
  });

const gitlabUser = z.object({ id: z.int() });
const gitlabMergeRequest = z.object({ sha: z.string() });
const gitlabNote = z
  .object({ id: z.int(), body: z.string(), author: gitlabUser.nullish() })
  .transform(({ id, body, author }): Comment => ({ id, body, author: String(author?.id) }));

const hosts = {
  /** Also used for Gitea and Forgejo, because they provide the same API and variables. */
  github(environment: NodeJS.ProcessEnv, number: string): Comments {
    const token = requireVariable(environment, environment["GH_TOKEN"] ? "GH_TOKEN" : "GITHUB_TOKEN");
    const headers = { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" };
    const to = (variable: string) => createSender(environment, variable, token, headers, tokenAdvice.github);
    const send = to("GITHUB_API_URL");
    const repository = `/repos/${requireVariable(environment, "GITHUB_REPOSITORY")}`;
    const ofPullRequest = `${repository}/issues/${number}/comments`;
    return {
      maxCharacters: 65_536,
      getHead: async () => {
        const response = await send("GET", `${repository}/pulls/${number}`).catch(ignoreRejection);
        return githubPullRequest.safeParse(response).data?.head.sha;
      },
      getPage: async (page) =>
        parseResponse(
          z.array(githubComment),
          await send("GET", `${ofPullRequest}?per_page=${pageSize}&page=${page}`),
        ),
      getAuthor: async () => {
        // A GitHub job's token isn't allowed to call `GET /user`. Gitea and Forgejo don't support GraphQL.
        if (environment["GITHUB_GRAPHQL_URL"]) {
          const query = { query: "{viewer{login}}" };
          const response = await to("GITHUB_GRAPHQL_URL")("POST", "", query).catch(ignoreRejection);
          const { data } = githubViewer.safeParse(response);
          if (data) return data.data.viewer.login;
        }
        return githubUser.safeParse(await send("GET", "/user").catch(ignoreRejection)).data?.login;
      },
      listShown: async (of) => {
        // Gitea and Forgejo don't support GraphQL, and can't hide comments.
        if (!environment["GITHUB_GRAPHQL_URL"] || of.length === 0) return of;
        const query = "query($ids:[ID!]!){nodes(ids:$ids){... on IssueComment{id isMinimized}}}";
        const variables = { ids: of.map(({ node_id: node }) => node) };
        const ask = to("GITHUB_GRAPHQL_URL");
        const response = await ask("POST", "", { query, variables }).catch(ignoreRejection);
        const nodes = githubNodes.safeParse(response).data?.data.nodes ?? [];
        return of.filter(({ node_id: node }) => !nodes.some((each) => each?.isMinimized && each.id === node));
      },
      create: async (body) => parseResponse(githubComment, await send("POST", ofPullRequest, { body })),
      replace: (id, body) => send("PATCH", `${repository}/issues/comments/${id}`, { body }),
      delete: (id) => send("DELETE", `${repository}/issues/comments/${id}`),
    };
  },

  gitlab(environment: NodeJS.ProcessEnv, number: string): Comments {
    const token = requireVariable(environment, "GITLAB_TOKEN");
    const send = createSender(
      environment,
      "CI_API_V4_URL",
      token,
      { "private-token": token },
      tokenAdvice.gitlab,
    );
    // `CI_PROJECT_ID` may be a fork, because the pipeline of a merge request from a fork runs in the fork.
    const project =
      environment["CI_MERGE_REQUEST_PROJECT_ID"] || requireVariable(environment, "CI_PROJECT_ID");
    const mergeRequest = `/projects/${project}/merge_requests/${number}`;
    const notes = `${mergeRequest}/notes`;
    return {
      maxCharacters: 1_000_000,
      getHead: async () =>
        gitlabMergeRequest.safeParse(await send("GET", mergeRequest).catch(ignoreRejection)).data?.sha,
      getPage: async (page) =>
        parseResponse(z.array(gitlabNote), await send("GET", `${notes}?per_page=${pageSize}&page=${page}`)),
      getAuthor: async () => {
        const { data } = gitlabUser.safeParse(await send("GET", "/user").catch(ignoreRejection));
        return data && String(data.id);
      },
      listShown: (of) => Promise.resolve(of),
      create: async (body) => parseResponse(gitlabNote, await send("POST", notes, { body })),
      replace: (id, body) => send("PUT", `${notes}/${id}`, { body }),
      delete: (id) => send("DELETE", `${notes}/${id}`),
    };
  },
};

function requireVariable(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}

function parseResponse<Value>(schema: z.ZodType<Value>, response: unknown): Value {
  const { data, error } = schema.safeParse(response);
  if (error) throw new Error("the response of the code host doesn't match its documented API.");
  return data;
}

/** What to check if a host rejects the token. */
const tokenAdvice = {
  github: "Check the token. The job needs the permission `pull-requests: write`.",
  gitlab:
    "Check the token. It must be a project access token with the scope `api`, because a job token can't write notes.",
};

/** The host rejected the request, and would reject it again later. */
class HostRejection extends Error {}

function ignoreRejection(error: unknown): undefined {
  if (!(error instanceof HostRejection)) throw error;
}

function createSender(
  environment: NodeJS.ProcessEnv,
  variable: string,
  token: string,
  headers: Readonly<Record<string, string>>,
  advice: string,
): (...request: Parameters<ReturnType<typeof createRequester>>) => Promise<unknown> {
  const address = requireVariable(environment, variable);
  if (!URL.canParse(address)) throw new Error(`${variable} is not a URL.`);
  const send = createRequester(new URL(address), token, headers, environment);
  return async (...request) => {
    const { status, json, message, isBusy } = await send(...request);
    const kind = Math.floor(status / 100);
    if (kind === 2) return json;
    const [method, path] = request;
    const call = `${method} ${path.replace(/\?.*/, "")}`.trim();
    const failure = `${call}: HTTP ${status}${message && `: ${message}`}.`;
    if (isBusy) throw new Error(`${failure} Run the job again.`);
    const moved = ` Redirects are not followed. Check whether the repository was renamed or ${variable} is outdated.`;
    const rejected = [401, 403, 404].includes(status) ? ` ${advice}` : "";
    throw new HostRejection(failure + (kind === 3 ? moved : rejected));
  };
}
