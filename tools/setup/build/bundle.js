const fs = require("node:fs");
const path = require("node:path");
const esbuild = require("esbuild");
const manifest = require("../../../package.json");

const root = path.resolve(__dirname, "..", "..", "..");

/**
 * Replacements in a bundle for modules that find files relative to the npm package's folders.
 * @type {Record<string, (manifest: {name: string, version: string, repository?: object}, schema: string) => string>}
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
  pluginPackage: ({ version }, schema) => `
    import { readFileSync } from "node:fs";
    import { join } from "node:path";
    export const version = ${JSON.stringify(version)};
    export const readSchema = () => readFileSync(join(__dirname, ${JSON.stringify(schema)}), "utf8");`,
};

/** Parts of packages that are loaded but never called. @type {Record<string, string>} */
const unused = {
  // 190 KB. Parses the protocol of gRPC's monitoring (channelz), which our server doesn't offer.
  "@grpc/proto-loader/build/src/index.js": "",
  // 300 KB. Messages in other languages, only used after a call of `z.config`.
  "zod/v4/locales/index.js": "",
};

/** @type {esbuild.Plugin} */
const withoutUnused = {
  name: "without unused parts",
  setup: (build) => {
    for (const [file, contents] of Object.entries(unused)) {
      const filter = new RegExp(
        `[\\\\/]node_modules[\\\\/]${file.replaceAll("/", "[\\\\/]").replaceAll(".", "\\.")}$`,
      );
      build.onLoad({ filter }, () => ({ contents }));
    }
  },
};

/** @param {string} schema @returns {esbuild.Plugin} */
const replacements = (schema) => ({
  name: "replacements",
  setup: (build) => {
    // Resolve gRPC and protobuf to the copies that @pulumi/pulumi uses.
    const resolveDir = path.dirname(require.resolve("@pulumi/pulumi/package.json", { paths: [root] }));
    for (const [name, contentsFor] of Object.entries(replaced)) {
      const filter = new RegExp(`[\\\\/](provider|plugin)[\\\\/]${name}\\.ts$`);
      build.onLoad({ filter }, () => ({ contents: contentsFor(manifest, schema), resolveDir }));
    }
  },
});

const settings = /** @type {const} */ ({
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  // Identifiers aren't minified, because internal errors show them.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  logLevel: "silent",
});

/**
 * Bundles `monitoring audit` and replaces its compiled file, because loading 300 files takes longer than an audit. Modules that the command
 * has already loaded, such as its errors, aren't included, so that they aren't loaded twice.
 * @param {string} file
 * @returns {Promise<string[]>} the folders of the packages in it
 */
async function bundleAudit(file) {
  const { metafile } = await esbuild.build({
    ...settings,
    entryPoints: ["cli/monitoring.ts"],
    external: Object.keys(require(path.join(root, "dist", "cli", "commands")).commands).map(
      (name) => `./${name}`,
    ),
    metafile: true,
    write: false,
  });
  const isLoaded = (/** @type {string} */ module) =>
    [`${module}.ts`, `${module}/index.ts`].some((source) => source in metafile.inputs);
  const loaded = {
    name: "loaded",
    setup: (/** @type {esbuild.PluginBuild} */ build) =>
      build.onResolve({ filter: /^\./ }, ({ path: name, resolveDir }) => {
        const module = path.relative(root, path.resolve(resolveDir, name)).replaceAll("\\", "/");
        return isLoaded(module)
          ? { path: `./${path.posix.relative("cli/audit", module)}`, external: true }
          : undefined;
      }),
  };
  const plugins = [withoutUnused, loaded];
  const options = { ...settings, entryPoints: ["cli/audit/index.ts"], outfile: file, plugins };
  return packagesIn((await esbuild.build({ ...options, metafile: true })).metafile);
}

/** @param {esbuild.Metafile} metafile */
function packagesIn({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  return inputs.flatMap((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
}

/**
 * Bundles the plugin's process with all packages that it needs.
 * @param {string} folder receives `start.js`, `main.js` and the licenses of the packages in them
 * @param {string} schema path of the plugin's schema, relative to the folder
 * @param {readonly string[]} others packages in other bundles, to include their licenses in the same file
 */
async function bundle(folder, schema, others = []) {
  const { metafile } = await esbuild.build({
    ...settings,
    entryPoints: ["start", "main"].map((name) => `plugin/${name}.ts`),
    outdir: folder,
    external: ["./main"],
    metafile: true,
    plugins: [withoutUnused, replacements(schema)],
  });
  const packages = new Set([...packagesIn(metafile), ...others]);
  const folders = [...packages].sort().map((name) => path.join(root, name));
  fs.writeFileSync(
    path.join(folder, "THIRD-PARTY-LICENSES"),
    folders.map(licenceOf).join(`\n\n${"-".repeat(80)}\n\n`),
  );
}

/** Returns the license of a package in a bundle. The license requires that a copy is distributed with the code. @param {string} folder */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const files = fs.readdirSync(folder).sort();
  const licences = files.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  // Some packages only include the license in their README.
  const sources = licences.length > 0 ? licences : files.filter((file) => /^readme/i.test(file));
  const texts = sources.map((file) => fs.readFileSync(path.join(folder, file), "utf8").trim());
  return [`${name} ${version}, ${license}`, ...texts].join("\n\n");
}

module.exports = { bundle, bundleAudit };
