/** Explores all jobs of the given kinds and prints the results by name, as JSON. */
const { runJob, jobsByKind } = require("./jobs");

const kinds = process.argv.slice(2);
const jobs = Object.entries(jobsByKind).flatMap(([kind, all]) => (kinds.includes(kind) ? all() : []));
console.log(JSON.stringify(Object.fromEntries(jobs.map((job) => [job.name, runJob(job)]))));
