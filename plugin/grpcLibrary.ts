/**
 * Exports gRPC and its messages from the dependencies of @pulumi/pulumi. This package therefore needs no dependency on gRPC, and no package
 * manager can install a second copy.
 */
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as AnyMessages from "google-protobuf/google/protobuf/any_pb";
import type * as EmptyMessages from "google-protobuf/google/protobuf/empty_pb";
import type * as StructMessages from "google-protobuf/google/protobuf/struct_pb";

const pulumiRequire = createRequire(require.resolve("@pulumi/pulumi/package.json"));

export const grpc = pulumiRequire("@grpc/grpc-js") as typeof Grpc;
export const { Any } = pulumiRequire("google-protobuf/google/protobuf/any_pb") as typeof AnyMessages;
export const { Empty } = pulumiRequire("google-protobuf/google/protobuf/empty_pb") as typeof EmptyMessages;
export const { Struct } = pulumiRequire("google-protobuf/google/protobuf/struct_pb") as typeof StructMessages;

export type { Grpc, StructMessages };
