/** Runs `monitoring comment`: keeps one comment of a job on its pull request, the one about the newest commit. */
import { existsSync } from "node:fs";
import { z } from "zod";
import { readText } from "../audit/sources";
import { type HostRequest, requestsTo } from "../provider/client";
import { amount, errorReason, inertSentence, oneLine } from "../provider/texts";
import type { Arguments, CommandContext } from "./command";
import type * as definitions from "./definitions";
import { markdownOf } from "./documents";
import { exitCodes } from "./exitCodes";
import { jobIn, previewOf, type PullRequest, pullRequestIn, pullRequestSources, withoutResult } from "./job";

export async function runComment(
  { values, operand }: Arguments<typeof definitions.comment>,
  { environment, stdout, stderr }: CommandContext,
): Promise<number> {
  const { host, "pull-request": number } = values;
  const about = values.about ?? previewOf(environment["PULUMI_STACK"]);
  // GitHub shows such a line beside the job.
  const tell = (level: "notice" | "warning", text: string): void => {
    const line = oneLine(text);
    if (host === "github") stdout.write(`::${level}::${line.replace(/%/g, "%25")}\n`);
    else (level === "notice" ? stdout : stderr).write(`${line}\n`);
  };
  try {
    const pullRequest = pullRequestIn(host, environment, number);
    if (!pullRequest) {
      tell(
        "notice",
        `No comment was written: this job names no pull request in ${pullRequestSources[host]}. Give it by --pull-request NUMBER.`,
      );
      return exitCodes.success;
    }
    const comments = hosts[host](environment, pullRequest.number);
    const marker = `<!-- monitoring: ${about} -->\n`;
    const body = marker + bodyOf(operand, about, comments.maxCharacters - marker.length, environment);
    const outdated = (commit: string): string =>
      marker + markdownOf(withoutResult(about, { commit }, pushedMeanwhile));
    const { newest, isWritten } = await write(comments, pullRequest, marker.trim(), body, outdated);
    if (newest !== undefined) {
      const what = isWritten ? `The comment says that there is no ${about} yet` : "No comment was written";
      const [head = ""] = pullRequest.heads ?? [];
      tell(
        "notice",
        `${what}: ${newest.slice(0, 7)} is the last commit of the pull request now, not ${head.slice(0, 7)}.`,
      );
    }
    return exitCodes.success;
  } catch (error) {
    tell("warning", `The comment was not written: ${errorReason(error)}`);
    return exitCodes.unread;
  }
}

function bodyOf(
  file: string | undefined,
  about: string,
  most: number,
  environment: NodeJS.ProcessEnv,
): string {
  // A script may pass an empty argument if it has no file.
  const text = !file || !existsSync(file) ? "" : withDetail(readText(file), about);
  if (text.trim() !== "" && text.length <= most) return text;
  const length = `It has ${amount(text.length, "character")}, more than a comment can have`;
  return markdownOf(withoutResult(about, jobIn(environment), text.length > most ? length : undefined));
}

const pushedMeanwhile =
  "It became the last commit while the job of an earlier one wrote this comment. If its own job has ended, run that again";

/** Says below the heading what the comment is about in particular, such as an account, unless the heading does. */
function withDetail(text: string, about: string): string {
  const [, detail] = /\((.+)\)$/.exec(about) ?? [];
  const [heading = "", ...lines] = text.split("\n");
  if (detail === undefined || text.trim() === "" || heading.includes(inertSentence(detail))) return text;
  return [heading, "", `_${inertSentence(detail)}_`, ...lines].join("\n");
}

