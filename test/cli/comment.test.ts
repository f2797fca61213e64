/** Tests which comment `monitoring comment` replaces, and what it writes if there is no result, against fakes of the code hosts. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { CodeHost, type HostComment, type HostKind, owner, sha } from "../examples/codeHost";
import { writeTemporaryFile, run } from "./running";

const host = new CodeHost();
const marker = "<!-- monitoring: preview -->";
const result = "## Preview: 1 update will be posted\n";
const comments = "/repos/shop/alerts/issues/7/comments";

const onGithub = {
  job: () => host.githubJob(),
  list: comments,
  one: "/repos/shop/alerts/issues/comments/",
  log: "https://github.example/shop/alerts/actions/runs/99",
};
const onGitlab = {
  job: () => host.gitlabJob(),
  list: "/projects/42/merge_requests/7/notes",
  one: "/projects/42/merge_requests/7/notes/",
  log: "https://gitlab.example/job/1",
};
const hosts = { github: onGithub, gitea: onGithub, gitlab: onGitlab };

/** Runs the command in a job on {@link host}. */
function comment(file?: string, environment = hosts[host.kind].job(), args: readonly string[] = []) {
  const name = host.kind === "gitlab" ? "gitlab" : "github";
  return run("comment", ["--host", name, ...args, ...(file === undefined ? [] : [file])], environment);
}

/** Browsers send line breaks as CRLF when a user edits a comment. */
const createComment = (id: number, by: string, body = `${marker}\r\nOld.`): HostComment => ({ id, by, body });
const ours = (id: number): HostComment => createComment(id, owner[host.kind]);
const chat = (count: number) =>
  Array.from({ length: count }, (_, id) => createComment(id, id > 0 ? "6" : "", "Looks good."));

/** Returns the comments that start with the marker. */
const marked = () => host.comments.filter(({ body }) => body.startsWith(marker));

const silent = { code: 0, stdout: "", stderr: "" };
const failed = (why: string) => {
  return { ...silent, code: 3, stdout: `::warning::Writing the comment failed: ${why}\n` };
};
const notice = (text: string, prefix = host.kind === "gitlab" ? "" : "::notice::") => {
  return { ...silent, stdout: `${prefix}No comment was written, because ${text}\n` };
};

