/** Draws random services and users from all combinations that the API contract and the guarantee allow. */
const fc = require("fast-check");
const {
  bHasA,
  both,
  chained,
  counted,
  dated,
  datedB,
  editing,
  onlyA,
  onlyB,
  shared,
  swapped,
  timeline,
} = require("./programs");
const { defaults } = require("../world");

/** @typedef {import("../world").Configuration} Configuration */

/** @template Value @param {Value} value */
const maybe = (value) => fc.constantFrom(undefined, value);

const programs = {
  renamed: [onlyA, { ...bHasA, after: [0] }],
  swapped: [both, { ...swapped, after: [0] }],
  edited: [onlyA, onlyB],
  counted: [onlyA, { ...counted, after: [0] }],
  timeline: [timeline("AB"), { ...timeline("CAB"), after: [0] }],
  dated: [dated, datedB],
  chained: [chained, { ...bHasA, after: [0] }],
  corrected: [editing(onlyA), editing(onlyB, [0])],
};
const names = /** @type {(keyof typeof programs)[]} */ (Object.keys(programs));

const service = fc.record({
  listsTwice: maybe(true),
  failingReads: maybe(true),
  rejectsRequests: maybe(true),
  otherObjects: maybe(true),
  keepsOne: maybe(true),
  changesDates: fc.constantFrom(undefined, "rounds", "drops"),
  late: fc.constantFrom(1, 2),
  goesBack: maybe(true),
  history: fc.constantFrom(undefined, ["X"], ["A"], ["X", "Y"]),
  limit: fc.constantFrom(undefined, undefined, 3),
});
const user = fc.record({
  program: fc.constantFrom(...names),
  machines: fc.constantFrom(defaults.machines, shared),
  deletes: fc.constantFrom(undefined, undefined, "permits another post"),
  dashboardText: fc.constantFrom(undefined, undefined, "A", "B"),
  losesState: fc.constantFrom(undefined, undefined, true),
  bounds: fc.record({
    runs: fc.constantFrom(3, 4),
    edits: fc.nat(2),
    faults: fc.nat(2),
    kills: fc.nat(2),
    events: fc.nat(2),
  }),
});

/** Combinations outside the guarantee. They lead to a second post, as documented in the guide's limitations, or to a correct rejection. */
const outside = [
  (/** @type {Drawn} */ [, { deletes, program }]) =>
    deletes !== undefined && ["timeline", "chained", "counted"].includes(program),
  // The response may contain an earlier update that no read has shown.
  (/** @type {Drawn} */ [{ otherObjects }, { deletes, dashboardText, losesState, bounds }]) =>
    otherObjects && (deletes ?? dashboardText ?? losesState ?? (bounds.kills > 0 || bounds.faults > 1)),
  // The service never creates the declared update, so no way out exists.
  (/** @type {Drawn} */ [{ keepsOne }, { program }]) => keepsOne && ["edited", "counted"].includes(program),
  // The user sees an update on the page that the API doesn't return.
  (/** @type {Drawn} */ [{ limit, history }, { dashboardText }]) =>
    limit !== undefined && (dashboardText !== undefined || history?.[0] === "A"),
  (/** @type {Drawn} */ [, { program, dashboardText }]) => program === "counted" && dashboardText === "A",
  // A user has published the new text of an edited update. Only the user can decide which of the two updates to keep.
  (/** @type {Drawn} */ [, { program, dashboardText }]) =>
    program === "corrected" && dashboardText !== undefined,
];

/** @typedef {[ReturnType<typeof service.generate>["value_"], ReturnType<typeof user.generate>["value_"]]} Drawn */

/** @param {number} seed @param {number} count @returns {Configuration[]} */
function drawn(seed, count) {
  const within = fc.tuple(service, user).filter((each) => !outside.some((isOutside) => isOutside(each)));
  return fc
    .sample(within, { seed, numRuns: count })
    .map(([{ ...ofService }, { program, ...ofUser }], index) => ({
      name: `drawn ${index + 1} of seed ${seed}`,
      programs: programs[program],
      isDrawn: true,
      ...ofService,
      ...ofUser,
    }));
}

/** Creates a random generator that always returns the same choices for the same seed. @param {number} seed @returns {(count: number) => number} */
function choices(seed) {
  let last = seed;
  return (count) => {
    last = (Math.imul(last, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((last / 2 ** 32) * count);
  };
}

module.exports = { choices, drawn };
