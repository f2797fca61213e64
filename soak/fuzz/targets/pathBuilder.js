/** Ids: each is rejected, or becomes exactly one segment of its operation's path. */
const assert = require("node:assert");
const { built } = require("../dist");

/** @type {typeof import("../../../provider/api/operations")} */
const { operations } = require(built("provider/api/operations"));
/** @type {typeof import("../../../provider/api/path")} */
const { fillPath, pathProblems } = require(built("provider/api/path"));

/** The paths with an id. */
const templates = Object.values(operations)
  .map(({ path }) => path)
  .filter((path) => path.includes("{"));

/** The first character chooses the path; the rest is the id, once as it is and once as a number. @param {string} input */
function run(input) {
  const template = templates[(input.charCodeAt(0) || 0) % templates.length] ?? "";
  const id = input.slice(1);
  check(template, id);
  check(template, Number(id));
}

/**
 * @param {string} template
 * @param {string | number} id
 */
function check(template, id) {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const ids = Object.fromEntries(names.map((name) => [name, id]));
  const problems = pathProblems(ids);
  if (problems.length > 0) {
    assert.ok(mayBeRejected(id), "a valid id is rejected");
    assert.deepEqual(
      problems.map(({ property }) => property),
      names,
      "equal ids give different results",
    );
    return;
  }
  const path = fillPath(template, ids);
  const url = new URL(`https://service.example${path}`);
  assert.equal(url.href, `https://service.example${path}`, "a URL changes the path");
  const segments = path.split("/");
  const described = template.split("/");
  assert.equal(segments.length, described.length, "there are more or fewer segments");
  for (const [index, segment] of segments.entries()) {
    const expected = described[index]?.startsWith("{") ? String(id) : described[index];
    assert.equal(decodeURIComponent(segment), expected, "a segment isn't the id");
  }
}

/** The reasons to reject an id, stated apart from the code under test. @param {string | number} id */
function mayBeRejected(id) {
  if (typeof id === "number") return !Number.isSafeInteger(id) || id < 0;
  return ["", ".", ".."].includes(id) || id.length > 256 || /[\s\p{C}/\\?#%]/u.test(id);
}

const ids = [
  ..."200123 6f1c1f9e-6a3e-4c64-8a3e-5d0f0f2a9d11 inc_1 .. ... %2e%2e событие".split(" "),
  ...["a;b=1&c=2:d@e", "{id}", "9007199254740991", "é".repeat(256)],
];

module.exports = {
  run,
  seeds: templates.flatMap((_, index) => ids.map((id) => String.fromCharCode(index) + id)),
  words: [
    ...".. . / \\ %2e %2f %00 ? # // http://evil.example {id} $& $1 ．． ／".split(" "),
    "x".repeat(250),
  ],
};
