"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { Project } = require("../pulumi/project");
const { root } = require("../setup");

/** @typedef {import("../../sandbox").Sandbox} Sandbox */

const style = `
  :root { color-scheme: light dark; --line: #d1d9e0; --soft: #f6f8fa; --text: #1f2328; --back: #fff; }
  @media (prefers-color-scheme: dark) { :root { --line: #3d444d; --soft: #151b23; --text: #f0f6fc; --back: #0d1117; } }
  body { margin: 24px; font: 14px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
  article { border: 1px solid var(--line); border-radius: 6px; margin-bottom: 20px; }
  header { background: var(--soft); border-bottom: 1px solid var(--line); padding: 8px 16px; font-weight: 600; }
  section { padding: 4px 16px 12px; }
  h2 { font-size: 18px; margin: 8px 0; }
  pre, code { font: 12px/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
  pre { padding: 12px; white-space: pre-wrap; margin: 8px 0; }
  code { padding: 1px 4px; }
  table { border-collapse: collapse; }
  td, th { border: 1px solid var(--line); padding: 4px 10px; text-align: left; }
  details { margin-top: 8px; }`;

/**
 * What a pull request gets: the preview's lines, and the audit's comment, both as the commands print them.
 * @param {string} preview
 * @param {string} audit in Markdown
 */
function pullRequestPage(preview, audit) {
  const comments = [
    comment("pulumi preview", `<pre>${escaped(preview)}</pre>`),
    comment("monitoring audit --format markdown", htmlOf(audit)),
  ];
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>${comments.join("")}`;
}

/** @param {string} title @param {string} body */
const comment = (title, body) => `<article><header>${title}</header><section>${body}</section></article>`;

/** The preview of the quick start. @param {Sandbox} sandbox */
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
    const printed = await project.mustRun("preview");
    // Without the progress, of which a terminal keeps the last state.
    return printed.slice(printed.indexOf("Diagnostics:")).trim();
  } finally {
    project.remove();
  }
}

/** What the audit uses of Markdown, as HTML. @param {string} markdown */
function htmlOf(markdown) {
  return (
    markdown
      .replace(/^## (.*)$/gm, "<h2>$1</h2>")
      .replace(/(^\|.*\n)+/gm, (rows) => tableOf(rows.trim().split("\n")))
      .replace(/^\[.*\]: .*$/gm, "")
      .replace(/`([^`]+)`/g, "<code>$1</code>")
      .replace(/\[(<code>.*?<\/code>)\]/g, "<u>$1</u>")
      // The font of a picture may lack these signs.
      .replaceAll("🔴", '<b style="color: #d1242f">●</b>')
      .replaceAll("🟡", '<b style="color: #bf8700">●</b>')
      .replace(/^- (.*)$/gm, "<li>$1</li>")
      .replace(/\\(.)/g, "$1")
  );
}

/** @param {string[]} rows */
function tableOf([head = "", , ...rows]) {
  /** @param {string} row @param {string} tag */
  const cells = (row, tag) =>
    row
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => `<${tag}>${cell.trim()}</${tag}>`)
      .join("");
  const lines = [cells(head, "th"), ...rows.map((row) => cells(row, "td"))];
  return `<table>${lines.map((line) => `<tr>${line}</tr>`).join("")}</table>\n`;
}

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

module.exports = { previewOf, pullRequestPage };
