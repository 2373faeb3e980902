// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"go/ast"
	"go/token"
	"iter"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// groupOrVersionMarker is a comment line that is +groupName=V or +versionName=V.
type groupOrVersionMarker struct {
	name, value string
	pos         token.Pos // of the +
}

func (m groupOrVersionMarker) String() string { return "+" + m.name + "=" + m.value }

// readGroupOrVersionMarker parses such a line. The value may be quoted, as in controller-gen.
func readGroupOrVersionMarker(c *ast.Comment) (groupOrVersionMarker, bool) {
	text, isLine := strings.CutPrefix(c.Text, "//")
	text = strings.TrimSpace(text)
	for _, name := range []string{marker.GroupName, marker.VersionName} {
		if value, ok := strings.CutPrefix(text, "+"+name+"="); ok && isLine {
			return groupOrVersionMarker{name, unquoteValue(value), c.Pos() + token.Pos(strings.Index(c.Text, "+"))}, true
		}
	}
	return groupOrVersionMarker{}, false
}

// unquoteValue returns the value of a marker without its quotes, if any.
func unquoteValue(value string) string {
	value = strings.TrimSpace(value)
	if text, err := strconv.Unquote(value); err == nil && value[0] != '\'' {
		return text
	}
	return value
}

// valueError returns the reason why the value is not a valid group or version, or "".
func (m groupOrVersionMarker) valueError() string {
	return groupOrVersionError(m.name == marker.GroupName, m.value)
}

// locatedPackageMarkers returns the markers of one name that controller-tools attributes to the
// package, in source order. It searches for their positions, which controller-tools does
// not keep.
func locatedPackageMarkers(
	pkg *loader.Package, kube map[ast.Node]markers.MarkerValues, name string,
) (out []groupOrVersionMarker) {
	for _, file := range pkg.Syntax {
		var counted []string
		for _, v := range kube[file][name] {
			counted = append(counted, unquoteValue(string(v.(markers.RawArguments))))
		}
		for c, group := range commentLines(file) {
			m, ok := readGroupOrVersionMarker(c)
			if !ok || m.name != name || len(counted) == 0 {
				continue
			}
			_, doc := markableOrNilByDoc(file)[group]
			if i := slices.Index(counted, m.value); !doc && i >= 0 {
				counted = slices.Delete(counted, i, i+1)
				out = append(out, m)
			}
		}
	}
	return out
}

// groupVersion is the group and version in the comment of a type; nil if not stated.
type groupVersion struct{ group, version *string }

// readCommentGroupVersion reads +groupName and +versionName in the doc comment of a type, and reports
// invalid values. Controller-tools attributes these markers to the package if they are in a
// separate comment above the type. That is reported if the type is usually of another group.
func (r *Root) readCommentGroupVersion(p *load.Program) (own groupVersion) {
	foreign := r.Home != r.Pkg || r.Slim != "" || r.Converted
	r.markerComments(func(c *ast.Comment, isDoc bool) {
		m, ok := readGroupOrVersionMarker(c)
		said := &own.group
		if m.name == marker.VersionName {
			said = &own.version
		}
		switch {
		case !ok:
			return
		case !isDoc && (!foreign || p.Report.Has(m.pos)):
			return
		case !isDoc:
			p.Report.At(m.pos,
				"%s is not in the comment right above %s; move it there",
				m, r.Obj.Name())
			return
		case *said != nil && **said != m.value:
			p.Report.At(m.pos, "%s contradicts +%s=%s in the same comment; keep one of them", m, m.name,
				**said)
		case m.valueError() != "":
			p.Report.At(m.pos, "%s %s", m, m.valueError())
		}
		*said = &m.value
	})
	return own
}

// markableOrNilByDoc maps the doc comments of a file to their declarations, or to nil if the
// declaration cannot be marked.
func markableOrNilByDoc(file *ast.File) map[*ast.CommentGroup]ast.Node {
	out := map[*ast.CommentGroup]ast.Node{}
	for _, a := range marker.AnchorsOf(file) {
		out[a.Doc] = a.Node
	}
	return out
}

// commentLines yields the comments of a file, line by line, each with its group.
func commentLines(file *ast.File) iter.Seq2[*ast.Comment, *ast.CommentGroup] {
	return func(yield func(*ast.Comment, *ast.CommentGroup) bool) {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if !yield(c, group) {
					return
				}
			}
		}
	}
}
