/**
 * Whether a message is one printable line of at most this length, without lone surrogates.
 *
 * @param {string} text
 * @param {number} longest
 */
function isPlainLine(text, longest) {
  return text.length <= longest && !/[\p{C}\n]/u.test(text);
}

module.exports = { isPlainLine };
