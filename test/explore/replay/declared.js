/** Converts the declarations of a trace to the arguments of real resources. */
const { getArgs, idNames } = require("../runs");

/** Returns the resource type that a configuration declares, with the names of its ID properties. @param {Pick<import("../world").Configuration, "opens">} config */
function getKind({ opens }) {
  return opens === undefined
    ? { type: /** @type {const} */ ("IncidentUpdate"), names: idNames }
    : {
        type: /** @type {const} */ ("Incident"),
        names: { containerId: "statusPageId", id: "incidentId" },
      };
}

/**
 * Returns the arguments of a resource and, for an entry of a timeline, its place and its key.
 * @param {Parameters<typeof getArgs>} given
 */
function getDeclared(...given) {
  const [{ config }] = given;
  const { containerId, followedBy, follows, entry = "", key, ...args } = getArgs(...given);
  const earlier = follows === undefined ? [] : [follows];
  const place = followedBy && { keys: [...earlier, entry, ...followedBy], index: earlier.length };
  return {
    args: { ...args, [getKind(config).names.containerId]: containerId },
    ...(place && { place: { place, key } }),
  };
}

module.exports = { getDeclared, getKind };
