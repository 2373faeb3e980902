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
)

var functionsByName = map[string]*Function{}

// Add registers a function with the types of objects that it may take.
func Add(name string, f func(any) ([]string, error), types ...func() any) {
	functionsByName[name] = &Function{Types: types, Call: f}
}

// Keys adapts a function of controller-runtime.
func Keys[T any](f func(T) []string) func(any) ([]string, error) {
	return func(obj any) ([]string, error) { return f(obj.(T)), nil }
}

// KeysOrError adapts a function of client-go.
func KeysOrError[T any](f func(T) ([]string, error)) func(any) ([]string, error) {
	return func(obj any) ([]string, error) { return f(obj.(T)) }
}

// printAnswerAndExit prints the answer, and ends the program. It is nil in tests.
var printAnswerAndExit func(Answer)

// callLimit is far more than a function takes that a cache calls for each event.
const callLimit = 8 * time.Second

// startTimeLimit ends the program with an answer if stop is not called in time.
func startTimeLimit(activityDoc func() string) (stop func() bool) {
	return time.AfterFunc(callLimit, func() {
		if printAnswerAndExit != nil {
			printAnswerAndExit(Answer{Reason: "it did not return for " + activityDoc()})
		}
	}).Stop
}

// Main prints what it learns of the function that the first argument names, as its last line. The second argument has
// Fields, Words and Keys of the function. A function that calls Register runs first; "record" names what it registers, and
// "start" nothing, before that.
func Main(setUp func() error) {
	printAnswerAndExit = func(a Answer) {
		text, err := json.Marshal(a)
		if err != nil {
			panic(err)
		}
		fmt.Printf("\n%s\n", text)
		os.Exit(0)
	}
	if os.Args[1] == "start" {
		printAnswerAndExit(Answer{})
	}
	reason := "a panic: %v%.0s"
	defer func() { printAnswerAndExit(Answer{Reason: fmt.Sprintf(reason, recover(), debug.Stack())}) }()
	debug.SetGCPercent(400) // samples live as long as the program, so most collections free little
	debug.SetMemoryLimit(1 << 30)
	stop := startTimeLimit(func() string { return "the fake" })
	if err := setUp(); err != nil {
		printAnswerAndExit(Answer{Reason: err.Error()})
	} else if stop(); os.Args[1] == "record" {
		printAnswerAndExit(Answer{Recorded: recordedFunctions})
	}
	reason = "a fault of indexer-gen: %v\n%s"
	f := functionsByName[os.Args[1]]
	if err := json.Unmarshal([]byte(os.Args[2]), f); err != nil {
		panic(err)
	}
	printAnswerAndExit(Learn(f))
}

// A Recorded function was registered by the set-up function.
type Recorded struct {
	Package, Type string // of the objects
	Field         string
	In, File      string // the package and file of the function
	Line          int
}

var recordedFunctions []Recorded

// Register registers a function of controller-runtime.
func Register[T any](obj any, field string, f func(T) []string) {
	t := reflect.TypeOf(obj).Elem()
	pc := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	file, line := pc.FileLine(pc.Entry())
	Add(fmt.Sprint("recorded ", len(recordedFunctions)), Keys(f), func() any { return reflect.New(t).Interface() })
	in, _, _ := strings.Cut(path.Base(pc.Name()), ".")
	recordedFunctions = append(recordedFunctions, Recorded{t.PkgPath(), t.Name(), field, path.Join(path.Dir(pc.Name()), in), file, line})
}
