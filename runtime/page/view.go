// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package page

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

// view is what the page shows of one informer.
type view struct {
	Resource string    `json:"resource"`
	Name     string    `json:"name,omitempty"`
	State    string    `json:"state"`
	Objects  int       `json:"objects"`
	Stale    int       `json:"stale"`
	Sources  []source  `json:"sources"`
	Handlers []handler `json:"handlers"`
	Indexes  []index   `json:"indexes"`
}

// HasParts reports whether the source has parts. Without parts, its name is empty.
func (v view) HasParts() bool { return len(v.Sources) > 0 && v.Sources[0].Name != "" }

type source struct {
	Name            string `json:"name,omitempty"`
	Doing           string `json:"doing"`
	Lasts           string `json:"lasts"`
	ResourceVersion string `json:"resourceVersion"`
	Heard           string `json:"heard"`
	Failures        int    `json:"failures"`
	LastError       string `json:"lastError,omitempty"`
}

type handler struct {
	Name    string `json:"name"`
	State   string `json:"state"`
	Pending int    `json:"pending"`
	Oldest  string `json:"oldest"`
	Calling string `json:"calling"`
	Calls   uint64 `json:"calls"`
	Panics  int    `json:"panics"`
	Blocked string `json:"blocked"`
}

type index struct {
	Name   string `json:"name"`
	Values int    `json:"values"`
	Shared int    `json:"shared"` // values with several objects
	Errors int64  `json:"errors"`
	// Largest are the values with the most objects.
	Largest []value `json:"largest"`
}

type value struct {
	Value   string `json:"value"`
	Objects int    `json:"objects"`
}

// viewOf describes an informer.
func viewOf(s *informer.Stats) view {
	v := view{Resource: s.Resource, Name: s.Name, State: stateOf(s), Objects: s.Objects,
		Sources: []source{}, Handlers: []handler{}, Indexes: []index{}}
	for _, src := range s.Sources {
		shown := source{
			Name: src.Name, Doing: string(src.Doing), Lasts: since(src.Since), ResourceVersion: src.ResourceVersion,
			Heard: since(src.Heard), Failures: src.Failures,
		}
		if src.LastError != nil {
			shown.LastError = cut(src.LastError.Error())
		}
		v.Sources = append(v.Sources, shown)
	}
	for _, h := range s.Handlers {
		shown := handler{
			Name: h.Name, State: "initial list", Pending: h.Pending, Oldest: duration(h.Oldest), Calling: duration(h.Calling),
			Calls: h.Calls.Count(), Panics: h.Panics, Blocked: duration(h.Blocked),
		}
		if h.Synced {
			shown.State = "synced"
		}
		v.Handlers = append(v.Handlers, shown)
	}
	if s.Contents == nil {
		return v
	}
	v.Stale = s.Contents.StaleLen()
	for name, sizes := range s.Contents.IndexSizes {
		v.Indexes = append(v.Indexes, indexOf(name, s.IndexErrors[name], sizes))
	}
	return v
}

func stateOf(s *informer.Stats) string {
	switch {
	case !s.Synced:
		return "not synced"
	case !s.Present:
		return "absent"
	}
	return "synced"
}

// largest is the number of values that the page shows of an index.
const largest = 5

func indexOf(name string, errors int64, sizes iter.Seq2[string, int]) index {
	x := index{Name: name, Errors: errors, Largest: []value{}}
	for of, n := range sizes {
		x.Values++
		if n > 1 {
			x.Shared++
		}
		if len(x.Largest) == largest && n <= x.Largest[largest-1].Objects {
			continue
		}
		x.Largest = append(x.Largest, value{cut(of), n})
		slices.SortFunc(x.Largest, func(a, b value) int {
			return cmp.Or(cmp.Compare(b.Objects, a.Objects), cmp.Compare(a.Value, b.Value))
		})
		x.Largest = x.Largest[:min(len(x.Largest), largest)]
	}
	return x
}

// maxText is the number of bytes that the page shows of a value or of an error.
const maxText = 1000

// cut returns the beginning of a long text.
func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}

// since returns how long ago t was, or "never".
func since(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return duration(time.Since(t))
}

func duration(d time.Duration) string {
	if d >= time.Second {
		d = d.Round(time.Second / 10)
	}
	return d.String()
}
