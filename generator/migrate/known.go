// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"
)

const metav1 = "k8s.io/apimachinery/pkg/apis/meta/v1."

// getters are the methods of metav1.Object, and the fields of ObjectMeta that they return.
var getters = map[string]string{
	"GetName": "Name", "GetNamespace": "Namespace", "GetLabels": "Labels", "GetAnnotations": "Annotations", "GetUID": "UID",
	"GetOwnerReferences": "OwnerReferences", "GetGenerateName": "GenerateName", "GetFinalizers": "Finalizers",
	"GetDeletionTimestamp": "DeletionTimestamp",
}

// method evaluates the methods whose meaning is known, and reports whether this is one.
func (f *frame) method(st *state, call *ast.CallExpr, fn *types.Func, vs []value, k func(*state, value)) bool {
	recv := fn.Signature().Recv().Type()
	switch v := vs[0].(type) {
	case *place:
		of := types.TypeString(deref(recv), nil)
		switch {
		case getters[fn.Name()] != "" && (types.IsInterface(recv) || of == metav1+"ObjectMeta"):
			k(st, f.field(call, v, getters[fn.Name()]))
		case fn.Name() == "GetObjectMeta" && (types.IsInterface(recv) || of == metav1+"ObjectMeta"):
			k(st, v)
		case fn.Name() == "String" && isString(v.typ) && fn.Pkg().Path() == "k8s.io/apimachinery/pkg/types":
			k(st, v)
		default:
			return false
		}
		return true
	case *record:
		if fn.Name() == "String" && strings.HasSuffix(types.TypeString(v.typ, nil), ".NamespacedName") {
			k(st, f.namespacedName(call, v))
			return true
		}
	case *list:
		switch fn.Name() {
		case "UnsortedList", "List", "SortedList":
			k(st, &list{items: v.items})
			return true
		}
	}
	return false
}

// known evaluates the functions whose meaning is known, and reports whether this is one.
func (f *frame) known(st *state, call *ast.CallExpr, fn *types.Func, vs []value, k func(*state, value)) bool {
	name := fn.FullName()
	switch name {
	case "fmt.Sprintf":
		k(st, f.format(call, vs))
	case "fmt.Errorf", "errors.New":
		k(st, &opaque{"an error"})
	case "fmt.Sprint", "strconv.Itoa", "strconv.FormatBool":
		k(st, f.concat(call, vs[0]))
	case "strings.Join":
		k(st, f.joined(call, vs))
	case "slices.Clone", "slices.Sorted", "k8s.io/apimachinery/pkg/util/sets.List":
		k(st, &list{items: f.items(call, vs[0])})
	case "k8s.io/apimachinery/pkg/util/sets.New", "k8s.io/apimachinery/pkg/util/sets.NewString":
		k(st, &list{f.appended(call, &list{}, vs), true, false})
	case "k8s.io/utils/ptr.Deref", "k8s.io/utils/pointer.StringDeref", "k8s.io/utils/pointer.BoolDeref",
		"github.com/samber/lo.FromPtrOr":
		f.none(st, call, vs[0], func(st *state, isNil bool) {
			if isNil {
				k(st, vs[1])
			} else {
				k(st, f.indirect(call, vs[0]))
			}
		})
	case "github.com/samber/lo.FromPtr":
		f.none(st, call, vs[0], func(st *state, isNil bool) {
			if isNil {
				k(st, f.zero(call, f.in.info.TypeOf(call)))
			} else {
				k(st, f.indirect(call, vs[0]))
			}
		})
	case "k8s.io/apimachinery/pkg/api/meta.Accessor":
		k(st, &tuple{[]value{vs[0], &nothing{}}})
	case "sigs.k8s.io/controller-runtime/pkg/client.ObjectKeyFromObject":
		k(st, f.objectKey(call, vs[0]))
	case "k8s.io/client-go/tools/cache.MetaNamespaceKeyFunc", "k8s.io/client-go/tools/cache.DeletionHandlingMetaNamespaceKeyFunc":
		namespace, name := f.field(call, vs[0], "Namespace"), f.field(call, vs[0], "Name")
		f.empty(st, call, namespace, func(st *state, yes bool) {
			key := name
			if !yes {
				key = f.concat(call, namespace, &konst{constant.MakeString("/")}, name)
			}
			k(st, &tuple{[]value{key, &nothing{}}})
		})
	case metav1 + "GetControllerOf", metav1 + "GetControllerOfNoCopy":
		f.firstMatch(st, call, f.field(call, vs[0], "OwnerReferences"), "Controller", "true", k)
	case "k8s.io/apimachinery/pkg/api/meta.FindStatusCondition":
		c, ok := vs[1].(*konst)
		if !ok {
			f.fail(call, "a condition type that is not constant")
		}
		f.firstMatch(st, call, vs[0], "Type", c.ExactString(), k)
	default:
		return false
	}
	return true
}

func (f *frame) objectKey(n ast.Node, v value) value {
	return &record{namespacedNameType, map[string]value{"Namespace": f.field(n, v, "Namespace"), "Name": f.field(n, v, "Name")}}
}

// namespacedNameType stands for types.NamespacedName, of which there is one for each load.
var namespacedNameType = types.NewNamed(
	types.NewTypeName(0, types.NewPackage("k8s.io/apimachinery/pkg/types", "types"), "NamespacedName", nil),
	types.NewStruct(nil, nil), nil)

// firstMatch returns a pointer to the element of a list whose field is a constant, or nil.
func (f *frame) firstMatch(st *state, n ast.Node, over value, field, literal string, k func(*state, value)) {
	p, ok := over.(*place)
	if !ok {
		f.fail(n, "a search in %s", describe(over))
	}
	elem, _ := f.element(n, p)
	loop := f.loops
	f.first[loop] = f.in.position(n)
	at := f.field(n, elem, field).(*place)
	f.by[loop] = at.steps[len(at.steps)-1].name
	if word, err := strconv.Unquote(literal); err == nil {
		f.word(at, word)
	}
	k(st.with(atom{at: at.steps, op: equals, value: literal, typ: deref(at.typ)}),
		&place{elem.steps, types.NewPointer(elem.typ), true})
	k(st.with(atom{op: noMatch, value: constant.MakeInt64(int64(loop)).ExactString()}), &nothing{})
}
