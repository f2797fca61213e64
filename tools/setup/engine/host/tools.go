//go:build tools

// Requires what `pulumi-language-nodejs` and `pulumi-language-python` are built from. After a change of go.mod run `go mod tidy`.
package tools

import (
	_ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
	_ "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"
)
