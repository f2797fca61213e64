/** Words what becomes of a declared update: for a terminal, an error, and the comment of a preview. It decides nothing. */
export {
  type Block,
  blocksOf,
  factsVariable,
  type PreviewFact,
  previewFact,
  readFact,
  terminalText,
} from "./report";
export {
  checkpointsText,
  insertedText,
  nameOf,
  noticeText,
  refusalText,
  refusedChange,
  removedText,
  skippedText,
  unusedCodesText,
} from "./sentences";
