// Generates the SDKs of a Pulumi package for Python and Go, by the libraries of Pulumi's engine:
//
//	generator SCHEMA FOLDER
//
// writes FOLDER/python and FOLDER/go, and beside them an archive of each for a release.
package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
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
	spec, err := parse(string(text))
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
	// The name of the first is the one that Python's packaging gives a source distribution.
	if err := write(folder, "python", "pulumi_monitoring-"+spec.Version, forPython); err != nil {
		return err
	}
	return write(folder, "go", "pulumi-monitoring-go-"+spec.Version, forGo)
}

func parse(text string) (schema.PackageSpec, error) {
	var spec schema.PackageSpec
	err := json.Unmarshal([]byte(text), &spec)
	return spec, err
}

// Writes the files of an SDK, and an archive that holds them in a folder of its name. The same files make the same archive.
func write(folder, language, name string, files map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	archive, err := os.Create(filepath.Join(folder, name+".tar.gz"))
	if err != nil {
		return err
	}
	defer archive.Close()
	compressed := gzip.NewWriter(archive)
	packed := tar.NewWriter(compressed)
	for _, each := range slices.Sorted(maps.Keys(files)) {
		text := files[each]
		file := filepath.Join(folder, language, filepath.FromSlash(each))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
		header := tar.Header{Name: path.Join(name, each), Mode: 0o644, Size: int64(len(text))}
		if err := packed.WriteHeader(&header); err != nil {
			return err
		}
		if _, err := packed.Write(text); err != nil {
			return err
		}
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return compressed.Close()
}
