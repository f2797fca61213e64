"use strict";

const path = require("node:path");
const esbuild = require("esbuild");

/**
 * Modules of the provider that find their files by the folders of the npm package, as they are in a bundle.
 * @type {Record<string, (manifest: {name: string, version: string, repository?: object}) => string>}
 */
const replaced = {
  packageManifest: ({ name, version, repository }) => `
    export const packageName = ${JSON.stringify(name)};
    export const packageFolder = __dirname;
    export const version = ${JSON.stringify(version)};
    export const repository = ${JSON.stringify(repository)};`,
  grpcLibrary: () => `
    export * as grpc from "@grpc/grpc-js";
    export { Any } from "google-protobuf/google/protobuf/any_pb";
    export { Empty } from "google-protobuf/google/protobuf/empty_pb";
    export { Struct } from "google-protobuf/google/protobuf/struct_pb";`,
  pluginPackage: ({ version }) => `
    import { readFileSync } from "node:fs";
    export const version = ${JSON.stringify(version)};
    export const readSchema = () => readFileSync(__dirname + "/schema.json", "utf8");`,
};

/** @param {string} root @param {string} version @returns {esbuild.Plugin} */
const replacements = (root, version) => ({
  name: "replacements",
  setup: (build) => {
    // The copies of gRPC and protobuf that @pulumi/pulumi itself uses.
    const resolveDir = path.dirname(require.resolve("@pulumi/pulumi/package.json", { paths: [root] }));
    const manifest = { ...require(path.join(root, "package.json")), version };
    for (const [name, contentsFor] of Object.entries(replaced)) {
      const filter = new RegExp(`[\\\\/]provider[\\\\/](plugin[\\\\/])?${name}\\.ts$`);
      build.onLoad({ filter }, () => ({ contents: contentsFor(manifest), resolveDir }));
    }
  },
});

/**
 * Bundles the process of the plugin with all packages that it needs.
 * @param {string} root
 * @param {string} version of the plugin
 * @param {string} folder gets `start.js` and `main.js`
 * @returns {Promise<string[]>} the folders of the packages in the bundle
 */
async function bundle(root, version, folder) {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["provider/plugin/start.ts", "provider/plugin/main.ts"],
    outdir: folder,
    external: ["./main"],
    bundle: true,
    platform: "node",
    target: "node20",
    // Names stay as they are: an internal error shows them.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
    plugins: [replacements(root, version)],
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  const packages = inputs.flatMap((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(packages)].sort().map((name) => path.join(root, name));
}

module.exports = { bundle };
