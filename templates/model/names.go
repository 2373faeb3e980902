// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

// AssignNames chooses every identifier of the emitted file. The rest of the model must be
// complete.
//
// taken holds the identifiers that other files of the emitted package declare. Imports and
// local variables avoid them. Exported names depend on the markers alone, so that no other
// declaration can change them. The caller must reject exported names that are taken; see
// [Package.Declared]. packages maps import paths to declared package names.
func AssignNames(p *Package, taken map[string]bool, packages map[string]string) {
	p.Sources = "InformerSources"
	p.Informers, p.NewFactory = "Informers", "NewInformers"
	if p.Target.Foreign() {
		p.Sources, p.Informers, p.NewFactory = "", "", ""
	}
	assignImports(p, taken, packages)
	accessors := map[string]int{}
	for _, t := range p.Types {
		accessors[t.Plural]++
		accessors["Use"+t.Plural]++
	}
	for _, t := range p.Types {
		t.Accessor = t.Plural
		if accessors[t.Plural] > 1 || factoryMethods[t.Plural] {
			t.Accessor = t.Kind + "Objects"
		}
		t.AccessorVar, t.UseAccessor = lowerFirst(t.Accessor), "Use"+t.Accessor
		assignTypeNames(p, t)
	}
}

// factoryMethods are promoted to the factory. Accessors must not shadow them.
var factoryMethods = map[string]bool{
	"Factory": true, "Start": true, "Run": true, "WaitForSync": true, "Shutdown": true,
	"ShutdownContext": true,
}

func assignTypeNames(p *Package, t *Type) {
	t.ResourceVar = t.Accessor + "Resource"
	t.Lister = t.Kind + "Lister"
	t.NewLister = "New" + t.Lister
	t.Indexer = t.Kind + "Indexer"
	t.NewIndexer = "New" + t.Indexer
	t.Informer = t.Kind + "Informer"
	t.NewInformer = "New" + t.Informer
	t.NewSource, t.Handles = "", ""
	if t.List != nil {
		t.NewSource = "New" + t.Kind + "Source"
	}
	if len(t.Indexes) > 0 {
		t.Handles = t.Kind + "IndexHandles"
	}
	if p.Target.Foreign() {
		assignForeignTargetNames(p, t)
	}
	s := p.newScope()
	t.ListerRecv, t.InformerRecv = s.pickName(p.Target.receiverName()), s.pickName("i")
	s = p.newScope()
	for _, ix := range t.Indexes {
		for _, source := range ix.Sources() {
			source.reserveUserFunctionName(p, s)
		}
	}
	t.ObjectParam = s.pickName(firstLetter(t.Kind), lowerFirst(t.Kind), "object")
	fields := map[string]bool{}
	for _, ix := range t.Indexes {
		assignIndexNames(p, t, ix)
		if fields[ix.Field] && ix.IndexName == "" {
			ix.Field = ix.Method // the second index of a field
		}
		fields[ix.Field] = true
	}
}

func assignIndexNames(p *Package, t *Type, ix *Index) {
	ix.Method, ix.Field, ix.Const = ix.methodName(), ix.FieldName(), ""
	switch p.Target {
	case ClientGo:
		ix.Const = t.Kind + ix.Method + "Index"
	case ControllerRuntime:
		ix.Const = t.Kind + ix.Method + "Field"
	}
	function, keyWord := p.Target.identifierWords()
	ix.Func, ix.Key, ix.KeyVar, ix.Result = "", "", "", ""
	ix.Requests, ix.Has, ix.Count, ix.Labeled = "", "", "", nil
	if ix.Kind == States {
		ix.Count = "Count" + ix.Name
	}
	if p.Target == ControllerRuntime && ix.keyedByObjects() {
		ix.Requests = "Requests" + ix.Method
	}
	if p.Target.Foreign() {
		ix.Has, ix.Count = "Has"+ix.Name, "Count"+ix.Name
		ix.skipKeyConversions()
		ix.Labeled = p.Target.extraLabelMethods(t, ix)
	}
	if ix.Composite() {
		ix.Key = t.Kind + ix.Name + keyWord + "Key"
		ix.Value = GoType{Ident: Ident{Path: p.Path, Name: ix.Key}}
		for _, source := range ix.Also {
			source.Key, source.Value = ix.Key, ix.Value
		}
	}
	ix.All, ix.Conflicts, ix.Range, ix.From, ix.Min, ix.Max = "", "", "", "", "", ""
	if ix.Unique {
		ix.All = ix.Method + "All"
		if !p.Target.Foreign() {
			ix.Conflicts = ix.Method + "Conflicts"
		}
	}
	if ix.Ordered {
		ix.Range, ix.From, ix.Min, ix.Max = ix.Method+"Range", ix.Method+"From", "Min"+ix.Name, "Max"+ix.Name
	}
	if ix.Kind != Labels {
		assignKeyFields(ix)
		for _, source := range ix.Also {
			for i, part := range source.Parts {
				part.Field = ix.Parts[i].Field
			}
		}
	}
	assignParams(p, t, ix)
	switch ix.Kind {
	case Paths, Refs, Funcs, States:
		ix.Func = function + "Index" + t.Kind + ix.Method
		for _, source := range ix.Sources() {
			assignLocals(p, t, ix, source)
		}
	}
}
