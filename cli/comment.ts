/** Runs `monitoring comment`: creates a comment on the pull request of a job, or replaces the comment of an earlier job. */
import { existsSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { text as readAll } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { z } from "zod";
import { readText } from "../audit/sources";
import { openTunnel, proxyFor } from "../provider/client";
import { amount, errorReason, oneLine } from "../provider/texts";
import {
  choiceOf,
  type CommandContext,
  CommandError,
  rejectDuplicates,
  rejectEmpty,
  UsageError,
} from "./command";
import { exitCodes } from "./exitCodes";
import { githubPullRequest, jobIn } from "./job";
import { withoutResult } from "./previewComment";

type CommentContext = Pick<CommandContext, "environment" | "stdout" | "stderr">;

/** @throws UsageError, or an error of `parseArgs`, for invalid arguments */
export async function runComment(args: readonly string[], context: CommentContext): Promise<number> {
  const { host, about, file } = readArguments(args);
  const { environment, stdout, stderr } = context;
  try {
    const comments = hosts[host](environment);
    if (!comments) {
      stdout.write("This job is not for a pull request, so there is nothing to comment on.\n");
      return exitCodes.success;
    }
    const marker = `<!-- monitoring: ${about} -->\n`;
    await write(comments, marker, bodyOf(file, about, comments.maxCharacters - marker.length, environment));
    return exitCodes.success;
  } catch (error) {
    const text = oneLine(`The comment was not written: ${errorReason(error)}`);
    // GitHub shows such a line beside the job.
    if (host === "github") stdout.write(`::warning::${text.replace(/%/g, "%25")}\n`);
    else stderr.write(`${text}\n`);
    return exitCodes.unread;
  }
}

function readArguments(args: readonly string[]) {
  const options = { host: { type: "string" }, about: { type: "string", default: "preview" } } as const;
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    tokens: true,
    allowPositionals: true,
  });
  rejectDuplicates(tokens);
  rejectEmpty(tokens);
  const { host = "", about } = values;
  if (positionals.length > 1) throw new UsageError(`One FILE can be given, not ${positionals.length}.`);
  if (!/^[^<>\p{Cc}]{1,300}$/u.test(about))
    throw new UsageError("--about must be a line of at most 300 characters, without < and >.");
  // A script may pass an empty argument if it has no file.
  const file = positionals[0] === "" ? undefined : positionals[0];
  return { host: choiceOf(["github", "gitlab"], "--host", host), about, file };
}

function bodyOf(
  file: string | undefined,
  about: string,
  most: number,
  environment: CommentContext["environment"],
): string {
  const job = jobIn(environment);
  if (file === undefined || !existsSync(file)) return withoutResult(about, job);
  const text = readText(file);
  if (text.trim() === "") return withoutResult(about, job);
  if (text.length <= most) return text;
  return withoutResult(
    about,
    job,
    `It has ${amount(text.length, "character")}, more than a comment can have`,
  );
}

/** The comments on one pull request. */
interface Comments {
  readonly maxCharacters: number;
  /** Returns the comments of a page, at most {@link pageSize}. The first page is 1. */
  page(number: number): Promise<readonly Comment[]>;
  /** Returns the owner of the token, in the form of `author` in {@link Comment}. */
  author(): Promise<string>;
  create(body: string): Promise<unknown>;
  replace(id: number, body: string): Promise<unknown>;
}

interface Comment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
}

const pageSize = 100;

/** Replaces only a comment of the same author, because anybody can write a comment that begins with the marker. */
async function write(comments: Comments, marker: string, text: string): Promise<void> {
  const author = await comments.author();
  const body = marker + text;
  for (let number = 1, isLast = false; !isLast; number += 1) {
    const page = await comments.page(number);
    isLast = page.length < pageSize;
    for (const { id } of page.filter((one) => one.author === author && one.body.startsWith(marker.trim()))) {
      try {
        await comments.replace(id, body);
        return;
      } catch (error) {
        // The host may refuse to edit a comment, such as one of a locked conversation. Create a new one then.
        if (!(error instanceof HostError) || !error.isRefusal) throw error;
      }
    }
  }
  await comments.create(body);
}

const githubUser = z.object({ data: z.object({ viewer: z.object({ login: z.string() }) }) });
const githubComments = z.array(
  z.object({
    id: z.int(),
    body: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
  }),
);
const gitlabUser = z.object({ id: z.int() });
const gitlabNotes = z.array(
  z.object({ id: z.int(), body: z.string(), author: z.object({ id: z.int() }).nullish() }),
);

