const { deadlines } = require("./deadlines");
const { heap } = require("./heap");
const { reads } = require("./reads");
const { throughput } = require("./throughput");

/**
 * The client's figures that depend on this machine: how fast, how much memory, how punctual.
 * @type {import("../figures").Bench}
 */
async function bench({ quick }) {
  return [
    ...(await reads(quick ? 3 : 21)),
    ...(await throughput(quick ? 3 : 21)),
    ...(await heap()),
    ...(await deadlines()),
  ];
}

module.exports = { bench };
