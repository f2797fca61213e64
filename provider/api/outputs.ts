/**
 * Maps the objects of the API, including both kinds of status pages, to the outputs of observed resources and data sources, in camelCase.
 */
import { z } from "zod";
import { castSchema } from "../problems";
import {
  type Component,
  component,
  type ComponentPage,
  componentPage,
  isScalar,
  type StatusPage,
  statusPage,
} from "./objects";

/** The documented fields of an object of the service, in camelCase. */
type Documented<ApiObject> = {
  [Name in keyof ApiObject & string as CamelCase<Name>]: OutputOf<ApiObject[Name]>;
};

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
type OutputOf<Value> =
  NonNullable<Value> extends readonly (infer Item)[]
    ? OutputOf<Item>[]
    : Value extends string | number | boolean
      ? Value
      : Value extends object
        ? Documented<Value>
        : Value;

/**
 * Maps an object of the service to outputs. A missing list becomes an empty list. Drops undocumented fields, because they could contain a
 * credential, and no program could read them.
 */
export function toDocumented<
  Shape extends z.core.$ZodShape,
  ApiObject extends { [Name in keyof Shape]?: unknown },
>(schema: z.ZodObject<Shape>, object: ApiObject): Documented<Pick<ApiObject, keyof Shape & keyof ApiObject>>;
export function toDocumented(schema: z.ZodObject, object: object): Properties {
  return createFieldsMapper(schema)(object);
}

type Properties = Readonly<Record<string, unknown>>;

function createFieldsMapper(schema: z.ZodObject): (object: object) => Properties {
  const fields = getShape(schema).map(([name, field]) => ({
    name,
    output: toCamelCase(name),
    map: createValueMapper(field),
  }));
  return (object) => {
    const values = new Map(Object.entries(object));
    return Object.fromEntries(fields.map(({ name, output, map }) => [output, map(values.get(name))]));
  };
}

function createValueMapper(schema: Schema): (value: unknown) => unknown {
  const output = unwrapOptional(schema);
  if (output instanceof z.ZodArray) {
    const map = createValueMapper(output.element);
    return (value) => (Array.isArray(value) ? value.map(map) : []);
  }
  if (output instanceof z.ZodObject) {
    const mapFields = createFieldsMapper(output);
    return (value) => (typeof value === "object" && value !== null ? mapFields(value) : value);
  }
  // `config` is a record and stays unchanged. The caller redacts it, unless a program requests the credentials.
  if (output instanceof z.ZodRecord) return (value) => value;
  return (value) => (isScalar(value) ? value : undefined);
}

export type Schema = z.core.$ZodType;

/** Returns the schema of a value that is neither undefined nor null. */
export function unwrapOptional(schema: Schema): Schema {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapOptional(schema.unwrap())
    : schema;
}

/** Returns the names of the outputs of an object; empty when any name is possible. */
export function listFieldNames(schema: Schema): string[] {
  return schema instanceof z.ZodObject ? getShape(schema).map(([name]) => toCamelCase(name)) : [];
}

/** Returns the schema of the output with this name; undefined if the object has no such output. */
export function findField(schema: Schema, name: string): Schema | undefined {
  if (schema instanceof z.ZodRecord) return schema.valueType;
  if (!(schema instanceof z.ZodObject)) return undefined;
  return getShape(schema).find(([field]) => toCamelCase(field) === name)?.[1];
}

function getShape({ shape }: z.ZodObject): [name: string, field: Schema][] {
  return Object.entries(shape);
}

/** Converts a name in snake case. Other underscores stay, such as those of `__defaults`. */
export function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A status page of either kind. */
export type AnyPage = PageWithCards | PageWithComponents;

interface PageWithCards extends StatusPage {
  readonly version: 2;
}

interface PageWithComponents extends ComponentPage {
  readonly version: 3;
  /** The same page in the list of pages with cards, which can contain it during a migration. */
  readonly migratedFrom: StatusPage | undefined;
}

/** All outputs of pages of both kinds. */
export const pageOutputs = z
  .object({
    ...statusPage.shape,
    ...componentPage.shape,
    version: z.number(),
    components: z.array(castSchema<Component>(component)).nullish(),
  })
  .omit({ id: true });

/**
 * Maps a page to outputs. Only includes the outputs of its kind.
 * @param components Without this list, the outputs contain no components.
 */
export function toDocumentedPage(page: AnyPage, components?: readonly Component[]) {
  if (page.version === 2) return { ...toDocumented(statusPage, page), version: page.version };
  return {
    ...toDocumented(componentPage, page),
    version: page.version,
    ...(components && { components: components.map((each) => toDocumented(component, each)) }),
  };
}
