const { createHash } = require("node:crypto");
const { transformSync, version } = require("esbuild");

/** @type {import("esbuild").TransformOptions} */
const options = {
  loader: "ts",
  format: "cjs",
  target: "node20",
  // Jest doesn't support `import()`.
  supported: { "dynamic-import": false },
  sourcemap: "inline",
};

/** Removes types for jest. `npm run verify` checks them. @type {import("@jest/transform").SyncTransformer} */
module.exports = {
  getCacheKey: (source, file) =>
    createHash("sha1")
      .update(JSON.stringify([version, options, file, source]))
      .digest("hex"),
  process: (source, file) => transformSync(source, { ...options, sourcefile: file }),
};
