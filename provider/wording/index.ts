/** Formats the sentences about a declared update for a terminal, an error and the comment of a preview. Makes no decisions. */
export {
  type Block,
  formatBlockLines,
  previewedIncident,
  type PreviewedIncident,
  previewedUpdate,
  type PreviewedUpdate,
  type PreviewFact,
  readFact,
  createRejectedFact,
  createUnknownFact,
} from "./previewFacts";
export { formatUpdateBlocks, createPreviewFact, type PreviewSubject, formatForTerminal } from "./report";
export {
  formatResourceName,
  formatTypeLabel,
  getNouns,
  getNounsAt,
  getNounsOfType,
  type Label,
  type Nouns,
  toField,
} from "./labels";
export { formatComponentState, type ImpactChange } from "./editChanges";
export { formatNotice } from "./notices";
export { formatRejection } from "./rejections";
