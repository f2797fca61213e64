// Generates the SDKs of a Pulumi package for Python and Go, by the libraries of Pulumi's engine:
//
//	generator SCHEMA FOLDER
//
// writes FOLDER/python and FOLDER/go.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
)

const tool = "pulumi-monitoring-service"

// What Pulumi's SDK needs: the generated go.mod has 1.25, which Go 1.25.0 takes and then refuses.
const oldestGo = "1.25.11"

var goVersion = regexp.MustCompile(`(?m)^go [\d.]+$`)

func main() {
	if err := generate(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(file, folder string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	pkg, err := bind(string(text))
	if err != nil {
		return err
	}
	forPython, err := pythonFiles(string(text))
	if err != nil {
		return err
	}
	forGo, err := golang.GeneratePackage(tool, pkg, nil)
	if err != nil {
		return err
	}
	forGo["go.mod"] = goVersion.ReplaceAll(forGo["go.mod"], []byte("go "+oldestGo))
	if err := write(filepath.Join(folder, "python"), forPython); err != nil {
		return err
	}
	return write(filepath.Join(folder, "go"), forGo)
}

func write(folder string, files map[string][]byte) error {
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
