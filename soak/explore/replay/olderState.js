/** States as a release wrote them that didn't record earlier updates. */

/** @param {Iterable<import("../../../test/driver/stack").Stack>} stacks */
function makeOlder(stacks) {
  for (const { resources } of stacks) {
    for (const [urn, { outputs, ...resource }] of resources)
      resources.set(urn, { ...resource, outputs: { ...outputs, past: undefined } });
  }
}

module.exports = { makeOlder };
