require("../setup/nodeVersion");
const { postgresPrograms, postgresUser } = require("../setup/backends/postgres");
const { s3Server } = require("../setup/backends/s3");
const { command } = require("../setup/command");
const { prepare } = require("../setup");

/** The set-up of `npm run test:backends`, which says what it needs when that is missing. */
command(async () => {
  postgresPrograms();
  postgresUser();
  await prepare();
  await s3Server();
  return 0;
});
