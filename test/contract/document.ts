/** Reads the parts of the API's description in `docs/openapi.yaml` that the contract tests need. */
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
  /** True if known deployments send the field, although the service doesn't describe it. */
  readonly "x-optional"?: boolean;
  readonly "x-tolerated"?: boolean;
  /** Specifies whether the client sends the field, if the service accepts requests with and without it. */
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

/** One operation. All references except those to schemas are resolved. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: Schema | undefined;
  /** Responses by status, such as `404`, or by its first digit, such as `4XX`. */
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

/** Every example of a body, with its schema. */
export const examples = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ requestBody, responses }) =>
    [requestBody ?? [], ...Object.values(responses).map(resolved)].flat(),
  )
  .flatMap(({ content }) => Object.values(content))
  .flatMap(({ schema, examples = {} }) =>
    Object.values(examples).map((each) => ({ schema, value: resolved(each).value })),
  );

/** Returns the schema of responses with a status. */
export function responseSchema({ name, answers }: Operation, status: number): Schema {
  const schema = answers[status] ?? answers[`${String(status)[0]}XX`];
  if (schema === undefined) throw new Error(`${name} describes no answer of status ${status}.`);
  return schema;
}

/** Returns the schema or other part of the document that a reference refers to. */
export function resolved<Item extends object>(each: Referenced<Item>): Item {
  if (!("$ref" in each)) return each;
  const [, , kind = "", name = ""] = each.$ref.split("/");
  const found = components[kind]?.[name];
  if (found === undefined) throw new Error(`${each.$ref} leads nowhere.`);
  return found as Item;
}

/** Returns the schema of the bodies that the client sends. It is narrower than the service's schema if a property has `x-client`. */
export function sentBody({ requestBody }: Operation): Schema | undefined {
  const { properties = {}, required = [], ...rest } = requestBody ? resolved<Schema>(requestBody) : {};
  const sent = Object.entries(properties).filter(([, field]) => field["x-client"] !== "never");
  const always = sent.flatMap(([name, field]) => (field["x-client"] === "always" ? name : []));
  return requestBody && { ...rest, properties: Object.fromEntries(sent), required: [...required, ...always] };
}

/** Returns every field at any depth, such as `entries.cards.name`. */
export function described({ $ref, anyOf = [], items, properties = {} }: Schema): string[] {
  const meant = $ref === undefined ? [] : [resolved<Schema>({ $ref })];
  const inner = [...meant, ...anyOf, ...(items ? [items] : [])].flatMap(described);
  return [...inner, ...Object.entries(properties).flatMap(([name, each]) => below(name, described(each)))];
}

/** Returns a field and the fields below it. */
export const below = (name: string, fields: string[]) => [name, ...fields.map((field) => `${name}.${field}`)];

function getJsonSchema({ content }: Body): Schema {
  const json = content["application/json"];
  if (json === undefined) throw new Error("A body without a description of its JSON.");
  return json.schema;
}
