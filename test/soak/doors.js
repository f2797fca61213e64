/** A target of the fuzzer: door behind door, of which the last must stay shut. */

/** @param {string} input */
function run(input) {
  if (input.startsWith("o")) {
    if (input.startsWith("op")) {
      if (input.startsWith("ope")) {
        if (input.startsWith("open")) throw new Error("the last door is open");
      }
    }
  }
}

module.exports = { run, seeds: ["shut"], words: ["n", "e", "o", "p"] };
