// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
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
// Fields, Words, Keys and Constants of the function. "start" names none.
func Main() {
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
	defer func() {
		printAnswerAndExit(Answer{Reason: fmt.Sprintf("a fault of indexer-gen: %v\n%s", recover(), debug.Stack())})
	}()
	debug.SetGCPercent(400) // samples live as long as the program, so most collections free little
	debug.SetMemoryLimit(1 << 30)
	f := functionsByName[os.Args[1]]
	if err := json.Unmarshal([]byte(os.Args[2]), f); err != nil {
		panic(err)
	}
	printAnswerAndExit(Learn(f))
}
