/** @param {string} name */
const pascalCase = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** @param {string} name */
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * In Go, `GetStatusPage` reads the state of a resource, so that the function of that name is called otherwise.
 * @param {string} name of a function
 * @param {(name: string) => boolean} isResource
 */
const goFunction = (name, isResource) =>
  pascalCase(isResource(name.replace(/^get/, "")) ? name.replace(/^get/, "lookup") : name);

module.exports = { goFunction, pascalCase, snakeCase };
