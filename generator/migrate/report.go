// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	_ "embed"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"text/template"
)

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Name returns Go for the name of the index.
func (a *Answer) Name() string {
	if a.fixed {
		return strconv.Quote(a.Index)
	}
	return a.Index
}

// Alias returns the name of the alias of the object's type.
func (a *Answer) Alias() string { return a.alias }

// Arguments returns the arguments of the query that replaces a read of the index.
func (ix *Index) Arguments() string {
	if strings.HasPrefix(ix.Markers[0], "+index:ref") {
		return "key"
	}
	out := "v"
	for i := range len(ix.Form) - 2 {
		out += fmt.Sprintf(", v%d", i+2)
	}
	return out
}

//go:embed templates.txt
var templateText string

var templates = template.Must(template.New("").Funcs(template.FuncMap{"base": path.Base}).Parse(templateText))

// Text prints the report, with a summary.
func (r *Report) Text(w io.Writer) error {
	marked, needless := 0, 0
	for _, a := range r.Indexes {
		if a.Needless {
			needless++
		} else if len(a.Indexes) > 0 {
			marked++
		}
	}
	return templates.ExecuteTemplate(w, "report", map[string]any{
		"Report": r, "Marked": marked, "Needless": needless, "Not": len(r.Indexes) - marked - needless,
	})
}

// attach gives each answer its reads. Unregistered are those of indexes that nothing adds. Objects can be asked for by
// name and namespace without an index.
func (r *Report) attach(reads []Read) {
	for _, read := range reads {
		found := strings.HasPrefix(read.Index, "metadata.name")
		for _, a := range r.Indexes {
			if a.Index == read.Index && (read.kind == "" || a.object == nil || read.kind == fullName(a.object)) {
				a.Reads = append(a.Reads, read.Position)
				found = true
			}
		}
		if !found {
			r.Unregistered = append(r.Unregistered, read)
		}
	}
}
