/** Words what becomes of a declared update: for a terminal, an error, and the comment of a preview. It decides nothing. */
export {
  type Block,
  linesOf,
  previewedUpdate,
  type PreviewedUpdate,
  type PreviewFact,
  readFact,
  refusedFact,
  unknownFact,
} from "./facts";
export { blocksOfUpdate, previewFact, type PreviewSubject, terminalText } from "./report";
export { getNouns, type Nouns } from "./nouns";
export { nameOf, noticeText, refusalText } from "./sentences";
