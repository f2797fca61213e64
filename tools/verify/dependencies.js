require("../setup/nodeVersion");
const { command } = require("../setup/run");
const { mistakeIn } = require("./dependencyRules");
const { importsIn, product } = require("./imports");

/** Checks what each file imports by its rules. */
command(() => {
  const mistakes = [...importsIn([...product, "examples", "test", "tools"])].flatMap(([from, imports]) =>
    imports.flatMap(({ name, file }) => {
      const mistake = mistakeIn(from, name, file);
      return mistake === undefined ? [] : `${from} imports ${name}: ${mistake}`;
    }),
  );
  for (const mistake of mistakes) console.log(mistake);
  return Promise.resolve(mistakes.length === 0 ? 0 : 1);
});
