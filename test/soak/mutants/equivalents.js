/**
 * Changes that no test can notice, because nothing that anybody sees depends on them, each as the stage prints it. An entry that is no
 * survivor any more fails the stage.
 * @type {readonly {file: string, why: string, from: string, to: string}[]}
 */
const equivalents = [];

module.exports = { equivalents };
