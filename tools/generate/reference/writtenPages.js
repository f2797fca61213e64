const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../setup");

/** The pages of the reference that are written by hand, by their group in the index. @type {Record<string, string[]>} */
const groups = {
  Client: ["MonitoringClient.md"],
  Audit: ["rule-files.md", "credentials.md"],
  "Supported versions": ["compatibility.md"],
};

/** Returns the pages that are written by hand. Their headings are their names in the index. @returns {import("./pages").Page[]} */
function writtenPages() {
  return Object.entries(groups).flatMap(([group, files]) =>
    files.map((file) => {
      const text = fs.readFileSync(path.join(root, "docs", "reference", file), "utf8").trimEnd();
      const [heading = "", doc = ""] = text.split("\n\n");
      return { group, name: heading.replace("# ", ""), file, doc, text, isWritten: true };
    }),
  );
}

module.exports = { writtenPages };
