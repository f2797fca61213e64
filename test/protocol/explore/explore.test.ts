import { configurations, unguarded } from "../../../tools/soak/explore/configurations";
import { isViolated } from "../../../tools/soak/explore";
import { drawn } from "../../../tools/soak/explore/configurations/drawn";
import { explore, modelOf } from "../../../tools/soak/explore/search";

describe("every interleaving of the protocol", () => {
  it.each(configurations)("$name: no property is violated", (config) => {
    const { violation, trace, isComplete } = explore(modelOf(config));
    expect({ violation, trace, isComplete }).toEqual({ violation: undefined, trace: [], isComplete: true });
  });

  it("with services that nobody thought of", () => {
    expect(drawn(1, 20).filter(isViolated)).toEqual([]);
  });

  it.each(unguarded)("$name: is outside the guarantee", (config) => {
    expect(explore(modelOf(config)).violation).toMatch(new RegExp(`^${config.fails}:`));
  });
});