const hosts = {
  github(environment: CommentContext["environment"]): Comments | undefined {
    const pullRequest = githubPullRequest(environment);
    if (!pullRequest) return undefined;
    const token = required(environment, environment["GH_TOKEN"] ? "GH_TOKEN" : "GITHUB_TOKEN");
    const api = required(environment, "GITHUB_API_URL");
    const repository = `${api}/repos/${required(environment, "GITHUB_REPOSITORY")}`;
    const issue = `${repository}/issues/${pullRequest.number}/comments`;
    const headers = { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" };
    const send = (method: string, url: string, body?: object) =>
      request(method, url, headers, body, environment);
    return {
      maxCharacters: 65_536,
      page: async (number) => {
        const page = await send("GET", `${issue}?per_page=${pageSize}&page=${number}`);
        return documented(githubComments, page).map(({ id, body, user }) => ({
          id,
          body: body ?? "",
          author: user?.login ?? "",
        }));
      },
      // The token of a job isn't allowed to read `GET /user`.
      author: async () => {
        const graphql = environment["GITHUB_GRAPHQL_URL"] ?? `${api}/graphql`;
        const response = await send("POST", graphql, { query: "{viewer{login}}" }).catch(ignoreRefusal);
        return githubUser.safeParse(response).data?.data.viewer.login ?? "github-actions[bot]";
      },
      create: (body) => send("POST", issue, { body }),
      replace: (id, body) => send("PATCH", `${repository}/issues/comments/${id}`, { body }),
    };
  },

  gitlab(environment: CommentContext["environment"]): Comments | undefined {
    const { CI_MERGE_REQUEST_IID } = environment;
    if (!CI_MERGE_REQUEST_IID) return undefined;
    const api = required(environment, "CI_API_V4_URL");
    const project = `${api}/projects/${required(environment, "CI_PROJECT_ID")}`;
    const notes = `${project}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
    const headers = { "private-token": required(environment, "GITLAB_TOKEN") };
    const send = (method: string, url: string, body?: object) =>
      request(method, url, headers, body, environment);
    return {
      maxCharacters: 1_000_000,
      page: async (number) => {
        const page = await send("GET", `${notes}?per_page=${pageSize}&page=${number}`);
        return documented(gitlabNotes, page).map(({ id, body, author }) => ({
          id,
          body,
          author: String(author?.id),
        }));
      },
      author: async () => String(documented(gitlabUser, await send("GET", `${api}/user`)).id),
      create: (body) => send("POST", notes, { body }),
      replace: (id, body) => send("PUT", `${notes}/${id}`, { body }),
    };
  },
};

function required(environment: CommentContext["environment"], name: string): string {
  const value = environment[name];
  if (!value) throw new CommandError(`${name} is not set.`);
  return value;
}

function documented<Value>(schema: z.ZodType<Value>, response: unknown): Value {
  const { data, error } = schema.safeParse(response);
  if (error) throw new CommandError("the response of the host is not as it documents.");
  return data;
}

/** A response of the host that isn't a success. */
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
  if (!(error instanceof HostError)) throw error;
}

const timeoutMs = 30_000;
const mostOfResponse = 300;

/** Sends a request through the proxy of the environment, which `fetch` of Node 20 ignores. */
async function request(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object | undefined,
  environment: CommentContext["environment"],
): Promise<unknown> {
  const host = new URL(url);
  const { proxy, problem } = proxyFor(host, environment);
  if (problem) throw new CommandError(`${problem.property} ${problem.reason}.`);
  const signal = AbortSignal.timeout(timeoutMs);
  const onEnd = (listener: () => void): void => signal.addEventListener("abort", listener);
  const createConnection = proxy && (await openTunnel(proxy, host, onEnd));
  const options = {
    method,
    headers: { ...headers, "content-type": "application/json", "user-agent": "pulumi-monitoring-service" },
    signal,
    ...(createConnection && { createConnection }),
  };
  const { request: start } = host.protocol === "https:" ? https : http;
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    start(host, options, resolve)
      .once("error", reject)
      .end(body && JSON.stringify(body));
  });
  const text = await readAll(response);
  const { statusCode = 0, headers: received } = response;
  if (statusCode < 200 || statusCode > 299) {
    // GitHub also limits the rate by 403.
    const isBusy = received["retry-after"] !== undefined || received["x-ratelimit-remaining"] === "0";
    const isRefusal = statusCode < 500 && statusCode !== 429 && !isBusy;
    const advice =
      isRefusal && [401, 403, 404].includes(statusCode)
        ? " Does the token have the permission to write comments?"
        : "";
    throw new HostError(isRefusal, `HTTP ${statusCode}: ${text.slice(0, mostOfResponse)}.${advice}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new HostError(false, "the response of the host is not JSON.");
  }
}
