/** What the program of a trace declares, as its resources are called. */
const { getArgs, idNames } = require("../runs");

/** What a configuration declares. @param {Pick<import("../world").Configuration, "opens">} config */
function getKind({ opens }) {
  return opens === undefined
    ? { type: /** @type {const} */ ("IncidentUpdate"), names: idNames }
    : {
        type: /** @type {const} */ ("Incident"),
        names: { containerId: "statusPageId", id: "incidentId" },
      };
}

/**
 * The arguments of a resource, and the place of an entry with a key in its timeline.
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
