// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

var functions = map[string]*Function{}

// Add registers a function with the types of objects that it may take.
func Add(name string, f func(any) ([]string, error), types ...func() any) {
	functions[name] = &Function{Types: types, Call: f}
}

// Keys adapts a function of controller-runtime.
func Keys[T any](f func(T) []string) func(any) ([]string, error) {
	return func(obj any) ([]string, error) { return f(obj.(T)), nil }
}

// KeysOrError adapts a function of client-go.
func KeysOrError[T any](f func(T) ([]string, error)) func(any) ([]string, error) {
	return func(obj any) ([]string, error) { return f(obj.(T)) }
}

// A Question names a function, and what its source mentions.
type Question struct {
	Name   string
	Fields map[string]bool
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
	out, failed := os.Create(os.Args[2])
	if err = errors.Join(err, failed); err != nil {
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
	Add(fmt.Sprint("recorded ", len(recorded)), Keys(f), func() any { return reflect.New(t).Interface() })
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
	f := functions[q.Name]
	f.Fields, f.Words, f.Keys = q.Fields, q.Words, q.Keys
	return Learn(f)
}
