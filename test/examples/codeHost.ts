/** Replaces the API of GitHub, Gitea or GitLab in each test: a server with one pull request, 7, and its comments. */
import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { type Received, serve } from "../client/services";
import { temporaryFolder } from "../temporaryFolder";

/** The job's commit. */
export const sha = "abc1234def567890abc1234def567890abc12345";

interface Sent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface HostComment {
  readonly id: number;
  readonly by: string;
  readonly body: string;
}

export type HostKind = "github" | "gitea" | "gitlab";

/** The user of a job's token. On GitLab, users have numeric IDs. */
export const owner: Readonly<Record<HostKind, string>> = {
  github: "github-actions[bot]",
  gitea: "gitea-actions",
  gitlab: "5",
};

const notFound: Sent = { status: 404, body: { message: "Not Found" } };

export class CodeHost {
  url = "";
  kind: HostKind = "github";
  requests: Received[] = [];
  comments: HostComment[] = [];
  /** The last commit of the pull request. Empty if the token isn't allowed to read it. */
  head = "";
  /** IDs of hidden comments. */
  hidden: readonly number[] = [];
  /** Overrides the response, unless it returns undefined. */
  respond: (request: Received) => Sent | undefined | Promise<Sent | undefined> = () => undefined;

  constructor() {
    beforeEach(() => this.#start());
  }

  /** The requests that write comments, as method and path. */
  get writes(): string[] {
    return this.requests
      .filter(({ method, url }) => method !== "GET" && url !== "/graphql")
      .map(({ method, url }) => `${method} ${url}`);
  }

  /** The headings of the written comments, below their markers. */
  get headings(): (string | undefined)[] {
    return this.requests
      .filter(({ method, url }) => method !== "GET" && url !== "/graphql")
      .map(({ body }) => parseText(body).split("\n")[1]);
  }

  /** Returns the environment of a job on GitHub. @param event Default: the event of the pull request. */
  githubJob(event: object = { pull_request: { number: 7, head: { sha } } }): Record<string, string> {
    const file = join(temporaryFolder(), "event.json");
    writeFileSync(file, JSON.stringify(event));
    return {
      GITHUB_ACTIONS: "true",
      GITHUB_API_URL: this.url,
      GITHUB_GRAPHQL_URL: this.kind === "github" ? `${this.url}/graphql` : "",
      GITHUB_EVENT_PATH: file,
      GITHUB_REPOSITORY: "shop/alerts",
      GITHUB_RUN_ID: "99",
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_SHA: "0".repeat(40),
      GH_TOKEN: "secret-token",
    };
  }

  /** Returns the environment of a job on GitLab. */
  gitlabJob(): Record<string, string> {
    return {
      GITLAB_CI: "true",
      CI_API_V4_URL: this.url,
      CI_PROJECT_ID: "42",
      CI_MERGE_REQUEST_IID: "7",
      CI_COMMIT_SHA: sha,
      CI_JOB_URL: "https://gitlab.example/job/1",
      GITLAB_TOKEN: "secret-token",
    };
  }

  async #start(): Promise<void> {
    this.kind = "github";
    this.comments = [];
    this.head = "";
    this.hidden = [];
    this.respond = () => undefined;
    const { url, requests } = await serve((response, received) => void this.#answer(response, received));
    this.url = url;
    this.requests = requests;
  }

  async #answer(response: ServerResponse, received: Received): Promise<void> {
    const { status = 200, headers, body } = (await this.respond(received)) ?? this.#do(received);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  #do({ method, url, body }: Received): Sent {
    const [path = "", query] = url.split("?");
    const me = owner[this.kind];
    if (path === "/graphql" && method === "POST" && this.kind === "github") {
      const { query, variables } = JSON.parse(body) as { query: string; variables?: { ids: string[] } };
      if (query === "{viewer{login}}") return { body: { data: { viewer: { login: me } } } };
      if (!query.endsWith("{nodes(ids:$ids){... on IssueComment{id isMinimized}}}")) return { body: {} };
      const nodes = variables?.ids.map((id) => ({
        id,
        isMinimized: this.hidden.includes(Number(id.replace("IC_", ""))),
      }));
      // GitHub returns null for objects that a token isn't allowed to read.
      return { body: { data: { nodes: [null, ...(nodes ?? [])] } } };
    }
    if (path === "/user") {
      // The token of a job on GitHub isn't allowed to read its user.
      if (this.kind === "github") return { status: 403, body: { message: "Not accessible" } };
      return { body: this.kind === "gitlab" ? { id: Number(me) } : { login: me } };
    }
    if (/\/(pulls|merge_requests)\/7$/.test(path)) {
      if (this.head === "") return notFound;
      return { body: this.kind === "gitlab" ? { sha: this.head } : { head: { sha: this.head } } };
    }
    const [, id] = /\/(?:comments|notes)\/(\d+)$/.exec(path) ?? [];
    if (id !== undefined) return this.#change(method, Number(id), body);
    if (!/\/7\/(comments|notes)$/.test(path)) return notFound;
    if (method === "POST") {
      const comment = {
        id: Math.max(1000, ...this.comments.map((one) => one.id)) + 1,
        by: me,
        body: parseText(body),
      };
      this.comments.push(comment);
      return { status: 201, body: this.#shown(comment) };
    }
    // Gitea returns all comments at once.
    const page = Number(new URLSearchParams(query).get("page"));
    const shown = this.kind === "gitea" ? this.comments : this.comments.slice((page - 1) * 100, page * 100);
    return { body: shown.map((comment) => this.#shown(comment)) };
  }

  #change(method: string, id: number, body: string): Sent {
    const comment = this.comments.find((one) => one.id === id);
    if (comment === undefined) return notFound;
    if (method === "DELETE") {
      this.comments = this.comments.filter((one) => one.id !== id);
      return { status: 204 };
    }
    const changed = { ...comment, body: parseText(body) };
    this.comments = this.comments.map((one) => (one.id === id ? changed : one));
    return { body: this.#shown(changed) };
  }

  #shown({ id, by, body }: HostComment): object {
    return {
      id,
      body,
      // The user may have been deleted.
      ...(this.kind === "gitlab"
        ? { author: by ? { id: Number(by) } : null }
        : { user: by ? { login: by } : null }),
      ...(this.kind === "github" && { node_id: `IC_${id}` }),
    };
  }
}

const parseText = (body: string): string => (JSON.parse(body) as { body: string }).body;
