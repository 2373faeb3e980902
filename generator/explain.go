// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// RootType describes a root type. The names in JSON are stable.
type RootType struct {
	Kind     string      `json:"kind"`
	Group    string      `json:"group"`   // "" for the core group, or if unknown
	Version  string      `json:"version"` // "" if unknown
	Resource string      `json:"resource"`
	Scope    string      `json:"scope"`   // Namespaced or Cluster
	Package  string      `json:"package"` // import path of the package that has the type
	At       string      `json:"at"`      // file:line:column of the type's name
	Emitted  bool        `json:"emitted"`
	Lister   string      `json:"lister,omitempty"` // the emitted type that has the methods
	Reason   string      `json:"reason,omitempty"` // why no code is emitted for it
	Indexes  []IndexInfo `json:"indexes"`

	// References lists the edges from the type in the graph of types and references.
	References []ReferenceInfo `json:"references,omitempty"`
}

// ReferenceInfo is a reference whose marker says the kind of the target.
type ReferenceInfo struct {
	Index string `json:"index"`
	Path  string `json:"path"`
	To    string `json:"to"`    // Kind.group, Kind for the core group, or * for any kind
	Scope string `json:"scope"` // Namespaced, Cluster, or Any if the targets may have either
	At    string `json:"at"`    // file:line:column of the marker

	// Absent says what absent fields of the reference mean.
	Absent []model.Absence `json:"absent,omitempty"`
}

// IndexInfo describes an index.
type IndexInfo struct {
	Name   string      `json:"name"`
	Kind   string      `json:"kind"`   // paths, owner, controller, labels, reference, function or state
	Values []ValueInfo `json:"values"` // one value, or the parts of a composite key; none for a state
	Key    string      `json:"key"`    // Go type of the key in emitted code; "" for labels and states
	model.Options
	At      string       `json:"at"`      // file:line:column of the marker
	Methods []MethodInfo `json:"methods"` // of the lister

	// If lists the conditions of if=.
	If string `json:"if,omitempty"`
	// Else is the path or the literal of else=.
	Else string `json:"else,omitempty"`

	// Note warns of behavior that the options do not suggest.
	Note string `json:"note,omitempty"`

	// IndexName is the name of the index in the caches of other projects, if indexName= says it.
	IndexName string `json:"indexName,omitempty"`
	// Format is the text of a key of several parts there.
	Format string `json:"format,omitempty"`
	// Value is the key of a state there.
	Value string `json:"value,omitempty"`

	// Also lists the paths or functions of a union that Values lacks and, of a state, the conditions that If lacks.
	Also []string `json:"also,omitempty"`

	// ToCluster is set for references to cluster-scoped objects, which have no namespace.
	ToCluster bool `json:"toCluster,omitempty"`
	// ToAnyScope is set for references to objects that may be cluster-scoped or not. One without a namespace has two
	// keys.
	ToAnyScope bool `json:"toAnyScope,omitempty"`
	// NamespaceInName is set if the value of a reference may be namespace/name.
	NamespaceInName bool `json:"namespaceInName,omitempty"`

	// NamespacePath is the path of a reference's namespace. If it is empty, or there is no
	// value at the path, the object's own namespace is used. Cluster-scoped objects have none.
	NamespacePath string `json:"namespacePath,omitempty"`
	// DefaultNamespace is the namespace that an empty one means; "" for the object's own.
	DefaultNamespace string `json:"defaultNamespace,omitempty"`
}

// ValueInfo is one value of an index key.
type ValueInfo struct {
	Path  string `json:"path"`            // its path, or the name of the index function
	Type  string `json:"type"`            // Go type in queries, as in emitted code
	Field string `json:"field,omitempty"` // its field in a composite key

	// FieldType is the Go type of the field. It differs from Type for times and quantities.
	FieldType string `json:"fieldType,omitempty"`
}

// Explain describes the root types of the packages and their indexes, sorted by package and kind.
// It describes the code that [Run] would emit for one target, and writes nothing: the first of
// Config.Targets. The packages may be in other modules. It
// returns the errors of Run, and [ErrNoMatch] if the packages have no root type.
func Explain(ctx context.Context, cfg Config) ([]RootType, error) {
	cfg.explainsOnly = true
	cfg.Targets = cfg.Targets[:min(1, len(cfg.Targets))] // all files would describe the same types
	work, err := setDefaultsAndPlan(ctx, &cfg)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted: %w", ctx.Err())
	}
	if err != nil {
		return nil, err
	}
	if err := work.program.Report.Err(); err != nil {
		return nil, err
	}
	var out []RootType
	emitted := map[token.Pos]bool{}
	for _, f := range work.files {
		methods := templates.Methods(f.Model)
		for _, t := range f.Model.Types {
			pos := f.Roots[t].Spec.Name.Pos()
			emitted[pos] = true
			info := describeRoot(t, f.Pkg.PkgPath, work.program.Report.Where(pos))
			info.Emitted, info.Lister = true, t.Lister
			for _, ix := range t.Indexes {
				about := describeIndex(f, t, ix, methods)
				about.At = work.program.Report.Where(f.Pos[ix])
				info.Indexes = append(info.Indexes, about)
				info.References = append(info.References, describeReferences(work, f, ix)...)
			}
			out = append(out, info)
		}
	}
	others, err := describeUnemittedRoots(work, emitted, cfg.All)
	if err != nil {
		return nil, err
	}
	out = append(out, others...)
	if len(out) == 0 {
		cfg.All = true
		return nil, noMatchError(cfg)
	}
	slices.SortFunc(out, func(a, b RootType) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Kind, b.Kind))
	})
	return out, nil
}

