// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

func compare(a, b string) int { return cmp.Compare(a, b) }

// state is a version of an object.
type state struct {
	uid     types.UID
	version string
}

func (s state) String() string { return fmt.Sprintf("%s@%s", s.uid, s.version) }

func stateOf(obj *object) state { return state{obj.UID, obj.ResourceVersion} }

type verb string

const (
	added   verb = "add"
	updated verb = "update"
	deleted verb = "delete"
)

// call is one call of a handler for one object.
type call struct {
	verb     verb
	old, new state  // new of an addition or update; old of an update; of a deletion, old is the final or last known state
	last     *state // the old state that a delete carries, if it carries one
	unknown  bool   // the final state
	initial  bool   // belongs to the initial list
}

func (c call) String() string {
	switch c.verb {
	case added:
		if c.initial {
			return fmt.Sprintf("add %s, initial", c.new)
		}
		return fmt.Sprintf("add %s", c.new)
	case updated:
		return fmt.Sprintf("update %s to %s", c.old, c.new)
	}
	if c.unknown {
		return fmt.Sprintf("delete %s, unknown", c.old)
	}
	return fmt.Sprintf("delete %s", c.old)
}

// journal is the calls of a handler since the last comparison.
type journal struct {
	mu    sync.Mutex
	calls map[string][]call
	count int
	known map[string]state // the last state of each object at the last comparison
	takes time.Duration    // each call
}

func newJournal() *journal {
	return &journal{calls: make(map[string][]call), known: make(map[string]state)}
}

func (j *journal) note(obj *object, c call) {
	j.mu.Lock()
	j.calls[obj.Name] = append(j.calls[obj.Name], c)
	j.count++
	j.mu.Unlock()
	time.Sleep(j.takes)
}

func (j *journal) add(obj *object, initial bool) {
	j.note(obj, call{verb: added, new: stateOf(obj), initial: initial})
}

func (j *journal) update(old, obj *object) {
	j.note(obj, call{verb: updated, old: stateOf(old), new: stateOf(obj)})
}

func (j *journal) delete(obj, last *object, unknown bool) {
	c := call{verb: deleted, old: stateOf(obj), unknown: unknown}
	if last != nil {
		s := stateOf(last)
		c.last = &s
	}
	j.note(obj, c)
}

// take returns the calls since the last comparison, and splits each update to another object of
// the same name into a delete and an add. It returns the number of these.
func (j *journal) take() (calls map[string][]call, replaced int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	calls = make(map[string][]call, len(j.calls))
	for name, all := range j.calls {
		for _, c := range all {
			switch {
			case c.verb == updated && c.old.uid != c.new.uid:
				replaced++
				calls[name] = append(
					calls[name],
					call{verb: deleted, old: c.old, unknown: true},
					call{verb: added, new: c.new},
				)
			default:
				calls[name] = append(calls[name], c)
			}
		}
	}
	j.calls = make(map[string][]call)
	return calls, replaced
}

// repetitions counts, for each object, the updates to itself since the last comparison.
func (j *journal) repetitions() map[string]int {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := make(map[string]int)
	for name, all := range j.calls {
		for _, c := range all {
			if c.repeats() {
				n[name]++
			}
		}
	}
	return n
}

// repeats reports whether c is an update from a state to itself.
func (c call) repeats() bool { return c.verb == updated && c.old == c.new }

// withoutRepetitions returns calls without repetitions, and the number of these.
func withoutRepetitions(calls map[string][]call) (rest map[string][]call, n int) {
	rest = make(map[string][]call, len(calls))
	for name, all := range calls {
		for _, c := range all {
			if c.repeats() {
				n++
			} else {
				rest[name] = append(rest[name], c)
			}
		}
	}
	return rest, n
}

// check returns an error if the calls are inconsistent or do not lead from the last known states
// to those in the store.
func (j *journal) check(calls map[string][]call, stored map[string]state) error {
	for name, all := range calls {
		for i, c := range all {
			was, exists := j.known[name]
			wrong := ""
			switch c.verb {
			case added:
				if exists {
					wrong = "the handler already knows the object"
				}
				j.known[name] = c.new
			case updated:
				if !exists || c.old != was {
					wrong = fmt.Sprintf("the last state is %v (known: %v)", was, exists)
				}
				j.known[name] = c.new
			case deleted:
				switch {
				case !exists:
					wrong = "it does not know of it"
				case c.old.uid != was.uid,
					c.last != nil && *c.last != was,
					c.last == nil && c.unknown && c.old != was:
					wrong = fmt.Sprintf("the last state is %v", was)
				}
				delete(j.known, name)
			}
			if wrong != "" {
				return fmt.Errorf("call %d about %s, %s: %s; all calls:%s", i, name, c, wrong, list(all))
			}
		}
	}
	if !maps.Equal(j.known, stored) {
		return fmt.Errorf("the handler's last states %v differ from the store's %v", j.known, stored)
	}
	return nil
}

// difference describes how two journals differ. It returns "" if they are equal.
func difference(theirs, ours map[string][]call) string {
	names := slices.Sorted(maps.Keys(theirs))
	for name := range ours {
		if _, both := theirs[name]; !both {
			names = append(names, name)
		}
	}
	for _, name := range names {
		a, b := theirs[name], ours[name]
		if !slices.EqualFunc(a, b, func(a, b call) bool { a.last, b.last = nil, nil; return a == b }) {
			return fmt.Sprintf("calls for %s\n of client-go:%s\n of ours:%s", name, list(a), list(b))
		}
	}
	return ""
}

func list(calls []call) string {
	var b strings.Builder
	for _, c := range calls {
		b.WriteString("\n\t" + c.String())
	}
	return b.String()
}
