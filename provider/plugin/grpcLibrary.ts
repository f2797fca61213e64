/**
 * gRPC and its messages as @pulumi/pulumi brings them, so that this package needs no dependency of its own for them
 * and no package manager can install a second copy.
 */
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as AnyMessages from "google-protobuf/google/protobuf/any_pb";
import type * as EmptyMessages from "google-protobuf/google/protobuf/empty_pb";
import type * as StructMessages from "google-protobuf/google/protobuf/struct_pb";

const pulumiRequire = createRequire(require.resolve("@pulumi/pulumi/package.json"));
const load = <T>(name: string): T => pulumiRequire(name) as T;

export const grpc = load<typeof Grpc>("@grpc/grpc-js");
export const { Any } = load<typeof AnyMessages>("google-protobuf/google/protobuf/any_pb");
export const { Empty } = load<typeof EmptyMessages>("google-protobuf/google/protobuf/empty_pb");
export const { Struct } = load<typeof StructMessages>("google-protobuf/google/protobuf/struct_pb");

export type { Grpc, StructMessages };
