// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Target is the cache to which a program adds an index.
type Target string

// The caches whose index functions are found.
const (
	ClientGo          Target = "client-go"
	ControllerRuntime Target = "controller-runtime"
)

// Position is a place in a file. The file is relative to the working directory if it is below it.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Answer is an index that a program adds, and what takes its place.
type Answer struct {
	Position
	Target   Target `json:"target"`
	Index    string `json:"index"` // its name, or the expression that computes it
	Type     string `json:"type"`  // the type of the objects, such as corev1.Pod; "" if it is not known
	Function string `json:"function"`
	// Needless is true for cache.MetaNamespaceIndexFunc, which all our stores have.
	Needless bool       `json:"needless,omitempty"`
	Indexes  []*Index   `json:"indexes,omitempty"`
	Reads    []Position `json:"reads,omitempty"`    // where the index is asked by its name
	Untested bool       `json:"untested,omitempty"` // Write can write no test that calls the function
	// Reason says why there are no markers, and At where in the function.
	Reason string    `json:"reason,omitempty"`
	At     *Position `json:"at,omitempty"`

	object *types.Named // nil if only the function tells
	alias  string       // Type without its package, or with it if another type has the same name
	fixed  bool         // the name of the index is a constant
	of     *function
}

// An Index is an index of markers of one name.
type Index struct {
	Name    string   `json:"name"`    // the method's name after By
	Markers []string `json:"markers"` // several are a union
	// Notes say where the keys differ, and for which objects.
	Notes []string `json:"notes,omitempty"`

	Form []string `json:"-"` // text before, between and after the parts of a key
}

// Report is what Find finds.
type Report struct {
	Indexes []*Answer `json:"indexes"` // in the order of files and lines
	// Unregistered are reads of indexes that the packages do not add.
	Unregistered []Read `json:"unregistered,omitempty"`
}

// Config says what Find reads.
type Config struct {
	Dir      string
	Patterns []string
	Record   string    // a function that registers index functions with a manager, such as ./pkg/indexers.AddToManager
	Progress io.Writer // gets a line before functions run
}

// Find returns the index functions of packages, and who reads the indexes. It runs the functions, in a program that it
// builds elsewhere. It changes nothing.
func Find(ctx context.Context, cfg Config) (*Report, error) {
	p := &program{
		ctx: ctx, dir: cfg.Dir, fset: token.NewFileSet(),
		sources: map[string]*source{}, names: map[string]string{}, defs: map[string][]def{},
	}
	var err error
	if p.requested, err = p.load(cfg.Patterns...); err != nil || len(p.requested) == 0 {
		return nil, cmp.Or(err, fmt.Errorf("no packages with Go files match %s", strings.Join(cfg.Patterns, " ")))
	}
	added, reads, err := p.find()
	if err != nil && len(added) == 0 && cfg.Record == "" {
		return nil, err
	} else if err != nil {
		fmt.Fprintf(cfg.Progress, "indexer-gen: %v\n", err)
	}
	record := &recorder{}
	if cfg.Record != "" {
		if record, err = p.recorder(cfg.Record); err != nil {
			return nil, err
		}
		added = slices.DeleteFunc(added, func(f *function) bool { return record.fn.Scope().Contains(f.fn.Pos()) })
	}
	for i, f := range added {
		if f.ID = strconv.Itoa(i); !f.Needless {
			f.prepare()
		}
	}
	if err := p.learned(added, record, cfg.Progress); err != nil {
		return nil, err
	}
	names, taken := map[string]string{}, map[string]string{} // types, by alias
	out := &Report{}
	for _, f := range append(added, record.found...) {
		a := f.Answer
		if a.of = f; !a.Needless {
			f.understood(names)
		}
		if a.alias = a.Type[strings.Index(a.Type, ".")+1:]; taken[a.alias] != "" && taken[a.alias] != a.Type {
			a.alias = exported(a.Type)
		}
		taken[a.alias] = a.Type
		out.Indexes = append(out.Indexes, a)
	}
	out.attach(reads)
	return out, nil
}

// understood sets what was learned of a function. names holds the names of indexes by type and name, and by type and
// markers: only one index of a type can have the same markers.
func (f *function) understood(names map[string]string) {
	a := f.Answer
	if len(f.Mentions.Types) > 0 {
		a.object = f.Mentions.Types[f.learned.Type]
		a.Type = f.in.prog.name(a.object.Obj().Pkg().Path()) + "." + a.object.Obj().Name()
	}
	if a.Reason = f.learned.Reason; a.Reason != "" {
		return
	}
	words := a.Index
	if !a.fixed || exported(words) == "" {
		words = a.Function
	}
	name := free(a.Type, words, names)
	for _, form := range f.learned.Indexes {
		ix := &Index{Name: name, Notes: form.Notes, Form: form.Form}
		if len(f.learned.Indexes) > 1 {
			ix.Name += exported(form.Form[0])
		}
		for slices.ContainsFunc(a.Indexes, func(o *Index) bool { return o.Name == ix.Name }) {
			ix.Name += strconv.Itoa(len(form.Form) - 1) // the number of its parts
		}
		key := a.Type + strings.Join(slices.Sorted(slices.Values(form.Markers)), " ")
		ix.Name = cmp.Or(names[key], ix.Name)
		names[key], names[a.Type+" "+ix.Name] = ix.Name, ix.Name
		for _, m := range form.Markers {
			ix.Markers = append(ix.Markers, strings.Replace(m, "name=NAME,", "name="+ix.Name+",", 1))
		}
		if canonical := "\x00" + strings.Repeat("/\x00", max(0, len(form.Form)-2)); strings.Join(form.Form, "\x00") != canonical {
			ix.Notes = append(ix.Notes, fmt.Sprintf("keys lose their text %q", strings.Join(form.Form, "…")))
		}
		a.Indexes = append(a.Indexes, ix)
	}
}

// name returns the usual name of a package in imports, such as corev1. Each package has its own.
func (p *program) name(pkg string) string {
	if p.names[pkg] == "" {
		name := cmp.Or(model.VersionedName(pkg, path.Base(pkg)), strings.Join(split(path.Base(pkg)), ""))
		for p.names[name] != "" {
			name += "x"
		}
		p.names[pkg], p.names[name] = name, pkg
	}
	return p.names[pkg]
}

// split returns the words of s, which are letters and digits.
func split(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// free returns a name for an index that no other index of the type has, of the last words that tell enough.
func free(of, index string, names map[string]string) string {
	name, words := "", split(index)
	for i := len(words) - 1; i >= 0; i-- {
		name = exported(strings.Join(words[i:], "."))
		vague := slices.Contains([]string{"name", "namespace", "kind", "group", "uid", "id"}, strings.ToLower(words[i]))
		if !vague && names[of+" "+name] == "" {
			break
		}
	}
	for names[of+" "+name] != "" {
		name += "X"
	}
	return name
}

// exported returns a name in Go for some words.
func exported(s string) string {
	out := ""
	for _, w := range split(s) {
		if slices.Contains([]string{"uid", "id", "url", "ip"}, w) {
			w = strings.ToUpper(w)
		}
		out += strings.ToUpper(w[:1]) + w[1:]
	}
	out = cmp.Or(strings.TrimSuffix(out, "Index"), out)
	if i := strings.LastIndex(out, "By"); i >= 0 && i+2 < len(out) && unicode.IsUpper(rune(out[i+2])) {
		return out[i+2:]
	}
	return out
}

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