describe.each<HostKind>(["github", "gitea", "gitlab"])("on %s", (kind) => {
  const { list, one, log } = hosts[kind];
  const change = kind === "gitlab" ? "PUT" : "PATCH";
  beforeEach(() => {
    host.kind = kind;
    host.head = sha;
  });

  it("a job creates a comment with its token, with as few requests as possible", async () => {
    host.comments = chat(100);
    expect(await comment(writeTemporaryFile(result))).toEqual(silent);
    expect(host.writes).toEqual([`POST ${list}`]);
    expect(marked()).toEqual([createComment(1001, owner[kind], `${marker}\n${result}`)]);
    const { authorization, "private-token": token, accept } = host.requests[0]?.headers ?? {};
    expect(accept?.startsWith("application/vnd.github+")).toBe(kind !== "gitlab");
    expect([authorization, token].join("")).toMatch(/^(Bearer )?secret-token$/);
    // The requests read the author, the pages of comments before and after, and the last commit, and write the comment. On GitHub,
    // another request checks whether a user hid it.
    expect(host.requests).toHaveLength(kind === "github" ? 8 : 7);
  });

  it("a job replaces the comment of an earlier job, even below 130 other comments", async () => {
    host.comments = [...chat(130), ours(150)];
    expect(await comment(writeTemporaryFile(result))).toEqual(silent);
    expect(host.writes).toEqual([`${change} ${one}150`]);
    expect(marked()).toEqual([createComment(150, owner[kind], `${marker}\n${result}`)]);
  });

  it("a job replaces the oldest of its own comments", async () => {
    host.comments = [ours(152), createComment(149, "6"), ours(150)];
    expect(await comment(writeTemporaryFile(result))).toEqual(silent);
    expect(host.writes).toEqual([`${change} ${one}150`]);
  });

  it("a job leaves one comment if another job creates one at the same time", async () => {
    // Both jobs find no comment, and both create one.
    const waiting: (() => void)[] = [];
    host.respond = async ({ method, url }) => {
      if (method !== "POST" || url === "/graphql") return undefined;
      const others = new Promise<void>((resolve) => waiting.push(resolve));
      if (waiting.length === 2) for (const go of waiting) go();
      await others;
      return undefined;
    };
    const file = writeTemporaryFile(result);
    expect(await Promise.all([comment(file), comment(file)])).toEqual([silent, silent]);
    expect(marked()).toEqual([createComment(1001, owner[kind], `${marker}\n${result}`)]);
  });

  it("a job keeps the comment of a newer commit", async () => {
    host.head = `fed${sha.slice(3)}`;
    host.comments = [ours(150)];
    expect(await comment(writeTemporaryFile(result))).toEqual(
      notice("the last commit of the pull request is now fed1234, not abc1234."),
    );
    expect(host.writes).toEqual([]);
  });

  it("a job comments even if its token isn't allowed to read the last commit", async () => {
    host.head = "";
    expect(await comment(writeTemporaryFile(result))).toEqual(silent);
    expect(marked()).toHaveLength(1);
  });

  it("a job that the host rejects shows the host's message, and creates no second comment", async () => {
    const message = "Unable to create comment because issue is locked.";
    host.comments = [ours(150)];
    host.respond = ({ method }) => (method === change ? { status: 403, body: { message } } : undefined);
    const { code, stdout, stderr } = await comment(writeTemporaryFile(result));
    expect(code).toBe(3);
    expect(stdout + stderr).toMatch(
      /^.*Writing the comment failed: [A-Z]+ \/\S+150: HTTP 403: Unable .* is locked\. Check the token\. (The job needs|It must be) .*\n$/,
    );
    expect(host.writes).toEqual([`${change} ${one}150`]);
  });

  it("a job recognizes its comments even if the host doesn't return the token's user", async () => {
    host.comments = [createComment(149, "6"), ours(150)];
    host.respond = ({ url }) => (["/user", "/graphql"].includes(url) ? { status: 403, body: {} } : undefined);
    expect(await comment(writeTemporaryFile(result))).toEqual(silent);
    expect(marked()).toEqual([
      createComment(149, "6"),
      createComment(150, owner[kind], `${marker}\n${result}`),
    ]);
    expect(host.requests.filter(({ url }) => url.includes("page="))).toHaveLength(2);
  });

  it("a job without a file comments that the commit has no preview, and links to the log", async () => {
    host.comments = [ours(150)];
    expect(await comment()).toEqual(silent);
    const [body] = marked().map((one) => one.body);
    expect(body).toContain(`${marker}\n## No preview of abc1234\n\nSee the log.\n`);
    expect(body).toContain(`[log](<${log}>)_\n`);
  });

  it("a job reports why there is no comment in one line that contains no command", async () => {
    const message = "No secret-token\n::error::x, 5% of all";
    host.respond = () => ({ status: 403, body: { message } });
    const { code, stdout, stderr } = await comment(writeTemporaryFile(result));
    expect(code).toBe(3);
    const [told, other] = kind === "gitlab" ? [stderr, stdout] : [stdout, stderr];
    expect([told, other]).toEqual([
      expect.stringMatching(/^(::warning::)?Writing the comment failed: .*403: No .*\n$/),
      "",
    ]);
    expect(told).not.toContain("secret-token");
    // GitHub would convert %0A to a line break.
    expect(told).toContain(kind === "gitlab" ? "5% of" : "5%25 of");
  });
});

