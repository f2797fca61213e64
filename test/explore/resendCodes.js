/** Models the resend codes. A rejection requires codes, and the user sets them after checking the public page. */
const { loadCore } = require("./core");
const { getStack, tick, withStack } = require("./world");
const { resetClock } = require("./runs");
const { mayDiffer } = require("./service");

/**
 * @import { World, Declaration, Rejection } from "./world"
 * @import { Model } from "./engine"
 *
 * @typedef {object} CodeRequirement
 * @property {readonly string[]} codes
 * @property {readonly string[]} posts the nonces of the posts that the codes confirm as not public
 * @property {boolean} isDoubted true if the rejection lists these posts. Otherwise, the user can only search for the content
 * @property {readonly string[]} others the IDs of the identical updates that, according to the rejection, aren't the declared update
 * @property {Pick<Declaration, "containerId" | "description" | "publicIncidentUpdateDate" | "name"> & {occurrence: number}} declared
 */

const { getOccurrence } = loadCore();

/** @param {Rejection} rejection @param {Declaration} declared the resource's declaration @returns {CodeRequirement | undefined} */
function findRequirement(rejection, declared) {
  if (!("codes" in rejection) || rejection.codes.length === 0) return undefined;
  const { codes } = rejection;
  const isDoubted = rejection.kind === "doubtedPost";
  const sent = "sent" in rejection ? rejection.sent : undefined;
  const posts = isDoubted ? rejection.posts.map(({ nonce }) => nonce) : sent ? [sent.nonce] : [];
  const { containerId, description, publicIncidentUpdateDate, name } = sent?.declared ?? declared;
  return {
    codes,
    posts,
    isDoubted,
    others: rejection.others?.map(({ id }) => id) ?? [],
    declared: {
      containerId,
      description,
      occurrence: getOccurrence(declared),
      publicIncidentUpdateDate,
      name,
    },
  };
}

/** Records the codes that a rejection requires. @param {World} world @param {string} name @param {string} urn @param {CodeRequirement | undefined} requirement @returns {World} */
function withRequirement(world, name, urn, requirement) {
  if (!requirement) return world;
  return withStack(world, name, {
    requirements: { ...getStack(world, name).requirements, [urn]: requirement },
  });
}

/**
 * The user checks the page after all updates are visible, and sets the codes if the update is missing. Returns undefined if it is public.
 * @param {World} world @param {Pick<Model, "config">} model @param {string} name of the stack @param {CodeRequirement} requirement
 * @returns {World | undefined}
 */
function setCodesAfterCheck(world, { config }, name, requirement) {
  const { posts, isDoubted, others, declared } = requirement;
  const { containerId: container, description: text, occurrence, publicIncidentUpdateDate: date } = declared;
  const shown = world.updates.filter(({ deleted }) => !deleted);
  const isCandidate = (/** @type {import("./world").Update} */ { id }) => !others.includes(id);
  const seen = shown.filter(
    (update) =>
      // The user knows that someone else opened this resolved incident.
      !(update.isResolved && update.by === "") &&
      (update.edited ?? update.text) === text &&
      update.name === declared.name &&
      (date === undefined || update.date === date) &&
      update.container === container,
  );
  if (seen.length >= occurrence && seen.some(isCandidate)) return undefined;
  if (isDoubted && shown.some((update) => posts.includes(update.nonce) && isCandidate(update)))
    return undefined;
  return setCodes(showAllUpdates(world, config), name, requirement);
}

/**
 * Returns the world in which the user has set the codes. The page isn't checked.
 * @param {World} world @param {string} name of the stack @param {CodeRequirement} requirement @returns {World}
 */
function setCodes(world, name, { codes, posts }) {
  const stack = getStack(world, name);
  return withStack(world, name, {
    codes: union(stack.codes, codes),
    confirmedPosts: union(stack.confirmedPosts, posts),
  });
}

/** @param {readonly string[]} was @param {readonly string[]} more */
function union(was, more) {
  return [...new Set([...was, ...more])].sort();
}

/** @param {World} world @param {Model["config"]} config @returns {World} */
function showAllUpdates(world, config) {
  if (!world.updates.some((update) => mayDiffer(world, config, update))) return world;
  return resetClock({ ...world, now: world.now + config.late * tick });
}

module.exports = { setCodesAfterCheck, setCodes, findRequirement, withRequirement };
