/** `monitoring comment`: whose comment it replaces, and what it writes where there is no result, against a fake of the host. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { runComment } from "../../cli/comment";
import { CodeHost } from "../examples/codeHost";
import { temporaryFolder } from "../temporaryFolder";
import { fileWith, run } from "./running";

const host = new CodeHost();
const sha = "abc1234def567890abc1234def567890abc12345";
const marker = "<!-- monitoring: preview -->";
const result = "## Preview: 1 update will be posted\n";

function githubJob(pullRequest: object | null = { number: 7, head: { sha } }): Record<string, string> {
  const event = join(temporaryFolder(), "event.json");
  writeFileSync(event, JSON.stringify({ pull_request: pullRequest }));
  return {
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: host.url,
    GITHUB_GRAPHQL_URL: `${host.url}/graphql`,
    GITHUB_EVENT_PATH: event,
    GITHUB_REPOSITORY: "shop/alerts",
    GITHUB_RUN_ID: "99",
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_SHA: "0".repeat(40),
    GH_TOKEN: "secret-token",
  };
}

const gitlabJob = (): Record<string, string> => ({
  GITLAB_CI: "true",
  CI_API_V4_URL: host.url,
  CI_PROJECT_ID: "42",
  CI_MERGE_REQUEST_IID: "7",
  CI_COMMIT_SHA: sha,
  CI_JOB_URL: "https://gitlab.example/job/1",
  GITLAB_TOKEN: "secret-token",
});

const hosts = {
  github: {
    job: githubJob,
    user: "/graphql",
    own: { data: { viewer: { login: "github-actions[bot]" } } },
    list: "/repos/shop/alerts/issues/7/comments",
    one: "PATCH /repos/shop/alerts/issues/comments/",
    by: (isOurs: boolean) => ({ user: { login: isOurs ? "github-actions[bot]" : "mallory" } }),
    log: "https://github.example/shop/alerts/actions/runs/99",
  },
  gitlab: {
    job: gitlabJob,
    user: "/user",
    own: { id: 5 },
    list: "/projects/42/merge_requests/7/notes",
    one: "PUT /projects/42/merge_requests/7/notes/",
    by: (isOurs: boolean) => ({ author: { id: isOurs ? 5 : 6 } }),
    log: "https://gitlab.example/job/1",
  },
};

type Name = keyof typeof hosts;

/** The host has these comments, and refuses to change some. */
function hostHas(name: Name, comments: readonly object[], refused: readonly number[] = [], more = {}): void {
  const { user, own } = hosts[name];
  host.respond = ({ method, url }) => {
    if (url === user) return { body: own };
    const page = Number(/&page=(\d+)/.exec(url)?.[1] ?? 0);
    if (method === "GET") return { body: comments.slice((page - 1) * 100, page * 100) };
    return refused.some((id) => url.endsWith(`/${id}`)) ? { status: 403, body: {}, ...more } : { body: {} };
  };
}

const comment = (name: Name, file: string | undefined, environment = hosts[name].job()) =>
  run(runComment, ["--host", name, ...(file === undefined ? [] : [file])], environment);

/** What it wrote: method, path and text. */
function written(): [string, string][] {
  const writes = host.requests.filter(({ method, url }) => method !== "GET" && url !== "/graphql");
  return writes.map(({ method, url, body }) => [
    `${method} ${url}`,
    (JSON.parse(body) as { body: string }).body,
  ]);
}

const written200 = { code: 0, stdout: "", stderr: "" };

