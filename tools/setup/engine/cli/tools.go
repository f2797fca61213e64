//go:build tools

// Requires what `pulumi` is built from. For another version: change package.json and go.mod, run `go mod tidy`.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
