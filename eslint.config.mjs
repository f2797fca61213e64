import eslint from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const print = "Printing is for cli, sandbox and tools; the provider prints through provider/engine.ts alone.";

/** A call such as `it("…", …)`, or one whose function is a call, such as `it.each(…)("…", …)`. */
const longTitle =
  "CallExpression:matches([callee.name=/^(it|test|describe)$/], [callee.callee.object.name=/^(it|test|describe)$/]) > Literal:first-child[value=/^.{127}/]";

export default defineConfig(
  // The example's own test compiles it, with the vendor's package; a browser runs the script of the sandbox's page.
  globalIgnores([
    "examples/vendor-channel/",
    "sandbox/page/",
    "dist/",
    ".demo/",
    ".engine-tests/",
    ".stryker-tmp/",
  ]),
  eslint.configs.recommended,
  {
    files: ["**/*.{ts,js}"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["tsconfig.json", "examples/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "max-lines": ["error", 600],
      "no-console": "error",
      "no-restricted-properties": [
        "error",
        { object: "process", property: "stdout", message: print },
        { object: "process", property: "stderr", message: print },
      ],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // The schema and the reference name what a program sees by its interface.
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
      // Nothing here is an enum.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["{cli,sandbox,tools}/**", "test/{explore,soak}/**", "provider/engine.ts", "plugin/start.ts"],
    rules: { "no-console": "off", "no-restricted-properties": "off" },
  },
  {
    files: ["sdk/{IncidentUpdate,observed}.ts"],
    // An interface gives the class the outputs that Pulumi adds to the object, with the doc comments of the fields.
    rules: { "@typescript-eslint/no-unsafe-declaration-merging": "off" },
  },
  {
    files: ["test/**"],
    rules: {
      "no-restricted-properties": "off",
      "no-restricted-syntax": [
        "error",
        { selector: longTitle, message: "A title says one thing: split the test." },
      ],
      // Jest's matchers, such as expect.stringContaining, are typed as any.
      "@typescript-eslint/no-unsafe-assignment": "off",
    },
  },
  {
    // They run before anything is installed: plain CommonJS, whose types come from JSDoc and are checked by tsc.
    files: ["**/*.js"],
    languageOptions: { sourceType: "commonjs" },
    rules: {
      "no-undef": "off",
      "@typescript-eslint/no-require-imports": "off",
      "@typescript-eslint/restrict-plus-operands": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
);