describe("a comment that a user hid as outdated", () => {
  beforeEach(() => {
    host.head = sha;
    host.hidden = [150];
  });

  it("a comment that a user hid as outdated is replaced by a new comment, which later jobs replace", async () => {
    host.comments = [ours(150)];
    for (const text of [result, `${result}Again.\n`])
      expect(await comment(writeTemporaryFile(text))).toEqual(silent);
    expect(marked()).toEqual([ours(150), createComment(1001, owner.github, `${marker}\n${result}Again.\n`)]);
  });

  it("a comment that a user hid as outdated stays, and the visible comment is replaced", async () => {
    host.comments = [ours(150), ours(151)];
    expect(await comment(writeTemporaryFile(result))).toEqual(silent);
    expect(host.writes).toEqual([`PATCH ${onGithub.one}151`]);
  });
});

/** The maximum length that GitHub accepts, without the marker. */
const longest = 65_536 - "<!-- monitoring: preview (e) -->\n".length;

it.each<[string, content: string | undefined, told: RegExp]>([
  ["an empty file", "\n", /^See/],
  ["a file that doesn't exist", undefined, /^See/],
  [
    "a file that is longer than a comment can be",
    "e".repeat(longest + 1),
    /The result is too long for a comment \(65,504 characters\)\. See/,
  ],
])("a job with %s comments that the commit has no preview", async (_, content, told) => {
  const file = content === undefined ? "none.md" : writeTemporaryFile(content);
  expect(await comment(file, { ...host.githubJob(), PULUMI_STACK: "e" })).toEqual(silent);
  const [, heading, text] = /## (.*)\n\n(.*) the log\.\n/.exec(host.comments[0]?.body ?? "") ?? [];
  expect([heading, text]).toEqual(["No preview (e) of abc1234", expect.stringMatching(told)]);
});

it("a job's comment may have as many characters as GitHub accepts", async () => {
  const text = "e".repeat(longest);
  expect(await comment(writeTemporaryFile(text), { ...host.githubJob(), PULUMI_STACK: "e" })).toEqual(silent);
  expect(host.comments[0]?.body).toHaveLength(65_536);
});

it.each([
  ["is busy", "PATCH", { status: 429 }, `PATCH ${onGithub.one}150: HTTP 429`],
  [
    "has no more requests for it",
    "PATCH",
    { status: 403, headers: { "x-ratelimit-remaining": "0" } },
    `PATCH ${onGithub.one}150: HTTP 403`,
  ],
  ["doesn't return the token's user at the moment", "/graphql", { status: 502 }, "POST: HTTP 502"],
])("a job creates no second comment if the host %s", async (_, at, sent, told) => {
  host.comments = [ours(150)];
  host.respond = ({ method, url }) => ([method, url].includes(at) ? { ...sent, body: {} } : undefined);
  expect(await comment(writeTemporaryFile(result))).toEqual(failed(`${told}. Run the job again.`));
  expect(host.writes).toEqual(at === "PATCH" ? [`PATCH ${onGithub.one}150`] : []);
});

it("a job whose token is rejected reports which kind of token GitLab requires", async () => {
  host.kind = "gitlab";
  host.respond = () => ({ status: 401, body: { message: "401 Unauthorized" } });
  const { code, stderr } = await comment(writeTemporaryFile(result), hosts.gitlab.job());
  expect(code).toBe(3);
  expect(stderr).toContain(
    "HTTP 401: 401 Unauthorized. Check the token. It must be a project access token with the scope `api`",
  );
});

it("a job follows no redirect, which would send the token to another host, and reports the redirect", async () => {
  const moved = { status: 301, headers: { location: "/elsewhere" }, body: {} };
  host.respond = ({ url }) => (url.startsWith("/repos/") ? moved : undefined);
  expect(await comment(writeTemporaryFile(result))).toEqual(
    failed(
      "GET /repos/shop/alerts/issues/7/comments: HTTP 301. Redirects are not followed. Check whether the repository was renamed or GITHUB_API_URL is outdated.",
    ),
  );
  expect(host.requests.filter(({ url }) => url === "/elsewhere")).toEqual([]);
});

