/** Finds the operation for a method and a path. */
import { type OperationName, operations } from "../../provider/api/operations";
import { HttpError } from "./httpResponse";

interface Route {
  operation: OperationName;
  method: "GET" | "POST";
  /** The ids in the path, decoded, in order. */
  ids: string[];
}

const routes = Object.values(operations).map(({ name, method, path }) => ({
  operation: name,
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "([^/]+)")}$`),
}));

/** @throws HttpError when there is no such path, or the path doesn't support the method */
export function findRoute(method: string, path: string): Route {
  const candidates = routes.filter(({ pattern }) => pattern.test(path));
  if (candidates.length === 0) throw new HttpError(404, `There is nothing at ${path}.`);
  const route = candidates.find((candidate) => candidate.method === method);
  if (route === undefined)
    throw methodNotAllowed(
      method,
      candidates.map((candidate) => candidate.method),
    );
  const [, ...ids] = route.pattern.exec(path) ?? [];
  return { operation: route.operation, method: route.method, ids: ids.map(decode) };
}

export function methodNotAllowed(method: string, allowed: string[]): HttpError {
  const allow = allowed.join(", ");
  return new HttpError(405, `${method} is not allowed here, only ${allow}.`, {}, { allow });
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw new HttpError(400, `The path is not properly percent-encoded: ${id}`);
  }
}
