/** Works on untrusted texts: makes them printable, quotes, compares and normalizes them, and writes them as markup. */
export {
  canonicalId,
  digestOf,
  mayBeShownAs,
  normalizeText,
  sameText,
  uuidOf,
  visibleText,
} from "./normalize";
export {
  amount,
  columnsOf,
  errorReason,
  escapedJson,
  inertLine,
  inertQuotation,
  inertSentence,
  jsonIn,
  Markup,
  markup,
  multilineMarkup,
  type NoticeText,
  oneLine,
  printable,
  printed,
  quotation,
  quotedExcerpt,
  quotedLine,
  singleSpaced,
  wrappedSentence,
  wrappedText,
} from "./printable";
export { didYouMean, isMisspelled, nearestOf, notKnown, type Problem } from "./similar";
