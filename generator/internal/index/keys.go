// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"go/types"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// assignKeyType sets the key type of a part, or returns the reason why t cannot be a key.
//
// It checks kinds at any depth. types.Comparable does not suffice: it accepts interfaces,
// which may panic, and floats, where NaN differs from itself. It also accepts Time and
// Quantity, where == distinguishes equal values. The runtime has keys for those two, but
// they cannot be part of a larger key. A metav1.Duration becomes an ordered time.Duration.
func assignKeyType(part *model.Part, t types.Type) string {
	var key model.GoType
	var convert *model.Conversion
	switch {
	case gotypes.IsNamed(t, gotypes.MetaV1Path, "Time"), gotypes.IsNamed(t, gotypes.MetaV1Path, "MicroTime"):
		key, convert = model.TimeKeys()
		convert.Select, convert.NilSafe = "Time", true
	case gotypes.IsNamed(t, "time", "Time"):
		key, convert = model.TimeKeys()
	case gotypes.IsNamed(t, gotypes.MetaV1Path, "Duration"):
		key, convert = model.DurationKeys()
	case gotypes.IsNamed(t, model.Resource, "Quantity"):
		key, convert = model.QuantityKeys()
	default:
		if why := keyError(t, ""); why != "" {
			return why
		}
		key = modelType(t)
	}
	part.Type, part.Convert, part.Basic = key, convert, basicKind(t)
	return ""
}

// basicKind returns the kind of a type, or of the value that a conversion selects from it.
func basicKind(t types.Type) model.Basic {
	if gotypes.IsNamed(t, gotypes.MetaV1Path, "Duration") {
		return model.IntBasic
	}
	basic, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok:
		return model.OtherBasic
	case basic.Info()&types.IsString != 0:
		return model.StringBasic
	case basic.Info()&types.IsBoolean != 0:
		return model.BoolBasic
	case basic.Info()&types.IsUnsigned != 0:
		return model.UintBasic
	}
	return model.IntBasic
}

// unsuitableKeyTypes lists comparable types whose == is not equality.
var unsuitableKeyTypes = map[string]string{
	gotypes.MetaV1Path + ".Time": "== on metav1.Time compares time zones and clock readings too; " +
		"index the time by a path of its own",
	gotypes.MetaV1Path + ".MicroTime": "== on metav1.MicroTime compares time zones and clock readings " +
		"too; index the time by a path of its own",
	model.Resource + ".Quantity": "== on resource.Quantity tells 1 and 1000m apart; index the " +
		"quantity by a path of its own",
	"time.Time": "== on time.Time compares time zones and clock readings too; " +
		"index the time by a path of its own",
}

