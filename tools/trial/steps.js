const { setTimeout } = require("node:timers/promises");
const { isDeepStrictEqual } = require("node:util");
const { SetupFailure } = require("../setup/run");

/** @typedef {import(".").Trial} Trial */
/** @typedef {Trial["client"]} Client */

/** Contains characters that some services change. */
const description =
  "äöü éñ, e\u0301 n\u0303, “quoted” – €5…, 状态页, 🚧 👩‍💻, <b>bold</b> & &amp; &lt;, **bold** [link](https://example.com), " +
  "two  spaces, a\ttab, a no-break\u00a0space,\ntwo lines\n\nand a paragraph";

/** Opens, updates, edits and resolves a test incident, and records the facts. @param {Trial} trial @param {string} componentId */
async function runSteps(trial, componentId) {
  const { client, pageId, transcript, send } = trial;
  for (const list of ["components", "incidents"]) {
    const { entries = [], length, nextId } = Object((await send("GET", `${list}?limit=1`)).json);
    transcript.add(`List of ${list}`, `${entries.length} entries, length ${length}, nextId ${nextId && "…"}`);
  }
  const opened = await openIncident(trial, componentId);
  const { update, posted } = await postUpdate(trial, opened);
  /** @param {string} text */
  const edit = (text) =>
    client.editComponentPageIncidentUpdate(pageId, opened.id, posted.id, { ...update, description: text });
  await editUpdate(trial, opened.id, posted, edit);
  const impacts = [{ componentId, status: /** @type {const} */ ("DEGRADED_PERFORMANCE") }];
  const { componentImpacts } = await setImpacts(trial, client, opened.id, impacts);
  transcript.add("Edit: impacts", `\`${JSON.stringify(componentImpacts)}\``);
  await endIncident(trial, opened.id, edit);
  const { status, message } = await send("DELETE", "incidents", opened.id, "incident-updates", posted.id);
  transcript.add("Deletion of an update", `HTTP ${status} ${message}`);
}

/** @param {Trial} trial @param {string} componentId */
async function openIncident(trial, componentId) {
  const { client, pageId, incident, transcript } = trial;
  const opened = await client.openComponentPageIncident(pageId, {
    name: incident.name,
    incidentUpdates: [{ status: "INVESTIGATING", description: "A test.", notifySubscribers: false }],
    componentImpacts: [{ componentId, status: "UNDER_MAINTENANCE" }],
  });
  const { id, created_at: openedAt } = opened;
  incident.id = id;
  transcript.hide({ i1: id });
  await waitUntil(trial, "Opening: is the list late", () => findIncident(trial, client), Boolean);
  const readIncident = () => client.getComponentPageIncident(pageId, id);
  const shown = await waitUntil(trial, "Opening: is a read late", readIncident, Boolean);
  transcript.add("Opening: is the response whole", compareFields(opened, shown));
  const [first] = shown.incidentUpdates ?? [];
  transcript.hide({ u1: first?.id });
  const times = `incident ${openedAt}, update ${first?.created_at}, public ${first?.publicIncidentUpdateDate}`;
  transcript.add("Opening: times", times);
  return opened;
}

/** Posts an update. @param {Trial} trial @param {Awaited<ReturnType<typeof openIncident>>} opened @returns what was sent and the response */
async function postUpdate(trial, { id, created_at: openedAt }) {
  const { client, pageId, transcript } = trial;
  // An update can't be before its incident. The milliseconds show whether the service rounds.
  const date = new Date((Date.parse(openedAt ?? "") || Date.now()) + 7).toISOString();
  const update = { status: /** @type {const} */ ("IDENTIFIED"), description, publicIncidentUpdateDate: date };
  const body = { ...update, notifySubscribers: false };
  const posted = await client.createComponentPageIncidentUpdate(pageId, id, body);
  transcript.hide({ u2: posted.id });
  const readUpdate = () => client.getComponentPageIncidentUpdate(pageId, id, posted.id);
  const read = await waitUntil(trial, "Update: is a read late", readUpdate, Boolean);
  transcript.add("Update: is the response whole", compareFields(posted, read));
  const readHistory = async () =>
    (await client.getComponentPageIncident(pageId, id)).incidentUpdates?.find(
      (each) => each.id === posted.id,
    );
  await waitUntil(trial, "Update: is the history late", readHistory, Boolean);
  transcript.add("Update: are its date and characters kept", compareFields({ ...read, ...update }, read));
  transcript.add("Update: as sent", `\`${JSON.stringify(update)}\``);
  transcript.add("Update: as read", `\`${JSON.stringify(read)}\``);
  return { update, posted };
}

/** @typedef {Awaited<ReturnType<typeof postUpdate>>["posted"]} Update */

