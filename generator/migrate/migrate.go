// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"go/types"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
	"github.com/indexer-gen/indexer-gen/generator/progress"
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
	Uses     []Position `json:"uses,omitempty"`     // where else the function is used
	TestUses []Position `json:"testUses,omitempty"` // where tests of its package use its name
	// Unseen are the conditions of the function that were always true, or always false, for the objects that were compared.
	Unseen []string `json:"unseen,omitempty"`
	// MapFunctions are functions from objects to requests that ask the index.
	MapFunctions []*MapFunction `json:"mapFunctions,omitempty"`
	// Reason says why there are no markers of paths, and At where in the function.
	Reason string    `json:"reason,omitempty"`
	At     *Position `json:"at,omitempty"`
	// Keyed is the marker +index:func, if the function returns keys that no path gives. If Write can copy the function,
	// Indexes has this marker, too.
	Keyed string `json:"keyed,omitempty"`

	Alias            string       `json:"-"` // Type without its package, or with it if another type has the same name
	objectType       *types.Named // nil if only the function tells
	hasConstantName  bool         // the name of the index is a constant
	function         *indexFunction
	unambiguousReads []Read // that ask no index of another type
}

// An Index is an index of markers of one name.
type Index struct {
	Name    string   `json:"name"`    // in the markers
	Method  string   `json:"method"`  // the query
	Markers []string `json:"markers"` // several are a union
	// Notes say where the keys differ, and for which objects.
	Notes []string `json:"notes,omitempty"`
	Field string   `json:"field"` // its name in the cache
	// State is the key of the objects that the query of a state returns.
	State string `json:"state,omitempty"`
	// Shared is true if an answer before has the same index.
	Shared bool `json:"shared,omitempty"`

	keyPartCount int // the number of the query's arguments
}

// Report is what Find finds.
type Report struct {
	Indexes []*Answer `json:"indexes"` // in the order of files and lines
	// Unregistered are reads of indexes that the packages do not add.
	Unregistered []Read `json:"unregistered,omitempty"`
	// Broken says which packages do not compile, each reason once.
	Broken error `json:"-"`
}

// Config says what Find reads.
type Config struct {
	Dir      string
	Patterns []string
	Progress io.Writer // gets lines before and while packages compile and functions run
}

// Find returns the index functions of packages, and who reads the indexes. It runs the functions, in a program that it
// builds elsewhere. It changes nothing.
func Find(ctx context.Context, cfg Config) (*Report, error) {
	p := newProgram(ctx, cfg.Dir)
	added, reads, err := p.loadIndexFunctions(cfg)
	if err != nil {
		return nil, err
	}
	if err := p.learnFunctions(added, cfg.Progress); err != nil {
		return nil, err
	}
	defer progress.Start(cfg.Progress, "checking the markers")()
	out := newReportFillingAnswers(added)
	for refused := true; refused; out = newReportFillingAnswers(added) {
		if refused, err = downgradeRefusedMarkers(ctx, out.Indexes); err != nil {
			return nil, err
		}
	}
	out.distributeReads(reads)
	out.Broken = errors.Join(p.compileErrors...)
	return out, nil
}

// newReportFillingAnswers returns the answers for functions.
func newReportFillingAnswers(functions []*indexFunction) *Report {
	indexes, taken := map[string]*Index{}, map[string]string{} // taken has types, by alias
	wordsByType := map[string][]string{}                       // the words for names of indexes
	for _, f := range functions {
		if f.function = f; !f.Needless && len(f.Mentions.Types) > 0 {
			f.objectType = f.Mentions.Types[f.learnedAnswer.Type]
			f.Type = f.pkg.program.uniqueImportName(f.objectType.Obj().Pkg().Path()) + "." + f.objectType.Obj().Name()
			wordsByType[f.Type] = append(wordsByType[f.Type], f.nameWords())
		}
	}
	out := &Report{}
	for _, f := range functions {
		a := f.Answer
		if !a.Needless {
			f.fillAnswer(wordsByType[a.Type], indexes)
		}
		if a.Alias = a.Type[strings.Index(a.Type, ".")+1:]; taken[a.Alias] != "" && taken[a.Alias] != a.Type {
			a.Alias = indexNameFromWords(a.Type)
		}
		taken[a.Alias] = a.Type
		out.Indexes = append(out.Indexes, a)
	}
	return out
}

