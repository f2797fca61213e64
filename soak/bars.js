/** @typedef {import(".").Figure} Figure */

/** Must be 0. @param {string} what @param {number} count @returns {Figure} */
function none(what, count) {
  return { what, measured: String(count), bar: "0", met: count === 0 };
}

/** Must be all. @param {string} what @param {number} right @param {number} count @returns {Figure} */
function all(what, right, count) {
  return { what, measured: `${right} of ${count}`, bar: String(count), met: count > 0 && right === count };
}

module.exports = { all, none };
