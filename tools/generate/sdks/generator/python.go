package main

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

//go:embed README.python.md
var pythonReadme string

// What the helper types are of: users write dictionaries, and need only one of these classes.
const pythonDir = `

def __dir__():
    """Resources, functions and enums. The helper types can still be imported by their names."""
    from types import ModuleType

    helpers = set(_inputs.__all__) - {"IncidentTimelineEntryArgs"}
    return sorted(
        name
        for name, value in globals().items()
        if name not in helpers
        and not name.startswith("Awaitable")
        and (name.startswith("__") or not name.startswith("_"))
        and (name in ("config", "outputs") or not isinstance(value, ModuleType))
    )
`

var (
	quotedName   = regexp.MustCompile("(operation )?`[a-z]+[A-Z][A-Za-z]*`")
	codeBlock    = regexp.MustCompile("(?s)```.*?```")
	resourceDocs = regexp.MustCompile(
		`(?s)(\nclass \w+\(pulumi\.(?:Custom|Component|Provider)Resource\):\n)(.*?\n        """\n)(.*?)\n        """`)
	parameters = regexp.MustCompile(`(?s)\n+        :param.*`)
)

// The files of the SDK for Python.
func pythonFiles(text string) (map[string][]byte, error) {
	pkg, err := bind(inPython(text))
	if err != nil {
		return nil, err
	}
	files, err := python.GeneratePackage(tool, pkg, nil, nil)
	if err != nil {
		return nil, err
	}
	// Where pyproject.toml expects it.
	files["README.md"] = []byte(pythonReadme)
	files["pulumi_monitoring/README.md"] = []byte(pythonReadme)
	for name, file := range files {
		if strings.HasSuffix(name, ".py") {
			files[name] = []byte(resourceDocs.ReplaceAllStringFunc(string(file), withClassDocs))
		}
	}
	const entry = "pulumi_monitoring/__init__.py"
	start, rest, _ := strings.Cut(string(files[entry]), "\nimport ")
	files[entry] = []byte(start + "\n\"\"\"" + pkg.Description + "\"\"\"\n\nimport " + strings.TrimRight(rest, "\n") + "\n" + pythonDir)
	return files, nil
}

// The documentation of the schema, with the names of arguments and options as they are in Python. The operations of the API
// and the code of the examples keep theirs.
func inPython(text string) string {
	examples := codeBlock.FindAllString(text, -1)
	return interleave(codeBlock.Split(text, -1), examples, func(prose string) string {
		return quotedName.ReplaceAllStringFunc(prose, func(quoted string) string {
			if strings.HasPrefix(quoted, "operation ") {
				return quoted
			}
			return "`" + python.PyName(strings.Trim(quoted, "`")) + "`"
		})
	})
}

func interleave(texts, between []string, change func(string) string) string {
	var all strings.Builder
	for i, each := range texts {
		all.WriteString(change(each))
		if i < len(between) {
			all.WriteString(between[i])
		}
	}
	return all.String()
}

// Python shows the documentation of a class at run time, but not that of an overload, where the generator puts it.
func withClassDocs(class string) string {
	parts := resourceDocs.FindStringSubmatch(class)
	docs := strings.ReplaceAll(parameters.ReplaceAllString(parts[3], ""), "\n        ", "\n    ")
	head := "    \"\"\"\n    " + strings.TrimPrefix(docs, "        ") + "\n    \"\"\"\n"
	return parts[1] + head + strings.TrimPrefix(class, parts[1])
}

// The package of a schema.
func bind(text string) (*schema.Package, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal([]byte(text), &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewPluginLoader(nil), schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	return pkg, nil
}
