/** The parts of Pulumi's package schema that are written here: https://www.pulumi.com/docs/iac/extending-pulumi/schema/ */

/** What an example declares: a resource, or the result of a function. */
export interface Declaration {
  name: string;
  /** Logical name of a resource; a function has none. */
  label?: string;
  /** The variable that holds it in TypeScript. */
  variable: string;
  args: Value;
  /** The gate that a resource waits for. */
  gate?: Declaration;
}

/** An output of a declaration. */
export interface Reference {
  declaration: Declaration;
  path: (string | number)[];
}

/** What an example declares and exports, in its order. */
export interface Program {
  declarations: Declaration[];
  exports: [name: string, output: Reference][];
}

/** A value in an example. */
export type Value = string | number | boolean | Reference | Value[] | { [name: string]: Value };

export interface TypeSpec {
  type?: string;
  $ref?: string;
  items?: TypeSpec;
  additionalProperties?: TypeSpec;
  oneOf?: TypeSpec[];
}

export interface PropertySpec extends TypeSpec {
  description: string;
  default?: unknown;
  secret?: true;
  willReplaceOnChanges?: true;
}

export interface ObjectSpec {
  type?: "object";
  description?: string;
  properties?: Record<string, PropertySpec>;
  required?: string[];
}

interface EnumSpec {
  type: "string";
  description: string;
  enum: { value: string; description: string }[];
}

export type ComplexSpec = ObjectSpec | EnumSpec;

export interface ResourceSpec extends ObjectSpec {
  description: string;
  inputProperties: Record<string, PropertySpec>;
  requiredInputs?: string[];
  stateInputs?: ObjectSpec;
  isComponent?: true;
  aliases?: { type: string }[];
}

export interface FunctionSpec {
  description: string;
  inputs: ObjectSpec;
  outputs: ObjectSpec;
}

export interface PackageSpec {
  config: { variables: Record<string, PropertySpec> };
  provider: ResourceSpec;
  types: Record<string, ComplexSpec>;
  resources: Record<string, ResourceSpec>;
  functions: Record<string, FunctionSpec>;
  [metadata: string]: unknown;
}
