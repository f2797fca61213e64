/* global AbortSignal, fetch */
// Creates the comment on the pull request, or changes the one of an earlier run. Whatever happens, the job goes on.
import { readFileSync } from "node:fs";
import { env, stdout } from "node:process";

const { GITHUB_API_URL, GITHUB_REPOSITORY, GH_TOKEN, NUMBER, MARKER = "", MARKDOWN = "" } = env;
const repository = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}`;
/** Of GitHub. */
const maxCharacters = 65_536;

/** @param {string} method @param {string} url @param {object} [body] */
async function request(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${GH_TOKEN}`, accept: "application/vnd.github+json" },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** The comment of an earlier run. */
async function earlier() {
  for (let page = 1; ; page += 1) {
    const comments = await request(
      "GET",
      `${repository}/issues/${NUMBER}/comments?per_page=100&page=${page}`,
    );
    const ours = comments.find(({ user, body }) => user?.type === "Bot" && body?.startsWith(MARKER));
    if (ours || comments.length < 100) return ours;
  }
}

async function write() {
  const body = `${MARKER}\n${readFileSync(MARKDOWN, "utf8")}`;
  if (body.length > maxCharacters)
    throw new Error(`it has ${body.length} characters, more than ${maxCharacters}`);
  const comment = await earlier();
  if (comment) await request("PATCH", `${repository}/issues/comments/${comment.id}`, { body });
  else await request("POST", `${repository}/issues/${NUMBER}/comments`, { body });
}

/** @param {unknown} error */
function warn(error) {
  const { message, cause } = /** @type {Error} */ (error);
  const reason = [message, /** @type {Error | undefined} */ (cause)?.message].filter(Boolean).join(": ");
  const why = /HTTP 40[134]/.test(reason)
    ? " The job needs the permission `pull-requests: write`, which it doesn't have for a fork or Dependabot."
    : "";
  // One line, in which nothing is a command of GitHub.
  const line = `The comment was not written: ${reason}.${why} It is in the summary of the job.`;
  stdout.write(`::warning::${line.replace(/%/g, "%25").replace(/\s+/g, " ")}\n`);
}

await write().catch(warn);
