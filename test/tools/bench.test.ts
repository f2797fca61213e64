/** What a benchmark concludes from the times of its rounds. */
import { judged } from "../../tools/bench/compare";

const others = [100, 200, 400];

test.each<[what: string, ours: number[], limits: object, ratio: number[], result: string]>([
  ["below its limit", [100, 210, 400], { most: 1.1 }, [1, 1, 1.025], "ok"],
  ["at another load in each round", [120, 240, 480], { most: 1.1 }, [1.2, 1.2, 1.2], "missed"],
  ["without a limit", [120, 240, 480], {}, [1.2, 1.2, 1.2], ""],
  ["in rounds that differ too much", [200, 200, 400], { most: 0.5 }, [1, 1, 1.5], "noisy"],
  ["with as many milliseconds more as allowed", [110, 220, 440], { mostMore: 20 }, [1.1, 1.1, 1.1], "ok"],
  ["with more milliseconds", [110, 220, 440], { mostMore: 19 }, [1.1, 1.1, 1.1], "missed"],
])("a ratio %s", (_, ours, limits, [low, median, high], result) => {
  const { ratio, ...verdict } = judged(ours, others, limits);
  expect(verdict.result).toBe(result);
  for (const [name, value] of Object.entries({ low, median, high }))
    expect(ratio[name as keyof typeof ratio]).toBeCloseTo(value ?? NaN);
});
