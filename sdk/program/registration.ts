/** Registers resources with the engine: through the dynamic provider or, for native classes, through the plugin. */
import * as pulumi from "@pulumi/pulumi";
import { serializedProvider } from "../../provider/dynamic/serializedProvider";
import { dynamicToken, nativeToken, type ResourceType } from "../../provider/engine/resourceTypes";
import { assertPluginDeclared } from "./pluginDeclared";
import outputNames from "./outputNames.json";

/** A resource class. */
export interface ResourceClass {
  /** Whether the native plugin serves the class. */
  readonly isNative: boolean;
}

interface Registration {
  readonly token: string;
  /** All outputs, none of them set: Pulumi returns only registered outputs to a program. */
  readonly outputs: pulumi.Inputs;
  readonly inputs: pulumi.Inputs;
  /** A stack may contain resources of the other form of the class. */
  readonly aliases: pulumi.Alias[];
}

export function registrationOf(type: ResourceType, { isNative }: ResourceClass): Registration {
  const outputs = Object.fromEntries(outputNames[type].map((name) => [name, undefined]));
  if (!isNative) {
    const inputs = {
      __provider: serializedProvider(type),
      // A dynamic provider learns by it that the engine previews, and which values it may show.
      ...(pulumi.runtime.isDryRun() && { __preview: {} }),
    };
    return { token: dynamicToken(type), outputs, inputs, aliases: [{ type: nativeToken(type) }] };
  }
  assertPluginDeclared();
  return { token: nativeToken(type), outputs, inputs: {}, aliases: [{ type: dynamicToken(type) }] };
}
