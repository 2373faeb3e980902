// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
)

// MutationVariable is the environment variable that, when it is set to anything but a
// false value of strconv.ParseBool, switches the mutation detector on in every store
// made from then on: for test runs. A store that it was switched on in and that has no
// error handler panics.
const MutationVariable = "INDEXER_GEN_DETECT_MUTATIONS"

// remembered is how many objects a detector has copies of, at most: the ones
// that were written last.
const remembered = 10_000

// WithMutationDetector has the store remember up to 10,000 objects, the last written, as
// encoding/json writes them, and compare: each object when it is replaced, deleted or
// forgotten, one more at each write, and all in CheckMutations. A difference is reported as a
// [*MutationError] to the error handlers. It is for tests: a write takes some microseconds
// more, and the JSON takes memory.
//
// It sees what JSON sees: no unexported fields and none with the tag "-". An object that
// encoding/json refuses is reported and not watched.
func WithMutationDetector() Option { return func(o *options) { o.detect = true } }

// A MutationError says that somebody has written to an object in the store.
type MutationError struct {
	Key     string // the object's key
	Path    string // the first field that differs, by its JSON name
	Was, Is string // its JSON when the object was stored, and now
}

func (e *MutationError) Error() string {
	return fmt.Sprintf("object %s was changed after it was stored: %s was %s and is %s; "+
		"change a copy instead, such as GetCopy returns", e.Key, e.Path, e.Was, e.Is)
}

// detector remembers objects as they were stored. It is guarded by the store's
// write lock.
type detector[K comparable, T any] struct {
	byKey map[K]int
	ring  []memory[K, T]
	next  int // to be forgotten
	check int // to be compared at the next write
}

type memory[K comparable, T any] struct {
	key K
	obj T
	was []byte // its JSON when it was stored, or last compared; nil: nothing is remembered here
}

func detectsByEnvironment() bool {
	value := os.Getenv(MutationVariable)
	on, err := strconv.ParseBool(value)
	return on || err != nil && value != ""
}

// CheckMutations compares all objects that the mutation detector remembers, and
// returns and reports what has been changed. Without a detector it is an error.
func (s *Store[K, T]) CheckMutations() error {
	if s.detector == nil {
		return errors.New("the store has no mutation detector: " +
			"make it with WithMutationDetector, or set " + MutationVariable)
	}
	failed := func() []failure {
		s.lockToWrite()
		defer s.write.Unlock()
		for i := range s.detector.ring {
			s.compare(&s.detector.ring[i])
		}
		return s.takeFailed()
	}()
	return errors.Join(s.finish(failed)...)
}

// wrote takes note of what a write has done. The caller holds write.
func (s *Store[K, T]) wrote(changes []Change[K, T]) {
	d := s.detector
	if d == nil {
		return
	}
	for n, c := range changes {
		i, known := d.byKey[c.Key]
		// Of more than are remembered the first would be forgotten at once.
		fresh := c.HasNew && n >= len(changes)-remembered
		switch {
		case known && fresh:
			s.compare(&d.ring[i])
			d.ring[i] = memory[K, T]{c.Key, c.New, s.jsonOf(c.Key, c.New)}
		case known:
			s.forget(&d.ring[i])
		case fresh:
			s.remember(memory[K, T]{c.Key, c.New, s.jsonOf(c.Key, c.New)})
		}
	}
	if len(d.ring) > 0 {
		d.check = (d.check + 1) % len(d.ring)
		s.compare(&d.ring[d.check])
	}
}

// jsonOf returns the JSON of an object, empty but not nil if it has none.
func (s *Store[K, T]) jsonOf(key K, obj T) []byte {
	text, err := json.Marshal(obj)
	if err != nil {
		s.failed = append(s.failed, func() error {
			return fmt.Errorf("mutation detector: object %v is not watched: %w", key, err)
		})
		return []byte{}
	}
	return text
}

func (s *Store[K, T]) remember(m memory[K, T]) {
	d := s.detector
	if len(d.ring) < remembered {
		d.ring = append(d.ring, m)
		d.byKey[m.key] = len(d.ring) - 1
		return
	}
	s.forget(&d.ring[d.next])
	d.ring[d.next], d.byKey[m.key] = m, d.next
	d.next = (d.next + 1) % remembered
}

func (s *Store[K, T]) forget(m *memory[K, T]) {
	if m.was == nil {
		return
	}
	s.compare(m)
	delete(s.detector.byKey, m.key)
	*m = memory[K, T]{}
}

// compare reports an object that is not what it was, once for each change.
func (s *Store[K, T]) compare(m *memory[K, T]) {
	if len(m.was) == 0 {
		return
	}
	was, is := m.was, s.jsonOf(m.key, m.obj)
	if m.was = is; bytes.Equal(was, is) {
		return
	}
	path, x, y := firstDifference("", decoded(was), decoded(is))
	key := m.key
	s.failed = append(s.failed, func() error {
		return &MutationError{Key: fmt.Sprint(key), Path: path, Was: show(x), Is: show(y)}
	})
}

// absent stands for a field or an element that only the other of two values has.
type absent struct{}

// firstDifference returns the path at which two different JSON values differ, and what is
// there. If several paths do, it is the first in the order of their names.
func firstDifference(path string, was, is any) (at string, x, y any) {
	a, b := parts(was), parts(is)
	if a == nil || b == nil {
		return path, was, is
	}
	either := maps.Clone(a)
	maps.Copy(either, b)
	for _, step := range slices.Sorted(maps.Keys(either)) {
		x, y := part(a, step), part(b, step)
		if !reflect.DeepEqual(x, y) {
			return firstDifference(path+step, x, y)
		}
	}
	return path, was, is
}

var identifier = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// parts returns the fields of a JSON object or the elements of an array by how a path
// continues with them, and nil for other values.
func parts(v any) map[string]any {
	steps := map[string]any{}
	switch v := v.(type) {
	case map[string]any:
		for name, field := range v {
			if identifier.MatchString(name) {
				steps["."+name] = field
			} else {
				steps["['"+name+"']"] = field
			}
		}
	case []any:
		for i, element := range v {
			steps[fmt.Sprintf("[%d]", i)] = element
		}
	default:
		return nil
	}
	return steps
}

func part(parts map[string]any, step string) any {
	if v, ok := parts[step]; ok {
		return v
	}
	return absent{}
}

// decoded returns the value of a JSON text, which has no mistakes. Numbers keep all digits.
func decoded(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&v)
	return v
}

// show prints a JSON value, or as much of it as a message has room for.
func show(v any) string {
	if v == (absent{}) {
		return "not there"
	}
	text, _ := json.Marshal(v)
	if runes := []rune(string(text)); len(runes) > 120 {
		return string(runes[:120]) + "…"
	}
	return string(text)
}
