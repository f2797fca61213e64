const { deadlines } = require("./deadlines");
const { heap } = require("./heap");
const { throughput } = require("./throughput");

/** The client's figures that depend on this machine: how fast, how much memory, how punctual. */
async function bench() {
  return [...(await throughput()), ...(await heap()), ...(await deadlines())];
}

module.exports = { bench };
