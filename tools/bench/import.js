const { root } = require("../setup");
const { run } = require("../setup/run");
const { compare } = require("./compare");

/** The time until a program has loaded this package, and Pulumi's, which it needs anyway. @type {import("./index").Bench} */
async function bench({ rounds = 21, isQuick }) {
  const contender = (/** @type {string[]} */ ...names) => ({
    run: async () => {
      const code = names.map((name) => `require(${JSON.stringify(name)});`).join(" ");
      const { ok, output } = await run(process.execPath, ["-e", code], { cwd: root });
      if (!ok) throw new Error(`The import failed: ${output}`);
    },
    process: /^\S*node\S* -e require/,
  });
  const contenders = {
    "with this package": contender("@pulumi/pulumi", "pulumi-monitoring-service"),
    "Pulumi's": contender("@pulumi/pulumi"),
  };
  const pairs = [{ name: "with this package", by: "Pulumi's", mostMore: 40 }];
  return compare("import", contenders, pairs, { rounds, isQuick, warmUps: 1 });
}

module.exports = { bench };
