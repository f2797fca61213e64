import { removeMachines } from "../../soak/driver/machines";
import { figuresOf, mistakes, runMatrix } from "../../soak/matrix";
import { cells, plansFor } from "../../soak/matrix/plans";

afterAll(removeMachines);

it("whatever strikes a post or the reads after it, the update is public once at most, and the stack knows", async () => {
  const outcomes = await runMatrix(plansFor(4 * cells.length, 1));
  expect(mistakes(outcomes)).toEqual([]);
  const figures = figuresOf(outcomes);
  // On a machine that is at its limits, a run may give up before its fault; not all four of a kind.
  const struck = "runs whose faults all struck";
  expect(figures.filter(({ what, met }) => !met && what !== struck)).toEqual([]);
});
