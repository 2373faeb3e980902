// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math/rand/v2"
	"reflect"
	"testing"
)

// twoTypes holds one struct type in two forms: as go/types and as reflect represent it.
type twoTypes struct {
	checked types.Type
	running reflect.Type
}

// structWith declares a struct of fields that are named alike in both.
type structWith struct {
	vars   []*types.Var
	tags   []string
	fields []reflect.StructField
}

func (s *structWith) add(name, tag string, of twoTypes, embedded bool) {
	if tag != "" {
		tag = fmt.Sprintf("json:%q", tag)
	}
	s.vars = append(s.vars, types.NewField(token.NoPos, nil, name, of.checked, embedded))
	s.tags = append(s.tags, tag)
	s.fields = append(s.fields, reflect.StructField{Name: name, Type: of.running, Tag: reflect.StructTag(tag), Anonymous: embedded})
}

func (s *structWith) build() twoTypes {
	return twoTypes{types.NewStruct(s.vars, s.tags), reflect.StructOf(s.fields)}
}

func (t twoTypes) pointer() twoTypes {
	return twoTypes{types.NewPointer(t.checked), reflect.PointerTo(t.running)}
}

// number sets all numbers of a value to different ones.
func number(v reflect.Value, next *int64) {
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer {
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		if f.Kind() == reflect.Struct {
			number(f, next)
			continue
		}
		*next++
		f.SetInt(*next)
	}
}

// Of structs that embed each other in any way, also one several times, jsonFields takes
// the fields which encoding/json does.
func TestJSONFieldsAreThoseOfEncodingJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	integer := twoTypes{types.Typ[types.Int], reflect.TypeFor[int]()}
	tags := []string{"", "", "", "a", "A", "-", ",omitzero", "b,omitempty"}
	ambiguities := 0
	for range 3000 {
		var pool []twoTypes
		for range 6 {
			s := &structWith{}
			for _, name := range []string{"A", "B", "C"} {
				if random.IntN(3) == 0 {
					s.add(name, tags[random.IntN(len(tags))], integer, false)
				}
			}
			for i, inner := range pool {
				tag := ""
				if random.IntN(8) == 0 {
					tag = tags[random.IntN(len(tags))]
				}
				if random.IntN(2) == 0 {
					inner = inner.pointer()
				}
				if random.IntN(2) == 0 {
					s.add(fmt.Sprintf("E%d", i), tag, inner, true)
				}
			}
			pool = append(pool, s.build())
		}
		root, next := pool[len(pool)-1], int64(0)
		value := reflect.New(root.running).Elem()
		number(value, &next)
		text, err := json.Marshal(value.Interface())
		if err != nil {
			t.Fatal(err)
		}
		encoded := map[string]json.RawMessage{}
		if err := json.Unmarshal(text, &encoded); err != nil {
			t.Fatal(err)
		}
		want, got := map[string]string{}, map[string]string{}
		for name, v := range encoded {
			want[name] = string(v)
		}
		for _, f := range JSONFields(root.checked.(*types.Struct)) {
			v, err := json.Marshal(value.FieldByIndex(f.indexChain).Interface())
			if err != nil {
				t.Fatal(err)
			}
			got[f.Name] = string(v)
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%v:\n got %v\nwant %v", root.running, got, want)
		}
		for _, f := range jsonFieldsWithHidden(root.checked.(*types.Struct)) {
			if got[f.Name] == "" {
				ambiguities++
			}
		}
	}
	if ambiguities < 100 {
		t.Errorf("only %d fields were ambiguous, so that little was tested", ambiguities)
	}
}

// Each type is visited once, however many ways lead to it: there are 2 to the 60th here.
func TestJSONFieldsOfDiamonds(t *testing.T) {
	source := "package p\n\ntype L60 struct { X int }\n\ntype R60 struct { Y int }\n"
	for i := range 60 {
		source += fmt.Sprintf("type L%d struct { *L%d; *R%d; A%d int }\n\ntype R%d struct { *L%d; *R%d; B%d int }\n", i, i+1, i+1, i, i, i+1, i+1, i)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	st := pkg.Scope().Lookup("L0").Type().Underlying().(*types.Struct)
	if got := len(jsonFieldsWithHidden(st)); got != 121 {
		t.Errorf("there are %d fields that can be encoded, want 121", got)
	}
	want := "L1.L2.A2 and R1.L2.A2 have the JSON name A2, so encoding/json ignores them; change the JSON name of one"
	if got := Ambiguous(st, "A2"); got != want {
		t.Errorf("ambiguous() = %q, want %q", got, want)
	}
}
