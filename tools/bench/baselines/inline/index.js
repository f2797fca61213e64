// Updates of incidents by a dynamic provider in the program's own file, as Pulumi's guide teaches to write one:
// https://www.pulumi.com/docs/iac/guides/building-extending/providers/dynamic-providers/
// Of the forms that it shows this is the leanest: one object, with the credentials from the environment.
const fs = require("node:fs");
const pulumi = require("@pulumi/pulumi");
const axios = require("axios");

function incidents() {
  return axios.create({
    baseURL: `${process.env.MONITORING_BASE_URL}/v1/status-pages/incidents`,
    headers: {
      Authorization: `Bearer ${process.env.MONITORING_API_KEY}`,
      "x-service-account": process.env.MONITORING_ACCOUNT_ID,
    },
  });
}

/** @type {import("@pulumi/pulumi").dynamic.ResourceProvider} */
const incidentUpdateProvider = {
  async create({ incidentId, status, description, notifySubscribers }) {
    const update = { status, description, notifySubscribers };
    const { data } = await incidents().post(`/${incidentId}/incident-updates`, update);
    return { id: data.id, outs: { incidentId, ...data } };
  },

  async read(id, { incidentId }) {
    const { data } = await incidents().get(`/${incidentId}/incident-updates/${id}`);
    return { id, props: { incidentId, ...data } };
  },

  diff(_id, olds, news) {
    const replaces = ["incidentId", "status", "description"].filter((name) => olds[name] !== news[name]);
    return Promise.resolve({ changes: replaces.length > 0, replaces });
  },
};

class IncidentUpdate extends pulumi.dynamic.Resource {
  /** @param {string} name @param {import("@pulumi/pulumi").Inputs} args */
  constructor(name, args) {
    super(incidentUpdateProvider, name, {
      publicIncidentUpdateDate: undefined,
      created_at: undefined,
      ...args,
    });
  }
}

for (const { name, ...args } of JSON.parse(fs.readFileSync("updates.json", "utf8"))) {
  new IncidentUpdate(name, args);
}
