/** Words what becomes of a declared update: for a terminal, an error, and the comment of a preview. It decides nothing. */
export { type PreviewFact, readFact, refusedFact, unknownFact } from "./facts";
export { type Block, type Document, markdownOf, previewFact, terminalLines, terminalText } from "./report";
export {
  checkpointsText,
  nameOf,
  noticeText,
  refusalText,
  removedText,
  skippedText,
  unusedCodesText,
} from "./sentences";
