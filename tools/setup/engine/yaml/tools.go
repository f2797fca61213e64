//go:build tools

// Requires what `pulumi-language-yaml` is built from. For another version: change go.mod and run `go mod tidy`.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
