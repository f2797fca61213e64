require("./nodeVersion");
const { command } = require("./command");
const { prepareBuild } = require(".");

/** `npm run build`: installs missing packages, then compiles dist/ and links the package for the examples. */
command(prepareBuild);