interface Comments {
  readonly maxCharacters: number;
  /** Returns the SHA of the last commit of the pull request; undefined if the token may not read it. */
  head(): Promise<string | undefined>;
  /** Returns the comments of a page, the first of which is 1. A host may return all comments on each page. */
  page(number: number): Promise<readonly Comment[]>;
  /** Returns the owner of the token, in the form of `author` in {@link Comment}; undefined if the host doesn't return it. */
  author(): Promise<string | undefined>;
  /** Returns those of the comments that somebody hid, such as an outdated one. GitLab hides no notes of a merge request. */
  hidden?(of: readonly Comment[]): Promise<readonly Comment[]>;
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
const mostPages = 100;

/**
 * Leaves one comment that begins with the marker. Anybody can write such a comment, so only comments of the token's owner are
 * replaced and deleted. The oldest one that is shown stays, because jobs that run at the same time agree on it.
 *
 * @param outdated The comment for a commit that is pushed meanwhile, whose own job may have written before this one did.
 * @returns The last commit of the pull request, if it isn't the job's commit.
 */
async function write(
  comments: Comments,
  { heads }: PullRequest,
  marker: string,
  body: string,
  outdated: (commit: string) => string,
): Promise<{ readonly newest?: string | undefined; readonly isWritten: boolean }> {
  const newestCommit = async (): Promise<string | undefined> => {
    const newest = heads && (await comments.head());
    return newest === undefined || heads?.includes(newest) ? undefined : newest;
  };
  const author = await comments.author();
  const own = author === undefined ? [] : await ownComments(comments, author, marker);
  const newest = await newestCommit();
  if (newest !== undefined) return { newest, isWritten: false };
  const hidden = (await comments.hidden?.(own)) ?? [];
  const isShown = (one: Comment): boolean => !hidden.includes(one);
  let kept = await replaceFirst(comments, own.filter(isShown), body);
  let left = own;
  if (kept === undefined) {
    const created = await comments.create(body);
    // Another job may have created a comment meanwhile, and the host may name an author only now.
    left = await ownComments(comments, created.author, marker);
    const older = left.filter(({ id }) => id < created.id && own.every((one) => one.id !== id));
    kept = (await replaceFirst(comments, older, body)) ?? created.id;
  }
  for (const { id } of left) if (id !== kept) await comments.delete(id).catch(ignoreRefusal);
  const pushed = await newestCommit();
  if (pushed !== undefined) await comments.replace(kept, outdated(pushed));
  return { newest: pushed, isWritten: true };
}

/** Replaces the first comment that the host lets change, and returns its id. It may refuse in a locked conversation. */
async function replaceFirst(
  comments: Comments,
  candidates: readonly Comment[],
  body: string,
): Promise<number | undefined> {
  for (const { id } of candidates) {
    const isReplaced = await comments.replace(id, body).then(() => true, ignoreRefusal);
    if (isReplaced) return id;
  }
  return undefined;
}

async function ownComments(comments: Comments, author: string, marker: string): Promise<Comment[]> {
  const seen = new Set<number>();
  const own: Comment[] = [];
  for (let number = 1; number <= mostPages; number += 1) {
    const page = await comments.page(number);
    const added = page.filter(({ id }) => !seen.has(id));
    for (const comment of added) {
      seen.add(comment.id);
      if (comment.author === author && comment.body.startsWith(marker)) own.push(comment);
    }
    if (page.length < pageSize || added.length === 0) return own.sort((one, other) => one.id - other.id);
  }
  throw new HostError(false, `the host lists more than ${amount(mostPages * pageSize, "comment")}.`);
}

const githubUser = z.object({ login: z.string() });
const githubViewer = z.object({ data: z.object({ viewer: githubUser }) });
/** Fields of comments that the token may not read are null. */
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
  /** Serves Gitea and Forgejo, too, which have the same API and variables. */
  github(environment: NodeJS.ProcessEnv, number: string): Comments {
    const token = required(environment, environment["GH_TOKEN"] ? "GH_TOKEN" : "GITHUB_TOKEN");
    const headers = { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" };
    const to = (variable: string) => senderTo(environment, variable, token, headers);
    const send = to("GITHUB_API_URL");
    const repository = `/repos/${required(environment, "GITHUB_REPOSITORY")}`;
    const ofPullRequest = `${repository}/issues/${number}/comments`;
    return {
      maxCharacters: 65_536,
      head: async () => {
        const response = await send("GET", `${repository}/pulls/${number}`).catch(ignoreRefusal);
        return githubPullRequest.safeParse(response).data?.head.sha;
      },
      page: async (page) =>
        documented(
          z.array(githubComment),
          await send("GET", `${ofPullRequest}?per_page=${pageSize}&page=${page}`),
        ),
      author: async () => {
        // The token of a job on GitHub isn't allowed to read `GET /user`; Gitea and Forgejo have no GraphQL.
        if (environment["GITHUB_GRAPHQL_URL"]) {
          const query = { query: "{viewer{login}}" };
          const response = await to("GITHUB_GRAPHQL_URL")("POST", "", query).catch(ignoreRefusal);
          const { data } = githubViewer.safeParse(response);
          if (data) return data.data.viewer.login;
        }
        return githubUser.safeParse(await send("GET", "/user").catch(ignoreRefusal)).data?.login;
      },
      hidden: async (of) => {
        // Gitea and Forgejo, without GraphQL, hide no comments.
        if (!environment["GITHUB_GRAPHQL_URL"] || of.length === 0) return [];
        const query = "query($ids:[ID!]!){nodes(ids:$ids){... on IssueComment{id isMinimized}}}";
        const variables = { ids: of.flatMap(({ node_id: node }) => node ?? []).slice(0, pageSize) };
        const ask = to("GITHUB_GRAPHQL_URL");
        const response = await ask("POST", "", { query, variables }).catch(ignoreRefusal);
        const nodes = githubNodes.safeParse(response).data?.data.nodes ?? [];
        return of.filter(({ node_id: node }) => nodes.some((each) => each?.isMinimized && each.id === node));
      },
      create: async (body) => documented(githubComment, await send("POST", ofPullRequest, { body })),
      replace: (id, body) => send("PATCH", `${repository}/issues/comments/${id}`, { body }),
      delete: (id) => send("DELETE", `${repository}/issues/comments/${id}`),
    };
  },

  gitlab(environment: NodeJS.ProcessEnv, number: string): Comments {
    const token = required(environment, "GITLAB_TOKEN");
    const send = senderTo(environment, "CI_API_V4_URL", token, { "private-token": token });
    // The pipeline of a merge request from a fork runs in the fork.
    const project = environment["CI_MERGE_REQUEST_PROJECT_ID"] || required(environment, "CI_PROJECT_ID");
    const mergeRequest = `/projects/${project}/merge_requests/${number}`;
    const notes = `${mergeRequest}/notes`;
    return {
      maxCharacters: 1_000_000,
      head: async () =>
        gitlabMergeRequest.safeParse(await send("GET", mergeRequest).catch(ignoreRefusal)).data?.sha,
      page: async (page) =>
        documented(z.array(gitlabNote), await send("GET", `${notes}?per_page=${pageSize}&page=${page}`)),
      author: async () => {
        const { data } = gitlabUser.safeParse(await send("GET", "/user").catch(ignoreRefusal));
        return data && String(data.id);
      },
      create: async (body) => documented(gitlabNote, await send("POST", notes, { body })),
      replace: (id, body) => send("PUT", `${notes}/${id}`, { body }),
      delete: (id) => send("DELETE", `${notes}/${id}`),
    };
  },
};

function required(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (!value) throw new HostError(true, `${name} is not set.`);
  return value;
}

function documented<Value>(schema: z.ZodType<Value>, response: unknown): Value {
  const { data, error } = schema.safeParse(response);
  if (error) throw new HostError(false, "the response of the host is not as it documents.");
  return data;
}

/** The host can't be used, or its response isn't a success. */
class HostError extends Error {
  /** @param isRefusal True if the host would refuse the same request later, too. */
  constructor(
    readonly isRefusal: boolean,
    message: string,
  ) {
    super(message);
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof HostError) || !error.isRefusal) throw error;
}

function senderTo(
  environment: NodeJS.ProcessEnv,
  variable: string,
  token: string,
  headers: Readonly<Record<string, string>>,
): (...request: Parameters<HostRequest>) => Promise<unknown> {
  const address = required(environment, variable);
  if (!URL.canParse(address)) throw new HostError(true, `${variable} is not an address.`);
  const send = requestsTo(new URL(address), token, headers, environment);
  return async (...request) => {
    const { status, json, message, isBusy } = await send(...request);
    if (status >= 200 && status <= 299) return json;
    const advice =
      !isBusy && [401, 403, 404].includes(status)
        ? " Does the token have the permission to write comments?"
        : "";
    throw new HostError(!isBusy, `HTTP ${status}: ${message}.${advice}`);
  };
}
