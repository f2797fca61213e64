/** The description of the API in `docs/openapi.yaml`, as far as the tests of the contract use it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repository } from "../engine/stack";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  /** Sent by known deployments, and not described by the service. */
  readonly "x-optional"?: boolean;
  readonly "x-tolerated"?: boolean;
  /** Whether the client sends it, where the service takes a request either way. */
  readonly "x-client"?: "always" | "never";
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

type Named<Item> = Readonly<Record<string, Item>>;
type Referenced<Item> = Item | { readonly $ref: string };

interface Body {
  readonly content: Named<{ schema: Schema; examples?: Named<Referenced<{ value: unknown }>> }>;
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly Referenced<Parameter>[];
  readonly requestBody?: Body;
  readonly responses: Named<Referenced<Body>>;
}

interface Document {
  readonly paths: Named<Named<Described>>;
  readonly components: Named<Named<unknown>> & {
    readonly schemas: Named<Schema>;
    readonly examples: Named<{ readonly value: unknown }>;
  };
}

export const file = join(repository, "docs", "openapi.yaml");
const { paths, components }: Document = parse(readFileSync(file, "utf8"));

export const { schemas, examples: objectExamples } = components;

/** One operation, with nothing left to look up but schemas. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: Schema | undefined;
  /** By status, such as `404`, or by its first digit, such as `4XX`. */
  readonly answers: Readonly<Record<string, Schema>>;
}

export const operations: readonly Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters, requestBody, responses }]) => ({
    name: operationId,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map(resolved),
    requestBody: requestBody && getJsonSchema(requestBody),
    answers: Object.fromEntries(
      Object.entries(responses).map(([status, each]) => [status, getJsonSchema(resolved(each))]),
    ),
  })),
);

/** Every example of a body, and the schema that it is an example of. */
export const examples = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ requestBody, responses }) =>
    [requestBody ?? [], ...Object.values(responses).map(resolved)].flat(),
  )
  .flatMap(({ content }) => Object.values(content))
  .flatMap(({ schema, examples = {} }) =>
    Object.values(examples).map((each) => ({ schema, value: resolved(each).value })),
  );

/** The schema of the answers with a status. */
export function responseSchema({ name, answers }: Operation, status: number): Schema {
  const schema = answers[status] ?? answers[`${String(status)[0]}XX`];
  if (schema === undefined) throw new Error(`${name} describes no answer of status ${status}.`);
  return schema;
}

/** The schema, or other part of the document, that a reference leads to. */
export function resolved<Item extends object>(each: Referenced<Item>): Item {
  if (!("$ref" in each)) return each;
  const [, , kind = "", name = ""] = each.$ref.split("/");
  const found = components[kind]?.[name];
  if (found === undefined) throw new Error(`${each.$ref} leads nowhere.`);
  return found as Item;
}

/** The bodies that the client sends: of those that the service takes, some, where a property says so. */
export function sentBody({ requestBody }: Operation): Schema | undefined {
  const { properties = {}, required = [], ...rest } = requestBody ? resolved<Schema>(requestBody) : {};
  const sent = Object.entries(properties).filter(([, field]) => field["x-client"] !== "never");
  const always = sent.flatMap(([name, field]) => (field["x-client"] === "always" ? name : []));
  return requestBody && { ...rest, properties: Object.fromEntries(sent), required: [...required, ...always] };
}

/** Every field at any depth, such as `entries.cards.name`. */
export function described({ $ref, anyOf = [], items, properties = {} }: Schema): string[] {
  const meant = $ref === undefined ? [] : [resolved<Schema>({ $ref })];
  const inner = [...meant, ...anyOf, ...(items ? [items] : [])].flatMap(described);
  return [...inner, ...Object.entries(properties).flatMap(([name, each]) => below(name, described(each)))];
}

/** A field, and those below it. */
export const below = (name: string, fields: string[]) => [name, ...fields.map((field) => `${name}.${field}`)];

function getJsonSchema({ content }: Body): Schema {
  const json = content["application/json"];
  if (json === undefined) throw new Error("A body without a description of its JSON.");
  return json.schema;
}
