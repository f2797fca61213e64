/** @param {string} name */
const pascalCase = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** @param {string} name */
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Go has one name for a type and a function, so functions that read a resource are called otherwise. @param {string} name of a function */
const goFunction = (name) => pascalCase(name.endsWith("s") ? name : name.replace(/^get/, "lookup"));

module.exports = { goFunction, pascalCase, snakeCase };
