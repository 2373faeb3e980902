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

// MutationVariable is an environment variable that enables the mutation detector in every new
// store, for test runs. Any value enables it except those that strconv.ParseBool takes for
// false. Such a store panics when it finds a mutation and has no error handler.
const MutationVariable = "INDEXER_GEN_DETECT_MUTATIONS"

// maxWatched is the most objects that a detector watches.
const maxWatched = 10_000

// WithMutationDetector makes the store keep the JSON of up to 10,000 objects and compare it
// with theirs: of each object that is written, of one more at each write, and of all in
// CheckMutations. A difference is reported to the error handlers as a [*MutationError]. It is
// for tests: a write takes some microseconds more, and the JSON takes memory.
//
// It does not see unexported fields and fields with the tag "-". An object that encoding/json
// refuses is reported and not watched. Of more than 10,000 objects some are not watched, always
// including the last written.
func WithMutationDetector() Option { return func(o *options) { o.detect = true } }

// A MutationError reports that an object was changed while it was in the store.
type MutationError struct {
	Type    string // the Go type of the object
	Key     string // the key of the object
	Path    string // the JSON path of the first field that differs
	Was, Is string // the JSON of the field when the object was stored, and now
}

func (e *MutationError) Error() string {
	return fmt.Sprintf("%s %s was changed after it was stored: %s was %s and is %s; "+
		"change a copy instead, such as GetCopy returns", e.Type, e.Key, e.Path, e.Was, e.Is)
}

// detector remembers objects as they were stored. It is guarded by Store.write.
type detector[K comparable, T any] map[K]watched[T]

type watched[T any] struct {
	obj  T
	json []byte // when the object was stored or last compared
}

func detectsByEnvironment() bool {
	value := os.Getenv(MutationVariable)
	on, err := strconv.ParseBool(value)
	return on || err != nil && value != ""
}

// CheckMutations compares all objects that the mutation detector watches. It returns and
// reports the mutations. Without a detector it returns an error.
func (s *Store[K, T]) CheckMutations() error {
	if s.detector == nil {
		return errors.New("the store has no mutation detector: " +
			"make it with WithMutationDetector, or set " + MutationVariable)
	}
	failed := func() []failure {
		s.lockToWrite()
		defer s.write.Unlock()
		for key := range s.detector {
			s.compare(key)
		}
		return s.takeFailed()
	}()
	return errors.Join(s.finish(failed)...)
}

// wrote records the changes of a write. The caller holds write.
func (s *Store[K, T]) wrote(changes []Change[K, T]) {
	d := s.detector
	if d == nil {
		return
	}
	for n, c := range changes {
		if _, known := d[c.Key]; known {
			s.compare(c.Key)
			delete(d, c.Key)
		}
		if !c.HasNew || n < len(changes)-maxWatched { // a large batch has more that come later
			continue
		}
		if len(d) == maxWatched {
			delete(d, s.compareAny())
		}
		if text := s.jsonOf(c.Key, c.New); text != nil {
			d[c.Key] = watched[T]{c.New, text}
		}
	}
	s.compareAny()
}

// compareAny compares one object, whichever, and returns its key.
func (s *Store[K, T]) compareAny() (key K) {
	for key = range s.detector {
		s.compare(key)
		break
	}
	return key
}

// jsonOf returns the JSON of an object, or nil and a report if it has none.
func (s *Store[K, T]) jsonOf(key K, obj T) []byte {
	text, err := json.Marshal(obj)
	if err == nil {
		return text
	}
	s.failed = append(s.failed, func() error {
		return fmt.Errorf("mutation detector: %T %v is not watched: %w", obj, key, err)
	})
	return nil
}

// compare reports an object that has changed, once for each change.
func (s *Store[K, T]) compare(key K) {
	obj, was := s.detector[key].obj, s.detector[key].json
	is := s.jsonOf(key, obj)
	switch {
	case is == nil:
		delete(s.detector, key)
		return
	case bytes.Equal(was, is):
		return
	}
	s.detector[key] = watched[T]{obj, is}
	path, x, y := firstDifference("", decoded(was), decoded(is))
	s.failed = append(s.failed, func() error {
		return &MutationError{Type: fmt.Sprintf("%T", obj), Key: fmt.Sprint(key), Path: path, Was: show(x), Is: show(y)}
	})
}

// absent stands for a field or element that only one of two values has.
type absent struct{}

// firstDifference returns the path at which two JSON values differ, and the two values there.
// If they differ at several paths, it returns the first in the order of names.
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

// decoded returns the value of a valid JSON text. Numbers keep all digits.
func decoded(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&v)
	return v
}

// show returns a JSON value as text, truncated for messages.
func show(v any) string {
	if v == (absent{}) {
		return "absent"
	}
	text, _ := json.Marshal(v)
	if runes := []rune(string(text)); len(runes) > 120 {
		return string(runes[:120]) + "…"
	}
	return string(text)
}
