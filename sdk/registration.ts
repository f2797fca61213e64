/** How a resource reaches the engine: by the dynamic provider or, in a native class, by the plugin. */
import type * as pulumi from "@pulumi/pulumi";
import { serializedProvider } from "../provider/dynamic/serializedProvider";
import { dynamicToken, nativeToken, type ResourceType } from "../provider/resourceTypes";
import { assertPluginDeclared } from "./pluginDeclared";

/** A class of resources. */
export interface ResourceClass {
  /** Whether the native plugin serves it. */
  readonly isNative: boolean;
}

interface Registration {
  readonly token: string;
  readonly inputs: pulumi.Inputs;
  /** A stack may come from the other form of the class. */
  readonly aliases: pulumi.Alias[];
}

export function registrationOf(type: ResourceType, { isNative }: ResourceClass): Registration {
  if (!isNative) {
    const inputs = { __provider: serializedProvider(type) };
    return { token: dynamicToken(type), inputs, aliases: [{ type: nativeToken(type) }] };
  }
  assertPluginDeclared();
  return { token: nativeToken(type), inputs: {}, aliases: [{ type: dynamicToken(type) }] };
}
