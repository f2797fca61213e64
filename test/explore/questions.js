/** What a run asks its user, who answers after a look at the page on which everything is shown. */
const { loadCore } = require("./core");
const { getStack, tick, withStack } = require("./world");
const { settledTime } = require("./runs");
const { mayDiffer } = require("./service");

/**
 * @import { World, Declaration, Refusal } from "./world"
 * @import { Model } from "./engine"
 *
 * @typedef {object} Asked
 * @property {readonly string[]} codes
 * @property {readonly string[]} posts the nonces of the posts that the question is about
 * @property {boolean} isNoted whether it is about these posts alone, not about the content
 * @property {readonly string[]} others the ids of the updates that the refusal calls other ones
 * @property {Pick<Declaration, "containerId" | "description" | "publicIncidentUpdateDate" | "name"> & {occurrence: number}} declared
 */

const { getOccurrence } = loadCore();

/** @param {Refusal} refusal @param {Declaration} task what the resource declares @returns {Asked | undefined} */
function findQuestion(refusal, task) {
  if (!("codes" in refusal) || refusal.codes.length === 0) return undefined;
  const { codes } = refusal;
  const isNoted = refusal.kind === "noted";
  const sent = "sent" in refusal ? refusal.sent : undefined;
  const posts = isNoted ? refusal.posts.map(({ nonce }) => nonce) : sent ? [sent.nonce] : [];
  const { containerId, description, publicIncidentUpdateDate, name } = sent?.declared ?? task;
  return {
    codes,
    posts,
    isNoted,
    others: refusal.others?.map(({ id }) => id) ?? [],
    declared: { containerId, description, occurrence: getOccurrence(task), publicIncidentUpdateDate, name },
  };
}

/** @param {World} world @param {string} name @param {string} urn @param {Asked | undefined} question @returns {World} */
function withQuestion(world, name, urn, question) {
  if (!question) return world;
  return withStack(world, name, { asked: { ...getStack(world, name).asked, [urn]: question } });
}

/**
 * The user looks at the settled page and, when the update is not there, sets the codes.
 * @param {World} world @param {Pick<Model, "config">} model @param {string} name of the stack @param {Asked} question
 * @returns {World | undefined}
 */
function answered(world, { config }, name, question) {
  const { posts, isNoted, others, declared } = question;
  const { containerId: container, description: text, occurrence, publicIncidentUpdateDate: date } = declared;
  const shown = world.updates.filter(({ deleted }) => !deleted);
  const isOpen = (/** @type {import("./world").Update} */ { id }) => !others.includes(id);
  const seen = shown.filter(
    (update) =>
      // The user knows who opened what is over.
      !(update.isOver && update.by === "") &&
      (update.edited ?? update.text) === text &&
      update.name === declared.name &&
      (date === undefined || update.date === date) &&
      update.container === container,
  );
  if (seen.length >= occurrence && seen.some(isOpen)) return undefined;
  if (isNoted && shown.some((update) => posts.includes(update.nonce) && isOpen(update))) return undefined;
  return answeredAtOnce(shownAll(world, config), name, question);
}

/**
 * The user denies a post at once, or permits to overwrite what the refusal shows, without a look at the page.
 * @param {World} world @param {string} name of the stack @param {Asked} question @returns {World}
 */
function answeredAtOnce(world, name, { codes, posts }) {
  const stack = getStack(world, name);
  return withStack(world, name, {
    codes: union(stack.codes, codes),
    answered: union(stack.answered, posts),
  });
}

/** @param {readonly string[]} was @param {readonly string[]} more */
function union(was, more) {
  return [...new Set([...was, ...more])].sort();
}

/** @param {World} world @param {Model["config"]} config @returns {World} */
function shownAll(world, config) {
  if (!world.updates.some((update) => mayDiffer(world, config, update))) return world;
  return settledTime({ ...world, now: world.now + config.late * tick });
}

module.exports = { answered, answeredAtOnce, findQuestion, withQuestion };