// keyError returns the reason why a type cannot be a key, or "". where names the field of a
// struct key, or is "".
func keyError(t types.Type, keyField string) string {
	t = types.Unalias(t)
	if named, ok := t.(*types.Named); ok {
		if why := nameOrTypeArgsKeyError(named, keyField); why != "" {
			return why
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return withSubject(keyField, basicKeyError(u))
	case *types.Array:
		return keyError(u.Elem(), keyField)
	case *types.Struct:
		return structKeyError(t, u, keyField)
	case *types.Pointer:
		return withSubject(keyField, "is a pointer, which compares identity")
	case *types.Interface:
		return withSubject(keyField, "is an interface, whose comparison can panic")
	case *types.Slice:
		if gotypes.IsBytes(t) {
			return withSubject(keyField, "is bytes")
		}
		return withSubject(keyField, "is a list")
	case *types.Map:
		return withSubject(keyField, "is a map")
	case *types.Signature:
		return withSubject(keyField, "is a function")
	case *types.Chan:
		return withSubject(keyField, "is a channel")
	}
	return withSubject(keyField, "is of type "+t.String())
}

// withSubject prefixes a reason with its subject: the field where of a struct key, or the key
// itself. It returns "" if there is no reason.
func withSubject(keyField, what string) string {
	switch {
	case what == "":
		return ""
	case keyField != "":
		return fmt.Sprintf("its field %s %s", keyField, what)
	}
	return "it " + what
}

// nameOrTypeArgsKeyError implements keyError for types that are rejected by name or type arguments.
func nameOrTypeArgsKeyError(named *types.Named, keyField string) string {
	if named.Obj().Pkg() != nil {
		why := unsuitableKeyTypes[named.Obj().Pkg().Path()+"."+named.Obj().Name()]
		switch {
		case why != "" && keyField != "":
			return fmt.Sprintf("of its field %s: %s", keyField, why)
		case why != "":
			return why
		}
	}
	for arg := range named.TypeArgs().Types() {
		switch types.Unalias(arg).(type) {
		case *types.Named, *types.Basic, *types.Array:
		default:
			return withSubject(keyField, "has the type argument "+arg.String()+", which has no name")
		}
	}
	return ""
}

// basicKeyError implements keyError for predeclared types. Its reason has no subject.
func basicKeyError(b *types.Basic) string {
	switch {
	case b.Kind() == types.Invalid:
		return "has a type that cannot be resolved"
	case b.Info()&(types.IsBoolean|types.IsInteger|types.IsString) != 0:
		return ""
	case b.Info()&(types.IsFloat|types.IsComplex) != 0:
		return "is a floating-point number, and a NaN would never be found"
	}
	return "is not a value that can be stored"
}

// structKeyError implements keyError for structs. A struct key needs a name, and key fields only.
func structKeyError(t types.Type, st *types.Struct, keyField string) string {
	if st.NumFields() == 0 {
		return withSubject(keyField, "is a struct without fields")
	}
	if _, named := t.(*types.Named); !named {
		return withSubject(keyField, "is a struct without a name; give its type a name")
	}
	encodes := types.NewMethodSet(types.NewPointer(t)).Lookup(nil, "MarshalText") != nil
	for f := range st.Fields() {
		name := f.Name()
		if encodes && keyError(f.Type(), name) != "" {
			return withSubject(keyField,
				"is a string in JSON, by its method MarshalText, and not a key in Go; "+
					"return it as a string from a function, and mark it with +index:func:name=N")
		}
		if keyField != "" {
			name = keyField + "." + name
		}
		if gotypes.Invalid(f.Type()) && !f.Exported() {
			return "its field " + name +
				" is not exported, so that it is not encoded as JSON, and its type is not known"
		}
		if why := keyError(f.Type(), name); why != "" {
			return why
		}
	}
	return ""
}

// orderError returns the reason why the values of a part have no order, or "".
func (r *resolver) orderError(part *model.Part) string {
	if part.Convert != nil || part.Basic != model.OtherBasic && part.Basic != model.BoolBasic {
		return ""
	}
	return r.typeText(r.valueTypes[part]) + " has no order; only strings, numbers, times and quantities have one"
}

// modelType describes a type that keyError accepts.
func modelType(t types.Type) model.GoType {
	if alias, ok := t.(*types.Alias); ok && alias.Obj().Exported() && alias.Obj().Pkg() != nil &&
		alias.TypeArgs().Len() == 0 {
		return model.GoType{Ident: IdentOf(alias.Obj())} // the aliased type may be internal to its package
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		out := model.GoType{Ident: IdentOf(t.Obj())}
		for arg := range t.TypeArgs().Types() {
			out.Args = append(out.Args, modelType(arg))
		}
		return out
	case *types.Array:
		elem := modelType(t.Elem())
		return model.GoType{Array: t.Len(), Elem: &elem}
	case *types.Basic:
		return model.GoType{Ident: model.Ident{Name: t.Name()}}
	}
	return model.GoType{Ident: model.Ident{Name: t.String()}}
}

func IdentOf(obj *types.TypeName) model.Ident {
	if obj.Pkg() == nil {
		return model.Ident{Name: obj.Name()}
	}
	return model.Ident{Path: obj.Pkg().Path(), Name: obj.Name()}
}

// unexportedNameRemedy returns the remedy for an unexported name that emitted code would have to use.
func (r *resolver) unexportedNameRemedy(from *types.Package) string {
	if pkg := r.program.Checked[from.Path()]; pkg != nil && r.program.SameModule(pkg) {
		return "export it, or emit into package " + from.Name() + ", where it is"
	}
	return "return the value from a function, and mark it with +index:func:name=N"
}

// unnameableTypeError returns the reason why emitted code cannot name a key type, or "".
func (r *resolver) unnameableTypeError(t types.Type) string {
	if alias, ok := t.(*types.Alias); ok && alias.Obj().Exported() && alias.Obj().Pkg() != nil &&
		alias.TypeArgs().Len() == 0 {
		return r.internalPackageError(alias.Obj())
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pkg() != nil && !t.Obj().Exported() && !r.isDestination(t.Obj().Pkg()) {
			return "the type " + t.Obj().Name() + " is not exported, and the output is in another package; " +
				r.unexportedNameRemedy(t.Obj().Pkg())
		}
		if why := r.internalPackageError(t.Obj()); why != "" {
			return why
		}
		for arg := range t.TypeArgs().Types() {
			if why := r.unnameableTypeError(arg); why != "" {
				return why
			}
		}
	case *types.Array:
		return r.unnameableTypeError(t.Elem())
	}
	return ""
}

// internalPackageError returns the reason why emitted code cannot import the package of a type, or "".
func (r *resolver) internalPackageError(obj *types.TypeName) string {
	if obj.Pkg() == nil || r.isDestination(obj.Pkg()) {
		return ""
	}
	pkg := r.program.Checked[obj.Pkg().Path()]
	if pkg == nil || len(pkg.GoFiles) == 0 {
		return ""
	}
	why := target.InternalTo(pkg, r.destination.Dir)
	if why == "" {
		return ""
	}
	return fmt.Sprintf(
		"the emitted file cannot import package %s of the type %s: %s", pkg.PkgPath, obj.Name(), why)
}
