"use strict";

const fs = require("node:fs");
const tar = require("tar");

/** Unpacks an archive without its own folder. @param {string} file @param {string} folder */
function unpackArchive(file, folder) {
  fs.mkdirSync(folder, { recursive: true });
  tar.extract({ cwd: folder, file, strip: 1, sync: true });
}

module.exports = { unpackArchive };
