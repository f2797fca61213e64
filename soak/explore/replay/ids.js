const { declarationOf } = require("../world");

/** More posts of one update than any trace has. */
const mostAttempts = 5;

/**
 * Ids of our own in the processes, by those of the trace: they depend on the service's address.
 * @param {import("../engine").Model} model @param {string} url @returns {Map<string, string>}
 */
function ownIds({ config, core }, url) {
  const service = JSON.stringify([new URL(url).host, "/"]);
  const entries = config.programs.flatMap((program) => Object.values(program.entries));
  return new Map(
    entries.flatMap((entry) =>
      Array.from({ length: mostAttempts }, (_, attempt) => {
        const declared = declarationOf(entry, false);
        return [core.ownId("service", declared, attempt), core.ownId(service, declared, attempt)];
      }),
    ),
  );
}

module.exports = { ownIds };
