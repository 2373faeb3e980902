// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"maps"
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/generator/internal/write"
	"github.com/indexer-gen/indexer-gen/templates"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// RootType is what [Explain] says of a root type. The names in JSON are stable.
type RootType struct {
	Kind     string      `json:"kind"`
	Group    string      `json:"group"`   // "" for the core group, and if nothing names it
	Version  string      `json:"version"` // "" if nothing names it
	Resource string      `json:"resource"`
	Scope    string      `json:"scope"`   // Namespaced or Cluster
	Package  string      `json:"package"` // import path of the package that has the type
	At       string      `json:"at"`      // file:line:column of the type's name
	Emitted  bool        `json:"emitted"`
	Reason   string      `json:"reason,omitempty"` // why it is not emitted
	Indexes  []IndexInfo `json:"indexes"`
}

// IndexInfo is what [Explain] says of an index.
type IndexInfo struct {
	Name    string       `json:"name"`
	Kind    string       `json:"kind"`   // paths, owner, controller, labels, reference or function
	Values  []ValueInfo  `json:"values"` // one, or those that a composite key is made of
	Key     string       `json:"key"`    // Go type of what the index is keyed by, as emitted code writes it; of labels, ""
	Unique  bool         `json:"unique"`
	Ordered bool         `json:"ordered"`
	At      string       `json:"at"` // file:line:column of the marker
	Methods []MethodInfo `json:"methods"`

	// Note warns of what the index does though its options suggest otherwise.
	Note string `json:"note,omitempty"`

	// NamespacePath, of a reference, is where the namespace of what is referred to is
	// taken from. Without it, or where nothing is there, it is the object's own, which
	// is none if the type is cluster-scoped.
	NamespacePath string `json:"namespacePath,omitempty"`
}

// ValueInfo is one value of an index key.
type ValueInfo struct {
	Path  string `json:"path"`            // where it is taken from; of a function index, the function's name
	Type  string `json:"type"`            // the Go type that it is asked with, as emitted code writes it
	Field string `json:"field,omitempty"` // of a composite key: the field that holds it

	// FieldType is the Go type of the field, which of times and quantities is not Type.
	FieldType string `json:"fieldType,omitempty"`
}

// MethodInfo is a method of the lister.
type MethodInfo struct {
	Signature string `json:"signature"` // ByName(name string) iter.Seq[*Widget]
	Doc       string `json:"doc"`       // its doc comment, in one line
}

// Explain describes the root types of the packages and the indexes that their
// markers ask for, sorted by package and kind. It reads no emitted file and
// writes nothing: what it says of an index is read from the code that [Run] would
// emit, so that it cannot differ from it. Packages of other modules are explained
// too. Errors are those of Run, [ErrNoMatch] if there is no root type at all.
func Explain(ctx context.Context, cfg Config) ([]RootType, error) {
	cfg.explain = true
	work, err := prepare(ctx, &cfg)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted: %w", ctx.Err())
	}
	if err != nil {
		return nil, err
	}
	if err := work.p.Report.Err(); err != nil {
		return nil, err
	}
	var out []RootType
	emitted := map[token.Pos]bool{}
	for _, f := range work.files {
		if len(f.Model.Types) == 0 {
			continue // all were left out
		}
		methods, err := methodInfos(f)
		if err != nil {
			return nil, err
		}
		for _, t := range f.Model.Types {
			pos := f.Roots[t].Spec.Name.Pos()
			emitted[pos] = true
			info := describe(t, f.Pkg.PkgPath, work.p.Report.Where(pos))
			info.Emitted = true
			for _, ix := range t.Indexes {
				about := indexInfo(f, t, ix, methods)
				about.At = work.p.Report.Where(f.Pos[ix])
				info.Indexes = append(info.Indexes, about)
			}
			out = append(out, info)
		}
	}
	others, err := unmarked(work, emitted, cfg.All)
	if err != nil {
		return nil, err
	}
	out = append(out, others...)
	if len(out) == 0 {
		cfg.All = true
		return nil, noMatch(cfg)
	}
	slices.SortFunc(out, func(a, b RootType) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Kind, b.Kind))
	})
	return out, nil
}

func describe(t *model.Type, pkg, at string) RootType {
	scope := "Cluster"
	if t.Namespaced {
		scope = "Namespaced"
	}
	return RootType{
		Kind: t.Kind, Group: t.Group, Version: t.Version, Resource: t.Resource, Scope: scope,
		Package: pkg, At: at, Indexes: []IndexInfo{},
	}
}

// unmarked describes the root types that are not emitted. What is wrong with them
// is not reported: nobody asked for them.
func unmarked(work *work, emitted map[token.Pos]bool, everything bool) ([]RootType, error) {
	kubeMarkers, err := served.KubeMarkers()
	if err != nil {
		return nil, err
	}
	var out []RootType
	left := map[token.Pos]string{}
	for _, f := range work.files {
		maps.Copy(left, f.Left)
	}
	for _, pkg := range work.p.Targets {
		kube, err := kubeMarkers.MarkersInPackage(pkg)
		if err != nil {
			continue // then what is emitted of the package has said so
		}
		group, version, _, _ := served.GroupVersionOf(work.p, pkg, kube)
		all, _ := served.Roots(work.p, work.c, pkg, kube)
		for _, root := range all {
			if emitted[root.Spec.Name.Pos()] {
				continue
			}
			t := &model.Type{Kind: root.Named.Obj().Name(), Group: group, Version: version}
			t.Resource, t.Namespaced = served.ResourceOf(t.Kind, root.Kube)
			info := describe(t, pkg.PkgPath, work.p.Report.Where(root.Spec.Name.Pos()))
			info.Reason = "no +index marker"
			if everything {
				info.Reason = cmp.Or(left[root.Spec.Name.Pos()],
					(&served.Package{Program: work.p, Pkg: pkg, Kube: kube}).Withheld(root), root.LeftOut(all, version))
			}
			out = append(out, info)
		}
	}
	return out, nil
}

// indexInfo describes an index of a planned file.
func indexInfo(o *plan.File, t *model.Type, ix *model.Index, methods map[string]MethodInfo) IndexInfo {
	info := IndexInfo{
		Name: ix.Name, Kind: ix.Kind.String(), Unique: ix.Unique, Ordered: ix.Ordered, Note: o.Notes[ix],
		Key: o.Model.TypeText(ix.Value),
	}
	parts := ix.Parts
	if ix.Kind == model.Labels {
		info.Key, parts = "", parts[:1] // found by a key and a value, which are strings both
	}
	if ix.Namespace != nil {
		info.NamespacePath = ix.Namespace.Path
	}
	for _, part := range parts {
		value := ValueInfo{Path: part.Path, Type: o.Model.TypeText(part.Asked())}
		if ix.Composite() {
			value.Field, value.FieldType = part.Field, o.Model.TypeText(part.Type)
		}
		info.Values = append(info.Values, value)
	}
	for _, name := range ix.Methods() {
		if m, ok := methods[t.Lister+"."+name]; ok && name != "" {
			info.Methods = append(info.Methods, m)
		}
	}
	return info
}

// methodInfos reads the methods of the file that would be emitted, as Type.Method.
func methodInfos(o *plan.File) (map[string]MethodInfo, error) {
	source, err := templates.File(o.Model, "")
	if err != nil {
		return nil, err
	}
	if source, err = write.Format(o.Dest.File(), source); err != nil {
		return nil, err
	}
	return methodsOf(o.Dest.File(), source)
}
