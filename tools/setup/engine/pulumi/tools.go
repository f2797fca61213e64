//go:build tools

// Requires what `pulumi` and `pulumi-language-yaml` are built from. For another version: change package.json and go.mod, run `go mod tidy`.
package tools

import (
	_ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
	_ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
)
