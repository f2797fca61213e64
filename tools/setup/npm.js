const { run } = require("./run");

/**
 * Runs npm, preferably the one that runs this command.
 * @param {string[]} args
 * @param {import("./run").Run} options
 */
function npm(args, options) {
  const caller = process.env.npm_execpath;
  if (caller?.endsWith("npm-cli.js")) return run(process.execPath, [caller, ...args], options);
  // npm on Windows is a .cmd file, which only the command interpreter can start.
  if (process.platform === "win32") return run("cmd.exe", ["/d", "/s", "/c", "npm", ...args], options);
  return run("npm", args, options);
}

module.exports = { npm };
