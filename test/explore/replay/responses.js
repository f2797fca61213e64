/** Converts the events of a trace to the responses of the scripted service. */

/**
 * @import { Configuration } from "../world"
 *
 * @typedef {{send: (request: import("./scriptedService").Request) => unknown}} Response
 * @typedef {import("../../../provider/api/objects").StatusPageIncidentUpdate} Update
 */

/** The maximum number of updates that the service returns for an incident. */
const maxShown = 100;

/**
 * An incident and its creation time, as the service returns it.
 * @typedef {{id: string, createdAt: string | null}} Incident
 */

/**
 * @param {Configuration} config @param {Incident} incident @param {import("../../../provider/protocol").Event} event
 * @returns {Response}
 */
function createResponse(config, incident, event) {
  switch (event.kind) {
    case "history":
      return createPageResponse(config, incident, event.shown);
    case "update":
      return createLookupResponse(event.update);
    case "posted":
      return respond(201, event.update);
    case "edited":
      return respond(200, event.update);
    case "notApplied":
      return respond(403, createProblem("rejected"));
    case "unknown":
      if (event.text === "lost") return { send: (request) => request.drop() };
      if (event.text === "404") return missing;
      return respond(event.text === "409" ? 409 : 500, createProblem("the id exists"));
    case "readFailed":
      // The client doesn't repeat a request after a 403.
      return event.containerMissing ? missing : respond(403, createProblem("the read failed"));
    case "timeUp":
      throw new Error("The end of a search is no response.");
  }
}

/** @param {Configuration} config @param {Incident} incident @param {readonly Update[]} shown @returns {Response} */
function createPageResponse(config, incident, shown) {
  return respond(200, createIncident(config, incident, shown));
}

/** @param {Update | undefined} update @returns {Response} */
function createLookupResponse(update) {
  return update ? respond(200, update) : missing;
}

/** @param {number} status @param {unknown} body @returns {Response} */
function respond(status, body) {
  return { send: (request) => request.respond(status, body) };
}

const missing = respond(404, { statusCode: 404, error: "Not Found", ...createProblem("not found") });

/**
 * Returns the incident as the service shows it. If the configuration has a smaller limit, older updates fill the history.
 * @param {Configuration} config @param {Incident} incident @param {readonly Update[]} shown
 */
function createIncident({ limit = maxShown, opens }, { id, createdAt }, shown) {
  const older = Array.from({ length: maxShown - limit }, (_, index) => ({
    id: `filler-${index}`,
    status: "INVESTIGATING",
    description: `An older update, ${index}.`,
    created_at: "2025-12-01T00:00:00.000Z",
    ...(opens !== undefined && { name: `An older incident, ${index}` }),
  }));
  return {
    id,
    name: `Incident ${id}`,
    created_at: createdAt,
    incidentUpdates: [...shown, ...older],
  };
}

/** @param {string} message */
function createProblem(message) {
  return { message };
}

module.exports = { createLookupResponse, createPageResponse, createResponse };