/** @param {Trial} trial @param {string} id @param {Update} posted @param {(text: string) => Promise<Update>} edit */
async function editUpdate(trial, id, posted, edit) {
  const { client, pageId, transcript } = trial;
  const edited = await edit("An edited test.");
  const read = () => client.getComponentPageIncidentUpdate(pageId, id, posted.id);
  const isEdited = (/** @type {Update} */ each) => each.description === edited.description;
  const reread = await waitUntil(trial, "Edit: is a read late", read, isEdited);
  transcript.add("Edit: is the response whole", compareFields(edited, reread));
  transcript.add(
    "Edit: are other fields kept",
    compareFields({ ...edited, description }, { ...posted, description }),
  );
}

/** Resolves the incident, and tries to edit it afterwards. @param {Trial} trial @param {string} id @param {(text: string) => Promise<Update>} edit */
async function endIncident(trial, id, edit) {
  const { client, pageId, incident, transcript } = trial;
  await resolve(trial, client, id);
  const read = () => client.getComponentPageIncident(pageId, id);
  const isResolved = (/** @type {Awaited<ReturnType<typeof read>>} */ each) =>
    each.lastUpdateStatus === "RESOLVED";
  const end = await waitUntil(trial, "RESOLVED: is the incident's status late", read, isResolved);
  incident.hasNoImpacts = end.componentImpacts?.every(({ endedAt }) => endedAt) === true;
  transcript.add("RESOLVED: does it end the impacts", incident.hasNoImpacts ? "yes" : "no");
  transcript.add("RESOLVED: impacts", `\`${JSON.stringify(end.componentImpacts)}\``);
  const lateEdit = await edit("A late edit.").then(() => "accepted", String);
  const lateImpacts = await setImpacts(trial, client, id, []).then(() => "accepted", String);
  transcript.add("RESOLVED: edits of an update and of the incident", `${lateEdit}, ${lateImpacts}`);
  transcript.add("RESOLVED: status after both edits", String((await read()).lastUpdateStatus));
}

/** Resolves and, if possible, deletes the test incident. @param {Trial} trial @param {(error: unknown) => void} fail */
async function cleanUp(trial, fail) {
  const { cleaner: client, incident, transcript, send } = trial;
  // An opening without a response may have been successful. The interruption must not end the search for the incident.
  const search = () => findIncident(trial, client);
  const id =
    incident.id ?? (await waitUntil({ transcript }, "Opening: is the list late", search, Boolean)).id;
  transcript.hide({ i1: id });
  if (!incident.isResolved) await resolve(trial, client, id).catch(fail);
  if (!incident.hasNoImpacts) await setImpacts(trial, client, id, []).catch(fail);
  const { status, message } = await send("DELETE", "incidents", id);
  transcript.add("Deletion of the incident", `HTTP ${status} ${message}`);
  incident.isDeleted = status < 300;
}

/** Resolves the test incident without an email. @param {Trial} trial @param {Client} client @param {string} id */
async function resolve({ pageId, incident }, client, id) {
  const update = { status: /** @type {const} */ ("RESOLVED"), description: "The test is over." };
  await client.createComponentPageIncidentUpdate(pageId, id, { ...update, notifySubscribers: false });
  incident.isResolved = true;
}

/**
 * Replaces the impacts of the test incident.
 * @param {Trial} trial @param {Client} client @param {string} id
 * @param {Parameters<Client["editComponentPageIncident"]>[2]["componentImpacts"]} componentImpacts
 */
const setImpacts = ({ pageId, incident: { name } }, client, id, componentImpacts) =>
  client.editComponentPageIncident(pageId, id, { name, componentImpacts });

/** @param {Trial} trial @param {Client} client */
const findIncident = async ({ pageId, incident: { name } }, client) =>
  (await client.listComponentPageIncidents(pageId)).entries.find((each) => each.name === name);

/**
 * Reads until a read shows the last write. @template Value @param {Pick<Trial, "transcript"> & {signal?: AbortSignal}} trial
 * @param {string} subject @param {() => Promise<Value>} read @param {(value: NonNullable<Value>) => unknown} isShown
 */
async function waitUntil({ transcript, signal }, subject, read, isShown) {
  const started = performance.now();
  for (let reads = 1; ; reads++) {
    const value = await read().catch((/** @type {unknown} */ error) => {
      if (Object(error).status !== 404) throw error;
    });
    const ms = Math.round(performance.now() - started);
    if (value && isShown(value)) {
      transcript.add(subject, reads > 1 ? `yes, shown by read ${reads} after ${ms} ms` : "no");
      return value;
    }
    // The limitations of the product assume two minutes.
    if (ms > 150_000) throw new SetupFailure(`${subject}: ${reads} reads in ${ms} ms don't show it.`);
    await setTimeout(Math.min(50 * 2 ** reads, 5_000), undefined, { signal });
  }
}

/** Returns the fields of two objects that differ. @param {object} written @param {object} read */
function compareFields(written, read) {
  const keys = Object.keys({ ...written, ...read });
  const different = keys.filter(
    (key) => !isDeepStrictEqual(Reflect.get(written, key), Reflect.get(read, key)),
  );
  return different.length === 0 ? "yes" : `no: ${different.join(", ")}`;
}

module.exports = { cleanUp, runSteps };