it.each([
  ["github", { GITHUB_API_URL: "https://api.example", GITHUB_GRAPHQL_URL: "https://api.example/graphql" }],
  ["gitlab", { CI_API_V4_URL: "https://api.example" }],
] as const)("a job uses the proxy of the runner on %s", async (kind, api) => {
  host.kind = kind;
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on("connect", ({ url }, socket) => {
    asked.push(url);
    socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const { port } = proxy.address() as AddressInfo;
  const environment = { ...hosts[kind].job(), ...api, HTTPS_PROXY: `http://127.0.0.1:${port}` };
  const { code, stdout, stderr } = await comment(writeTemporaryFile(result), environment);
  proxy.close();
  expect(code).toBe(3);
  expect(stdout + stderr).toContain(
    `the proxy in HTTPS_PROXY (http://127.0.0.1:${port}) failed (PROXY_ANSWERED_403).`,
  );
  expect(new Set(asked)).toEqual(new Set(["api.example:443"]));
});

it.each<[string, object]>([
  ["issue_comment", { issue: { number: 7, pull_request: {} } }],
  ["workflow_run", { workflow_run: { head_sha: sha, pull_requests: [{ number: 7 }] } }],
  ["merge_group", { merge_group: { head_ref: `refs/heads/gh-readonly-queue/main/pr-7-${sha}` } }],
])(
  "a job finds the pull request of %s, and names a commit only if the event contains it",
  async (name, event) => {
    const job = host.githubJob(event);
    expect(await comment(undefined, job)).toEqual(silent);
    expect(host.writes).toEqual([`POST ${comments}`]);
    // GITHUB_SHA is the default branch's commit.
    expect(marked()[0]?.body.includes("## No preview\n")).toBe(name === "issue_comment");
    // Only an event with a commit of the pull request can be about an older commit.
    host.head = `fed${sha.slice(3)}`;
    await comment(undefined, job);
    expect(host.writes).toHaveLength(name === "workflow_run" ? 1 : 2);
  },
);

it.each<[string, object]>([
  ["push", {}],
  ["two pull requests", { workflow_run: { head_sha: sha, pull_requests: [{ number: 7 }, { number: 8 }] } }],
])("a job for %s writes no comment, and reports where it looked for a pull request", async (_, event) => {
  expect(await comment(undefined, host.githubJob(event))).toEqual(
    notice(
      "this job has no pull request in the event at GITHUB_EVENT_PATH (pull_request, issue of a pull request, workflow_run of a single pull request, or merge_group). To comment on a pull request, set --pull-request NUMBER.",
    ),
  );
  host.kind = "gitlab";
  expect(await comment(undefined, { GITLAB_CI: "true" })).toEqual(
    notice(
      "this job has no pull request in CI_MERGE_REQUEST_IID. To comment on a pull request, set --pull-request NUMBER.",
    ),
  );
  expect(host.requests).toEqual([]);
});

it.each<[what: string, Record<string, string>, told: string]>([
  ["without a token", { GH_TOKEN: "" }, "GITHUB_TOKEN is not set."],
  ["without a repository", { GITHUB_REPOSITORY: "" }, "GITHUB_REPOSITORY is not set."],
  ["with an invalid URL", { GITHUB_API_URL: "api.github.com" }, "GITHUB_API_URL is not a URL."],
  ["of another service", {}, "the response of the code host doesn't match its documented API."],
])(
  "a job in an environment %s reports the environment, and requests nothing else",
  async (_, changed, told) => {
    host.respond = ({ url }) => (url.startsWith("/repos/") ? { body: {} } : undefined);
    expect(await comment(writeTemporaryFile(result), { ...host.githubJob(), ...changed })).toEqual(
      failed(told),
    );
    expect(host.writes).toEqual([]);
  },
);

it("a job uses the token of GitHub Actions unless another token is set", async () => {
  const environment = { ...host.githubJob(), GH_TOKEN: "", GITHUB_TOKEN: "token-of-the-job" };
  expect(await comment(writeTemporaryFile(result), environment)).toEqual(silent);
  expect(host.requests[0]?.headers.authorization).toBe("Bearer token-of-the-job");
});

it.each<HostKind>(["github", "gitlab"])(
  "a job comments on the pull request in its options on %s",
  async (kind) => {
    host.kind = kind;
    // The job's commit doesn't have to belong to the pull request.
    host.head = `fed${sha.slice(3)}`;
    const { CI_MERGE_REQUEST_IID: _, ...gitlab } = host.gitlabJob();
    const environment = kind === "github" ? host.githubJob({}) : gitlab;
    expect(await comment(writeTemporaryFile(result), environment, ["--pull-request", "7"])).toEqual(silent);
    expect(host.writes).toEqual([`POST ${hosts[kind].list}`]);
  },
);

it("a job keeps a separate comment for each stack, with the labels that the heading omits below it", async () => {
  const job = (stack: string) => ({ ...host.githubJob(), PULUMI_STACK: stack });
  await comment(writeTemporaryFile("## Preview (eu): 1 update will be posted\n"), job("eu"));
  await comment(writeTemporaryFile("## Preview (us): 1 update will be posted\n"), job("acme/shop/us"));
  await comment(undefined, job("eu"));
  const args = ["--about", "audit (audit.yaml, account acme_1)"];
  await comment(writeTemporaryFile("## Alert channel audit: 1 error\n\n1 channel\n"), host.githubJob(), args);
  await comment(writeTemporaryFile("## Audit\n\n1 channel\n"), host.githubJob(), [
    "--about",
    "audit (all) of shop",
  ]);
  expect(host.comments.map(({ body }) => body.split("\n\n").slice(0, 2).join("|"))).toEqual([
    "<!-- monitoring: preview (eu) -->\n## No preview (eu) of abc1234|See the log.",
    "<!-- monitoring: preview (acme/shop/us) -->\n## Preview (us): 1 update will be posted|_acme/shop/us_\n",
    "<!-- monitoring: audit (audit.yaml, account acme_1) -->\n## Alert channel audit: 1 error|_audit.yaml, account acme&#95;1_",
    "<!-- monitoring: audit (all) of shop -->\n## Audit|1 channel\n",
  ]);
});

it("a job logs its requests if that is requested, without the token", async () => {
  const printed = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const environment = { ...host.githubJob(), MONITORING_LOG: "requests" };
  expect(await comment(writeTemporaryFile(result), environment)).toEqual(silent);
  const lines = printed.mock.calls.map(([line]) => String(line).replace(/:\d+\/|\d+ ms/g, "N"));
  printed.mockRestore();
  expect(lines).toContain(`request POST 127.0.0.1N${comments.slice(1)}: HTTP 201, N, attempt 1\n`);
});

it("a job comments on the merge request of a fork in the target project", async () => {
  host.kind = "gitlab";
  const environment = { ...host.gitlabJob(), CI_PROJECT_ID: "43", CI_MERGE_REQUEST_PROJECT_ID: "42" };
  expect(await comment(writeTemporaryFile(result), environment)).toEqual(silent);
  expect(host.writes).toEqual([`POST ${onGitlab.list}`]);
});

it("only the Jenkins build of the last commit comments", async () => {
  const { GITHUB_ACTIONS: _, GITHUB_EVENT_PATH: __, ...given } = host.githubJob();
  const build = (commit: string) =>
    comment(writeTemporaryFile(result), { ...given, GIT_COMMIT: commit }, ["--pull-request", "7"]);
  host.head = sha;
  expect(await build(sha)).toEqual(silent);
  expect((await build(`fed${sha.slice(3)}`)).stdout).toContain(
    "the last commit of the pull request is now abc1234",
  );
  expect(host.writes).toEqual([`POST ${comments}`]);
});

it.each([
  ["", "--host HOST is required: github or gitlab"],
  ["--host github --about a-->b", "--about must be a line of at most 300 characters, without < or >"],
  ["--host github --pull-request #7", "--pull-request must be the number of a pull request"],
])("the arguments %s are rejected", async (args, message) => {
  await expect(run("comment", args.split(" ").filter(Boolean))).rejects.toThrow(message);
});
