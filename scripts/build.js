require("./setup/nodeVersion");
const { command } = require("./command");
const { prepareBuild } = require("./setup");

/** `npm run build`: packages if they are missing, then dist/ and the link by which the examples import the package. */
command(prepareBuild);
