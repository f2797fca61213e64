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
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  /** Sent by known deployments, and not described by the service. */
  readonly "x-tolerated"?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Example {
  readonly value: unknown;
}

interface Body {
  readonly content: Readonly<
    Record<string, { schema: Schema; examples?: Record<string, Example | Reference> }>
  >;
}

interface Reference {
  readonly $ref: string;
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body | Reference>>;
}

interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly responses: Readonly<Record<string, Body>>;
  readonly examples: Readonly<Record<string, Example>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: Components;
}

export const file = join(repository, "docs", "openapi.yaml");
const document: Document = parse(readFileSync(file, "utf8"));
const { components } = document;

export const { schemas } = components;

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

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    name: described.operationId,
    method: method.toUpperCase(),
    path,
    parameters: described.parameters.map((each) =>
      "$ref" in each ? named(components.parameters, each.$ref) : each,
    ),
    requestBody: described.requestBody && jsonOf(described.requestBody),
    answers: Object.fromEntries(
      Object.entries(described.responses).map(([status, each]) => [status, jsonOf(resolved(each))]),
    ),
  })),
);

/** Every example of a body, and the schema that it is an example of. */
export const examples = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ requestBody, responses }) =>
    [requestBody ?? [], ...Object.values(responses).map(resolved)].flat(),
  )
  .flatMap(({ content }) => Object.values(content))
  .flatMap(({ schema, examples = {} }) =>
    Object.values(examples).map((each) => ({
      schema,
      value: "$ref" in each ? named(components.examples, each.$ref).value : each.value,
    })),
  );

export function schemaAt(reference: string): Schema {
  return named(components.schemas, reference);
}

/** The schema of the answers with a status. */
export function responseSchema({ name, answers }: Operation, status: number): Schema {
  const schema = answers[status] ?? answers[`${String(status)[0]}XX`];
  if (schema === undefined) throw new Error(`${name} describes no answer of status ${status}.`);
  return schema;
}

function resolved(answer: Body | Reference): Body {
  return "$ref" in answer ? named(components.responses, answer.$ref) : answer;
}

function jsonOf({ content }: Body): Schema {
  const json = content["application/json"];
  if (json === undefined) throw new Error("A body without a description of its JSON.");
  return json.schema;
}

function named<Item>(all: Readonly<Record<string, Item>>, reference: string): Item {
  const found = all[reference.replace(/^#\/components\/\w+\//, "")];
  if (found === undefined) throw new Error(`${reference} leads nowhere.`);
  return found;
}
