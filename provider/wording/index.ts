/** Words what becomes of a declared update: for a terminal, an error, and the comment of a preview. It decides nothing. */
export {
  type Block,
  formatBlockLines,
  previewedIncident,
  type PreviewedIncident,
  previewedUpdate,
  type PreviewedUpdate,
  type PreviewFact,
  readFact,
  createRefusedFact,
  createUnknownFact,
} from "./facts";
export { formatUpdateBlocks, createPreviewFact, type PreviewSubject, formatForTerminal } from "./report";
export { getNouns } from "./nouns";
export { formatResourceName, formatNotice, formatRefusal } from "./sentences";