func describeRoot(t *model.Type, pkg, at string) RootType {
	return RootType{
		Kind: t.Kind, Group: t.Group, Version: t.Version, Resource: t.Resource, Scope: scopeOf(t.Namespaced),
		Package: pkg, At: at, Indexes: []IndexInfo{},
	}
}

// describeUnemittedRoots describes the root types without emitted code. It does not report their errors,
// because no marker requests them.
func describeUnemittedRoots(work *plannedRun, emitted map[token.Pos]bool, everything bool) ([]RootType, error) {
	kubeMarkers, err := served.KubeMarkers()
	if err != nil {
		return nil, err
	}
	var out []RootType
	for _, pkg := range work.program.Targets {
		kube, err := kubeMarkers.MarkersInPackage(pkg)
		if err != nil {
			continue // reported with the emitted types of the package
		}
		group, version, _, _ := served.GroupVersionOf(work.program, pkg, kube)
		all, _ := served.Roots(work.program, work.collected, pkg, kube)
		omitted := (&served.Package{Program: work.program, Pkg: pkg, Kube: kube}).OmittedByAll(all)
		for _, root := range all {
			if emitted[root.Spec.Name.Pos()] {
				continue
			}
			t := &model.Type{Kind: root.Named.Obj().Name(), Group: group, Version: version}
			t.Resource, t.Namespaced = served.ResourceOf(t.Kind, root.Kube)
			info := describeRoot(t, pkg.PkgPath, work.program.Report.Where(root.Spec.Name.Pos()))
			info.Reason = "no +index marker"
			if everything {
				info.Reason = omitted[root]
			}
			out = append(out, info)
		}
	}
	return out, nil
}

// describeIndex describes an index of a planned file.
func describeIndex(o *plan.File, t *model.Type, ix *model.Index, methods map[string]MethodInfo) IndexInfo {
	info := IndexInfo{
		Name: ix.Name, Kind: ix.Kind.String(), Options: ix.Options, If: ix.Conditions(), Note: o.Notes[ix],
		Values: []ValueInfo{}, Key: o.Model.TypeText(ix.Value), IndexName: ix.IndexName, Format: ix.Format,
	}
	parts := ix.Parts
	if ix.Kind == model.States {
		info.Key, info.Value, parts = "", marker.Unquoted(marker.Word{Text: parts[0].Literal}), nil
	}
	if ix.Else != nil {
		info.Else = ix.Else.Path
	}
	if ix.Kind == model.Labels {
		info.Key, parts = "", parts[:1] // queried by a key and a value, both strings
	}
	if ix.Namespace != nil {
		info.NamespacePath, info.DefaultNamespace = ix.Namespace.Path, ix.DefaultNamespace
	}
	for _, part := range parts {
		value := ValueInfo{Path: part.Path, Type: o.Model.TypeText(part.QueryType())}
		if ix.Composite() {
			value.Field, value.FieldType = part.Field, o.Model.TypeText(part.Type)
		}
		info.Values = append(info.Values, value)
	}
	for _, source := range ix.Also {
		if ix.Kind == model.States {
			info.Also = append(info.Also, source.Conditions())
			continue
		}
		for _, part := range source.Parts {
			info.Also = append(info.Also, part.Path)
		}
		info.Also[len(info.Also)-1] += source.OnlyIf()
	}
	if ix.Kind == model.Refs {
		info.ToCluster, info.ToAnyScope, info.NamespaceInName = !ix.To.Namespaced, ix.To.AnyScope, ix.Split
	}
	for _, name := range ix.Methods() {
		if m, ok := methods[t.Lister+"."+name]; ok && name != "" {
			info.Methods = append(info.Methods, m)
		}
	}
	return info
}

// describeReferences returns the references of an index.
func describeReferences(work *plannedRun, f *plan.File, ix *model.Index) (out []ReferenceInfo) {
	if ix.Kind != model.Refs || ix.To.Kind == "" {
		return nil
	}
	for _, source := range ix.Sources() {
		out = append(out, ReferenceInfo{
			Index: ix.Name, Path: source.Parts[0].Path, To: ix.To.String(), Scope: ix.To.Scope(),
			At: work.program.Report.Where(f.Pos[source]), Absent: source.Absent,
		})
	}
	return out
}

func scopeOf(namespaced bool) string {
	if namespaced {
		return "Namespaced"
	}
	return "Cluster"
}