// nameWords returns the name of the index in its cache, or of the function if that tells more.
func (f *indexFunction) nameWords() string {
	if !f.hasConstantName || indexNameFromWords(f.Index) == "" {
		return f.Function
	}
	return f.Index
}

// loadIndexFunctions returns the index functions of the packages, with what their source mentions, and the places that
// ask an index.
func (p *program) loadIndexFunctions(cfg Config) (added []*indexFunction, reads []Read, err error) {
	defer progress.Start(cfg.Progress, "loading packages")()
	if p.requestedPackages, err = p.loadPackages(cfg.Patterns...); err != nil || len(p.requestedPackages) == 0 {
		return nil, nil, cmp.Or(err, fmt.Errorf("no packages with Go files match %s", strings.Join(cfg.Patterns, " ")))
	}
	if added, reads = p.findRegistrationsAndReads(); len(p.compileErrors) > 0 && len(added) == 0 {
		return nil, nil, errors.Join(p.compileErrors...)
	}
	p.noteOtherUsesWithTests(added)
	for i, f := range added {
		if f.ID = strconv.Itoa(i); !f.Needless {
			f.copyAndReadMentions()
		}
	}
	return added, reads, nil
}

// fillAnswer sets what was learned of a function. The map has each index three times: by its type with its name, with its
// field, and with its markers, which only one index of a type can have.
func (f *indexFunction) fillAnswer(allNameWordsOfType []string, known map[string]*Index) {
	a, forms := f.Answer, f.learnedAnswer.Indexes
	if a.Reason, a.Keyed, a.Indexes = f.learnedAnswer.Reason, "", nil; f.learnedAnswer.Keyed {
		forms = []learn.Index{{Markers: []string{"+index:func:name=NAME"}, Parts: 1}}
	}
	if a.Reason == "" {
		a.Unseen = f.unseenConditionNotes()
	}
	name := distinctNameOfLastSteps(f.nameWords(), allNameWordsOfType)
	var fields []string // of several forms
	for _, form := range forms {
		key := strings.Join(append(slices.Sorted(slices.Values(form.Markers)), a.Type), " ")
		ix := Index{Name: name, keyPartCount: form.Parts}
		if len(forms) > 1 && form.State != "true" {
			ix.Name += indexNameFromWords(form.State)
		}
		for i, first := 2, ix.Name; known[a.Type+" "+ix.Name] != nil; i++ {
			ix.Name = first + strconv.Itoa(i)
		}
		if ix.Method = ix.Name; ix.keyPartCount > 0 {
			ix.Method = "By" + ix.Name
		}
		if first := known[key]; first != nil && !f.learnedAnswer.Keyed {
			ix = *first
			ix.Shared = true
		} else {
			// Of several indexes none has the name, so that the cache refuses readers that ask only one.
			ix.Field = ix.Method
			if a.hasConstantName && len(forms) == 1 && a.Index != "namespace" && known[a.Type+"\n"+a.Index] == nil {
				ix.Field = a.Index
			}
			plain, _, _ := strings.Cut(form.Markers[0], ",omitempty=true")
			several := func(r learn.Row) bool { return len(r.Keys) > 1 } // as of a list, whose index has another name
			for i, m := range form.Markers {
				if i == 0 && (plain != "+index:name=NAME,path=."+ix.Field || len(form.Markers) > 1 || slices.ContainsFunc(f.learnedAnswer.Rows, several)) {
					m += ",indexName=" + strconv.Quote(ix.Field)
				}
				ix.Markers = append(ix.Markers, strings.Replace(m, "NAME", ix.Name, 1))
			}
			known[key], known[a.Type+" "+ix.Name], known[a.Type+"\n"+ix.Field] = &ix, &ix, &ix
		}
		if ix.Notes, ix.State = form.Notes, form.State; len(forms) > 1 {
			fields = append(fields, strconv.Quote(ix.Field))
		} else if ix.Field != a.Index {
			ix.Notes = append(ix.Notes, fmt.Sprintf("the emitted index is named %q", ix.Field))
		}
		a.Indexes = append(a.Indexes, &ix)
	}
	if len(fields) > 0 {
		a.Indexes[0].Notes = append(a.Indexes[0].Notes, fmt.Sprintf(
			"keys have %d forms, so readers must ask an index for each; they are named %s", len(forms), strings.Join(fields, " and ")))
	}
	for _, i := range f.learnedAnswer.OtherTypes {
		note := "the function has keys for objects of " + fullTypeName(f.Mentions.Types[i]) + ", too, and the index has not"
		a.Indexes[0].Notes = append(a.Indexes[0].Notes, note)
	}
	if f.learnedAnswer.Keyed {
		if a.Keyed = a.Indexes[0].Markers[0]; f.Moved == "" {
			delete(known, a.Type+"\n"+a.Indexes[0].Field)
			a.Indexes = nil
		}
	}
}

