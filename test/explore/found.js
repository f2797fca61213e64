/** Prints what is found of the given kinds, such as all configurations, as JSON by name. */
const { runJob, jobsByKind } = require("./explored");

const kinds = process.argv.slice(2);
const jobs = Object.entries(jobsByKind).flatMap(([kind, all]) => (kinds.includes(kind) ? all() : []));
console.log(JSON.stringify(Object.fromEntries(jobs.map((job) => [job.name, runJob(job)]))));
