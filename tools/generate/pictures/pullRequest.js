"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { Project } = require("../../pulumi/project");
const { root } = require("../../setup");

/** @typedef {import("../../../sandbox").Sandbox} Sandbox */

/** What GitHub's page has around a comment. */
const frame = `
  :root { color-scheme: light dark; --line: #d1d9e0; --soft: #f6f8fa; --text: #59636e; --back: #fff; }
  @media (prefers-color-scheme: dark) { :root { --line: #3d444d; --soft: #151b23; --text: #9198a1; --back: #0d1117; } }
  body { margin: 16px auto; padding: 0 16px; max-width: 900px; background: var(--back); }
  article { border: 1px solid var(--line); border-radius: 6px; }
  article + article { margin-top: 16px; }
  header { background: var(--soft); border-bottom: 1px solid var(--line); border-radius: 6px 6px 0 0; padding: 8px 16px;
    font: 14px/1.5 system-ui, sans-serif; color: var(--text); }
  section.markdown-body { padding: 16px; font-size: 14px; border-radius: 6px; }`;

/**
 * A pull request with comments, as GitHub shows them: what the commands write, in GitHub's styles.
 * @param {string[]} comments in Markdown
 */
function pullRequestPage(comments) {
  /** @type {typeof import("marked")} */
  const { marked } = require(path.join(root, "node_modules", "marked"));
  const styles = fs.readFileSync(require.resolve("github-markdown-css"), "utf8");
  const articles = comments.map((markdown) => {
    // In comments, GitHub keeps line breaks. The font of a picture may lack these signs.
    const html = marked
      .parse(markdown, { gfm: true, breaks: true, async: false })
      .replaceAll("🔴", '<b style="color: #d1242f">●</b>')
      .replaceAll("🟡", '<b style="color: #bf8700">●</b>');
    const header = "<header><b>github-actions</b> (bot) commented</header>";
    return `<article>${header}<section class="markdown-body">${html}</section></article>`;
  });
  const viewport = '<meta name="viewport" content="width=device-width">';
  return `<!doctype html><meta charset="utf-8">${viewport}<style>${styles}${frame}</style>${articles.join("")}`;
}

/**
 * What `pulumi preview --json` prints for the quick start, as far as `monitoring preview` reads it.
 * @param {Sandbox} sandbox
 */
async function previewOf({ url, accountId, apiKey }) {
  const project = await Project.create({
    language: "typescript",
    program: fs.readFileSync(path.join(root, "examples", "quickstart", "index.ts"), "utf8"),
    settings: {
      "monitoring:baseUrl": url,
      "monitoring:accountId": accountId,
      "monitoring:apiKey!": apiKey,
      "monitoring:alertChannels": '{"on-call": 4101}',
      incidentId: "inc_checkout_latency",
    },
  });
  try {
    const { steps, diagnostics } = JSON.parse(await project.mustRun("preview", "--json"));
    const read = steps.map((/** @type {{op: string, urn: string}} */ { op, urn }) => ({ op, urn }));
    return `${JSON.stringify({ steps: read, diagnostics }, undefined, 2)}\n`;
  } finally {
    project.remove();
  }
}

module.exports = { previewOf, pullRequestPage };
