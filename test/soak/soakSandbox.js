/** The sandbox with accounts of one incident and one subscriber each, so that runs don't affect each other. */
const path = require("node:path");
const { root } = require("../../tools/setup");

/** @typedef {import("../../sandbox").Sandbox} Sandbox */
/** @typedef {import("../../sandbox").SandboxData} SandboxData */
/** @typedef {{id: string, incidentId: string, statusPageId?: string, opens?: boolean}} Account statusPageId: of a page with components; opens: whether its run opens an incident there */

/** @type {typeof import("../../sandbox")} */
const { seedData, startSandbox } = require(path.join(root, "dist", "sandbox"));

const apiKey = "soak-key-0123456789abcdef";

/**
 * @param {number} count
 * @returns {Promise<{sandbox: Sandbox, accounts: Account[]}>}
 */
async function startService(count) {
  const accounts = Array.from({ length: count }, (_, index) => ({
    id: `account-${index}`,
    incidentId: `inc_${index}`,
    ...(index % 2 === 1 && { statusPageId: `page_${index}` }),
    ...(index % 4 === 3 && { opens: true }),
  }));
  return { sandbox: await startSandbox({ seed: createData(accounts) }), accounts };
}

/** The key has access to every account. @param {Account[]} accounts @returns {SandboxData} */
function createData(accounts) {
  const [model] = seedData().accounts;
  const [incident] = model.statusPageIncidents;
  const [page] = model.statusPages;
  const [componentPage] = model.componentPages;
  if (!incident || !page || !componentPage) throw new Error("There is no incident, or no page, to copy.");
  const [first, ...others] = accounts.map(({ id, incidentId, statusPageId }) => {
    const pageId = statusPageId ?? `page_of_${id}`;
    const [onPage] = componentPage.incidents.map((each) => ({
      ...each,
      id: incidentId,
      statusPageId: pageId,
    }));
    const common = { ...model, id, subscribers: { [pageId]: 1 }, alertChannels: [], incidents: [] };
    return statusPageId === undefined
      ? {
          ...common,
          statusPages: [{ ...page, id: pageId, accountId: id }],
          statusPageIncidents: [{ ...incident, id: incidentId, statusPageIds: [pageId] }],
          componentPages: [],
        }
      : {
          ...common,
          statusPages: [],
          statusPageIncidents: [],
          componentPages: [
            {
              ...componentPage,
              id: pageId,
              accountId: id,
              components: [],
              incidents: onPage ? [{ ...onPage, componentImpacts: [] }] : [],
            },
          ],
        };
  });
  if (!first) throw new Error("A service needs an account.");
  const accountIds = /** @type {[string, ...string[]]} */ ([first.id, ...others.map(({ id }) => id)]);
  return { access: [{ apiKey, accountIds }], accounts: [first, ...others], mailed: {} };
}

/**
 * The configuration of a process that serves many stacks, each with an account of its own.
 *
 * @param {string} baseUrl
 * @param {Account[]} accounts
 * @param {{timeoutMs?: number, deadlineMs?: number}} limits
 * @returns {Record<string, string>}
 */
function createConfig(baseUrl, accounts, limits) {
  const access = accounts.map(({ id }) => [id, { apiKey, accountId: id }]);
  return {
    "monitoring:baseUrl": baseUrl,
    "monitoring:accounts": JSON.stringify(Object.fromEntries(access)),
    ...Object.fromEntries(Object.entries(limits).map(([name, ms]) => [`monitoring:${name}`, String(ms)])),
  };
}

module.exports = { apiKey, createConfig, startService };
