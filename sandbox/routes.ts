/** Which operation a method and a path mean. */
import { Refusal } from "./answers";
import { type Operation, type OperationName, operations } from "./operations";

interface Route {
  operation: Operation & { name: OperationName };
  /** Those in the path, decoded, in its order. */
  ids: string[];
}

const routes = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, "([^/]+)")}$`),
}));

/** The route, or a `Refusal`. */
export function findRoute(method: string, path: string): Route {
  const here = routes.filter(({ pattern }) => pattern.test(path));
  if (here.length === 0) throw new Refusal(404, `There is nothing at ${path}.`);
  const route = here.find(({ operation }) => operation.method === method);
  if (route === undefined)
    throw methodRefusal(
      method,
      here.map(({ operation }) => operation.method),
    );
  const [, ...ids] = route.pattern.exec(path) ?? [];
  return { operation: route.operation, ids: ids.map(decoded) };
}

export function methodRefusal(method: string, allowed: string[]): Refusal {
  const allow = allowed.join(", ");
  return new Refusal(405, `${method} is not possible here, only ${allow}.`, {}, { allow });
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw new Refusal(400, `The path is not properly percent-encoded: ${id}`);
  }
}
