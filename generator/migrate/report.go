// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/token"
	"io"
	"strings"
)

func (p *program) short(at token.Position) Position { return Position{at.Filename, at.Line, at.Column} }

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Text prints the report, with a summary.
func (r *Report) Text(w io.Writer) {
	answers := r.Indexes
	marked, needless := 0, 0
	for _, a := range answers {
		fmt.Fprintf(w, "%s: index %q of %s in %s: %s\n", a.Position, a.Index, orUnknown(a.Type), a.Target, a.Function)
		switch {
		case a.Needless:
			needless++
			fmt.Fprintln(w, "\tneeds no marker: every lister has List of a namespace")
		case len(a.Indexes) == 0:
			where := ""
			if a.At != nil {
				where = a.At.String() + ": "
			}
			fmt.Fprintf(w, "\tnot understood: %s%s\n", where, a.Reason)
		default:
			marked++
			for _, ix := range a.Indexes {
				for _, m := range ix.Markers {
					fmt.Fprintf(w, "\t// %s\n", m)
				}
				for _, n := range ix.Notes {
					fmt.Fprintf(w, "\tnote: %s\n", n)
				}
			}
			_, name, _ := strings.Cut(a.Type, ".")
			fmt.Fprintf(w, "\ttype %s = %s\n", name, a.Type)
			before, after := a.queries(a.Indexes[0])
			fmt.Fprintf(w, "\tbefore: %s\n\tafter:  %s\n", before, after)
		}
		if len(a.Reads) == 0 && !a.Needless {
			fmt.Fprintln(w, "\tread nowhere in these packages by a constant name")
		}
		for _, at := range a.Reads {
			fmt.Fprintf(w, "\tread at %s\n", at)
		}
	}
	for _, read := range r.Unregistered {
		fmt.Fprintf(w, "%s: index %q is read, and these packages do not add it\n", read.Position, read.Index)
	}
	fmt.Fprintf(w, "%d indexes: %d have markers, %d need none, %d are not understood\n", len(answers), marked, needless,
		len(answers)-marked-needless)
}

func orUnknown(s string) string {
	if s == "" {
		return "an unknown type"
	}
	return s
}
