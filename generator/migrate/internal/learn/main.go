// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
	"unsafe"
)

// A registered function is made anew for each value of what is set outside it.
type registered struct {
	make  func() func(any) ([]string, error)
	types []func() any
}

var functions = map[string]registered{}

// Add registers a function, which make returns, with the types of objects that it may take.
func Add(name string, make func() func(any) ([]string, error), types ...func() any) {
	functions[name] = registered{make, types}
}

// Keys adapts a function of controller-runtime.
func Keys[T any](f func(T) []string) func(any) ([]string, error) {
	return func(obj any) ([]string, error) { return f(obj.(T)), nil }
}

// KeysOrError adapts a function of client-go.
func KeysOrError[T any](f func(T) ([]string, error)) func(any) ([]string, error) {
	return func(obj any) ([]string, error) { return f(obj.(T)) }
}

var (
	filled  string   // the name of a variable that Outside fills
	outside []string // names of all
)

// Outside sets a variable that is set outside a function: to zero values, or to others that keys would show.
func Outside(name string, at any) {
	outside = append(outside, name)
	v := reflect.ValueOf(at).Elem()
	if v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct {
		v.Set(reflect.New(v.Type().Elem()))
	}
	if name == filled {
		overfill(v, 4)
	}
}

func overfill(v reflect.Value, depth int) {
	if v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem(); depth == 0 {
		return
	}
	switch k := v.Kind(); {
	case k == reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		overfill(v.Elem(), depth-1)
	case k == reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			overfill(v.Field(i), depth-1)
		}
	case k == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		overfill(v.Index(0), depth-1)
	case k == reflect.Bool:
		set(v, "true")
	default:
		set(v, "7654321")
	}
}

// A Question names a function, and what its source mentions.
type Question struct {
	Name   string
	Fields []string
	Words  map[string][]string
	Keys   []string
}

// answered gets an answer of the program.
var answered func(Answer)

// limit ends the program with an answer if stop is not called in time.
func limit(what func() string) (stop func() bool) {
	return time.AfterFunc(8*time.Second, func() {
		if answered != nil {
			answered(Answer{Reason: "it did not return for " + what()})
			os.Exit(0)
		}
	}).Stop
}

// Main answers questions, one a line in the file of the first argument, in the file of the second.
func Main() {
	in, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	out, err := os.Create(os.Args[2])
	if err != nil {
		panic(err)
	}
	answered = func(a Answer) {
		if err := json.NewEncoder(out).Encode(a); err != nil {
			panic(err)
		}
	}
	all := record()
	for questions := json.NewDecoder(in); ; {
		var q Question
		if questions.Decode(&q) != nil {
			os.Exit(0)
		}
		if q.Name == "record" {
			answered(all)
		} else {
			answered(q.answer())
		}
	}
}

// A Recorded function was registered by a function that Record got.
type Recorded struct {
	Package, Type string // of the objects
	Field         string
	In, File      string // the package and file of the function
	Line          int
}

var (
	recorded  []Recorded
	recorders []func() error
)

// Record registers a function that calls Register.
func Record(f func() error) { recorders = append(recorders, f) }

// Register registers a function of controller-runtime.
func Register[T any](obj any, field string, f func(T) []string) {
	t := reflect.TypeOf(obj).Elem()
	pc := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	file, line := pc.FileLine(pc.Entry())
	Add(fmt.Sprint("recorded ", len(recorded)), func() func(any) ([]string, error) { return Keys(f) },
		func() any { return reflect.New(t).Interface() })
	in, _, _ := strings.Cut(path.Base(pc.Name()), ".")
	recorded = append(recorded, Recorded{t.PkgPath(), t.Name(), field, path.Join(path.Dir(pc.Name()), in), file, line})
}

// record calls the functions that Record got.
func record() (out Answer) {
	defer limit(func() string { return "the fake" })()
	defer func() {
		if r := recover(); r != nil {
			out.Reason = fmt.Sprint("a panic: ", r)
		}
		out.Recorded = recorded
	}()
	for _, f := range recorders {
		if err := f(); err != nil {
			out.Reason = err.Error()
		}
	}
	return out
}

func (q Question) answer() (a Answer) {
	defer func() {
		if r := recover(); r != nil {
			a = Answer{Reason: fmt.Sprintf("a fault of indexer-gen: %v\n%s", r, debug.Stack())}
		}
	}()
	r := functions[q.Name]
	outside = nil
	f := &Function{Types: r.types, Call: r.make(), Fields: q.Fields, Words: q.Words, Keys: q.Keys}
	f.outside = outside
	for _, name := range f.outside {
		filled = name
		f.others = append(f.others, r.make())
	}
	filled = ""
	return Learn(f)
}
