/**
 * What every message must be: one printable line of at most this length, of whole characters.
 *
 * @param {string} text
 * @param {number} longest
 */
function isPlainLine(text, longest) {
  return text.length <= longest && !/[\p{C}\n]/u.test(text);
}

module.exports = { isPlainLine };