describe.each(["github", "gitlab"] as const)("on %s", (name) => {
  const { list, one, by, log } = hosts[name];
  const ours = { id: 150, body: `${marker}\nOld.`, ...by(true) };
  const others = Array.from({ length: 120 }, (_, id) => ({ id, body: "Looks good.", ...by(false) }));

  it("creates a comment, with the token of the job", async () => {
    hostHas(name, others);
    expect(await comment(name, fileWith(result))).toEqual(written200);
    expect(written()).toEqual([[`POST ${list}`, `${marker}\n${result}`]]);
    const { authorization, "private-token": token } = host.requests[0]?.headers ?? {};
    expect([authorization, token].join("")).toMatch(/^(Bearer )?secret-token$/);
  });

  it("replaces that of an earlier job, however many comments there are", async () => {
    hostHas(name, [...others, ours]);
    expect(await comment(name, fileWith(result))).toEqual(written200);
    expect(written()).toEqual([[`${one}150`, `${marker}\n${result}`]]);
  });

  it("leaves the comment of somebody else alone that begins with its marker", async () => {
    hostHas(name, [{ ...ours, ...by(false) }]);
    expect(await comment(name, fileWith(result))).toEqual(written200);
    expect(written().map(([to]) => to)).toEqual([`POST ${list}`]);
  });

  it("creates one when the host refuses to change the earlier one", async () => {
    hostHas(name, [ours], [150]);
    expect(await comment(name, fileWith(result))).toEqual(written200);
    expect(written().map(([to]) => to)).toEqual([`${one}150`, `POST ${list}`]);
  });

  it.each([
    ["is busy", { status: 429 }, /^(::warning::)?The comment was not written: HTTP 429: {}\.\n$/],
    ["limits the rate", { headers: { "retry-after": "60" } }, /HTTP 403: {}\.\n$/],
    ["has no more requests for it", { headers: { "x-ratelimit-remaining": "0" } }, /HTTP 403: {}\.\n$/],
  ])("creates no second one when the host %s", async (_, more, said) => {
    hostHas(name, [ours], [150], more);
    const { code, stdout, stderr } = await comment(name, fileWith(result));
    expect({ code, said: stdout + stderr }).toEqual({ code: 3, said: expect.stringMatching(said) });
    expect(written().map(([to]) => to)).toEqual([`${one}150`]);
  });

  it("says that a response isn't that of a host", async () => {
    host.respond = () => ({ body: {} });
    const { code, stdout, stderr } = await comment(name, fileWith(result));
    expect(code).toBe(3);
    expect(stdout + stderr).toMatch(
      /The comment was not written: the response of the host is not as it documents\.\n$/,
    );
  });

  it.each([
    ["no file", undefined],
    ["an empty file", "\n"],
    ["a file that doesn't exist", "none.md"],
    ["a file that is longer than a comment can be", "x".repeat(1_000_001)],
  ])("with %s, says that the commit has no preview, and where the log is", async (_, content) => {
    hostHas(name, [ours]);
    const file = content === undefined || content === "none.md" ? content : fileWith(content);
    expect(await comment(name, file)).toEqual(written200);
    const [[, body] = ["", ""]] = written();
    expect(body).toContain(`${marker}\n## No preview of abc1234\n`);
    expect(body).toContain(`\nSee [the log](<${log}>).\n`);
    expect(body.includes("1,000,001 characters")).toBe(content?.startsWith("x") === true);
  });

  it("says in one line, which is no command, why nothing was written", async () => {
    host.respond = () => ({ status: 403, body: { message: "No\n::error::x %0A" } });
    const { code, stdout, stderr } = await comment(name, fileWith(result));
    expect(code).toBe(3);
    expect(stdout + stderr).toMatch(
      /^(::warning::)?The comment was not written: HTTP 403: .*Does the token have the permission to write comments\?\n$/,
    );
    expect(stdout + stderr).not.toContain("secret-token");
    // GitHub would make a line break of it.
    expect(stdout).not.toContain("%0A");
  });

  it("goes by the proxy of the runner", async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer().on("connect", ({ url }, socket) => {
      asked.push(url);
      socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const { port } = proxy.address() as AddressInfo;
    const api = { GITHUB_API_URL: "https://api.example", GITHUB_GRAPHQL_URL: "https://api.example/graphql" };
    const environment = { ...hosts[name].job(), ...api, CI_API_V4_URL: "https://api.example" };
    const { code } = await comment(name, fileWith(result), {
      ...environment,
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
    });
    proxy.close();
    expect(code).toBe(3);
    expect(new Set(asked)).toEqual(new Set(["api.example:443"]));
  });
});

it("knows the comments of a token of an app by its name, and those of a job where the host doesn't tell it", async () => {
  const of = (login: string) => ({ id: 1, body: marker, user: { login } });
  for (const [login, user] of [
    ["shop-app[bot]", { body: { data: { viewer: { login: "shop-app[bot]" } } } }],
    ["github-actions[bot]", { status: 403, body: {} }],
  ] as const) {
    host.requests = [];
    host.respond = ({ method, url }) => {
      if (url === "/graphql") return user;
      return { body: method === "GET" ? [of(login)] : {} };
    };
    expect(await comment("github", fileWith(result))).toEqual(written200);
    expect(written().map(([to]) => to)).toEqual(["PATCH /repos/shop/alerts/issues/comments/1"]);
  }
});

it("comments on nothing in a job that is not for a pull request", async () => {
  const nothing = { code: 0, stdout: expect.stringContaining("not for a pull request") as string };
  expect(await comment("github", undefined, githubJob(null))).toMatchObject(nothing);
  expect(await comment("gitlab", undefined, { GITLAB_CI: "true" })).toMatchObject(nothing);
  expect(host.requests).toEqual([]);
});

it("names the variable that is missing", async () => {
  const { GITLAB_TOKEN: _, ...environment } = gitlabJob();
  expect(await comment("gitlab", undefined, environment)).toEqual({
    code: 3,
    stdout: "",
    stderr: "The comment was not written: GITLAB_TOKEN is not set.\n",
  });
});

it.each<[string[], RegExp]>([
  [[], /--host must be one of github, gitlab, not ""/],
  [["--host", "gitea"], /--host must be one of github, gitlab/],
  [["--host", "github", "a", "b"], /One FILE can be given, not 2/],
  [["--host", "github", "--about", "x --> y"], /--about must be a line .* without < and >/],
])("rejects %j", async (args, message) => {
  await expect(run(runComment, args)).rejects.toThrow(message);
});