// Compared returns the answers that were compared for both ways of all conditions, with those whose index is accepted, and
// the others that have markers.
func (r *Report) Compared(accepted []string) (compared, omitted []*Answer) {
	for _, a := range r.Indexes {
		if len(a.Unseen) == 0 || slices.Contains(accepted, a.Index) {
			compared = append(compared, a)
		} else if len(a.Indexes) > 0 {
			omitted = append(omitted, a)
		}
	}
	return compared, omitted
}

// Rows returns objects with the keys that the function returned.
func (a *Answer) Rows() []learn.Row { return a.function.learnedAnswer.Rows }

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Name returns Go for the name of the index.
func (a *Answer) Name() string {
	if a.hasConstantName {
		return strconv.Quote(a.Index)
	}
	return a.Index
}

// Declaration returns the Go below the markers: an alias, or the head of a function.
func (a *Answer) Declaration() string {
	if a.Keyed != "" {
		return fmt.Sprintf("func keysOf%s%s(obj *%[1]s) []string", a.Alias, a.Indexes[0].Name)
	}
	return a.aliasDeclaration()
}

// FunctionExpr returns Go for the emitted index function.
func (a *Answer) FunctionExpr() string {
	_, function := a.emittedExprs("")
	return function
}

func (a *Answer) aliasDeclaration() string { return "type " + a.Alias + " = " + a.Type }

// Query returns the call of the query that replaces a read of the index.
func (ix *Index) Query(args ...string) string {
	if ix.keyPartCount > 2 || ix.IsReference() {
		args = append(args, "key")
	} else {
		args = append(args, []string{"v", "v2"}[:ix.keyPartCount]...)
	}
	return ix.Method + "(" + strings.Join(args, ", ") + ")"
}

// IsReference reports whether the index is of references, which have a map function.
func (ix *Index) IsReference() bool { return strings.HasPrefix(ix.Markers[0], "+index:ref") }

//go:embed templates.txt
var templateText string

var templates = template.Must(template.New("").Funcs(template.FuncMap{"base": path.Base, "json": jsonLiteral}).Parse(templateText))

// Text prints the report, with a summary.
func (r *Report) Text(w io.Writer) error {
	needless, keyed, marked := 0, 0, 0
	for _, a := range r.Indexes {
		if a.Needless {
			needless++
		} else if a.Keyed != "" {
			keyed++
		} else if len(a.Indexes) > 0 {
			marked++
		}
	}
	return templates.ExecuteTemplate(w, "report", map[string]any{
		"Report": r, "Marked": marked, "Keyed": keyed, "Needless": needless, "Not": len(r.Indexes) - marked - keyed - needless,
	})
}

// distributeReads gives each answer its reads. Unregistered are those of indexes that nothing adds. Objects can be
// asked for by name and namespace without an index.
func (r *Report) distributeReads(reads []Read) {
	for _, read := range reads {
		of := slices.DeleteFunc(slices.Clone(r.Indexes), func(a *Answer) bool {
			return a.Index != read.Index || a.Target != read.target || read.fullObjectTypeName != "" && a.objectType != nil && read.fullObjectTypeName != fullTypeName(a.objectType)
		})
		for _, a := range of {
			a.Reads = append(a.Reads, read.Position)
			if read.mapFunction != nil {
				a.MapFunctions = append(a.MapFunctions, read.mapFunction)
			}
			if !slices.ContainsFunc(of, func(o *Answer) bool { return o.Type != a.Type }) {
				a.unambiguousReads = append(a.unambiguousReads, read)
			}
		}
		if len(of) == 0 && !strings.HasPrefix(read.Index, "metadata.name") {
			r.Unregistered = append(r.Unregistered, read)
		}
	}
}
