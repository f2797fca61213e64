/** @param {string} text */
const code = (text) => `\`${text}\``;

/** @param {string} language @param {string} text */
const block = (language, text) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/**
 * Paragraphs, without the empty ones.
 * @param {string[]} parts
 */
const page = (...parts) => `${parts.filter((part) => part !== "").join("\n\n")}\n`;

/** The anchor that a heading gets. @param {string} heading */
const anchor = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

/** The first sentence of a doc comment. @param {string} text */
const firstSentence = (text) => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

/** @param {string} words */
const sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

module.exports = { anchor, block, code, firstSentence, page, sentence };
