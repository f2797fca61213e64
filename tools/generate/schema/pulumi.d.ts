/** The parts of Pulumi's package schema that the generator writes: https://www.pulumi.com/docs/iac/extending-pulumi/schema/ */

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
  plain?: true;
  willReplaceOnChanges?: true;
}

export interface ObjectSpec {
  type?: "object";
  $ref?: string;
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
