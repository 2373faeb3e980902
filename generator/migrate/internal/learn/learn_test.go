// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

type metadata struct {
	Name        string            `json:"name,omitempty"`
	Namespace   string            `json:"namespace,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type ref struct {
	Kind      string  `json:"kind"`
	Group     *string `json:"group,omitempty"`
	Namespace *string `json:"namespace,omitempty"`
	Name      string  `json:"name"`
	Enabled   *bool   `json:"enabled,omitempty"`
}

func (r *ref) isEnabled() bool { return r.Enabled == nil || *r.Enabled }

type local struct {
	Name string `json:"name"`
}

type Inner struct {
	Zone *string `json:"zone,omitempty"`
}

type status struct {
	Type   string `json:"type"`
	Status string `json:"status"`
}

type strategy struct {
	Active  string `json:"active,omitempty"`
	Preview string `json:"preview,omitempty"`
}

// A stamp is text in JSON, as a time is.
type stamp struct{ time.Time }

func (s *stamp) UnmarshalJSON(text []byte) error { return s.Time.UnmarshalJSON(text) }

// An unknown decodes nothing that is tried.
type unknown struct{}

func (*unknown) UnmarshalJSON([]byte) error { return errors.New("unknown") }

type widget struct {
	Meta metadata `json:"metadata"`
	Spec struct {
		Node    string         `json:"node"`
		Other   string         `json:"other"`
		Kind    string         `json:"kind"`
		Class   *string        `json:"class,omitempty"`
		Paused  bool           `json:"paused"`
		Enabled *bool          `json:"enabled,omitempty"`
		Count   int32          `json:"count"`
		Limit   *int32         `json:"limit,omitempty"`
		Ref     *ref           `json:"ref,omitempty"`
		Local   *local         `json:"local,omitempty"`
		Names   []string       `json:"names"`
		Refs    []ref          `json:"refs"`
		ByZone  map[string]ref `json:"byZone"`
		Green   *strategy      `json:"green,omitempty"`
		Canary  *strategy      `json:"canary,omitempty"`
		Since   *stamp         `json:"since,omitempty"`
		Share   float64        `json:"share"`
		Unknown []unknown      `json:"unknown"`
	} `json:"spec"`
	Status struct {
		*Inner     `json:",inline"`
		Conditions []status `json:"conditions"`
	} `json:"status"`
}

func deref[T any](p *T, other T) T {
	if p == nil {
		return other
	}
	return *p
}

type keys = []string

// examples are index functions, and what is learned of them.
var examples = []struct {
	name string
	f    func(w *widget) []string
	want string
}{
	{"path", func(w *widget) []string { return keys{w.Spec.Node} }, "+index:name=NAME,path=.spec.node"},
	{"a name in place of an annotation, of Argo Workflows", func(w *widget) []string {
		if id, ok := w.Meta.Annotations["app"]; ok {
			return keys{w.Meta.Namespace + "/" + id}
		}
		return keys{w.Meta.Namespace + "/" + w.Meta.Name}
	}, "+index:name=NAME,paths={.metadata.namespace,.metadata.annotations['app']} +index:name=NAME,paths={.metadata.namespace,.metadata.name},if=!.metadata.annotations['app'],format=\"%s/%s\""},
	{"a nil pointer counts as true", func(w *widget) []string {
		if w.Spec.Enabled == nil || *w.Spec.Enabled {
			return keys{w.Spec.Node}
		}
		return nil
	}, "+index:name=NAME,path=.spec.node,if=.spec.enabled!=false"},
	{"a nil pointer counts as false", func(w *widget) []string {
		if w.Spec.Enabled == nil || !*w.Spec.Enabled {
			return keys{w.Spec.Node}
		}
		return nil
	}, "+index:name=NAME,path=.spec.node,if=.spec.enabled!=true"},
	{"an early return", func(w *widget) []string {
		if w.Spec.Enabled != nil && !*w.Spec.Enabled {
			return nil
		}
		return keys{w.Spec.Node}
	}, "+index:name=NAME,path=.spec.node,if=.spec.enabled!=false"},
	{"a nil pointer alone", func(w *widget) []string {
		if w.Spec.Enabled == nil {
			return keys{w.Spec.Node}
		}
		return nil
	}, "+index:name=NAME,path=.spec.node,if={.spec.enabled!=false,.spec.enabled!=true}"},
	{"a number behind a pointer", func(w *widget) []string {
		if w.Spec.Limit == nil || *w.Spec.Limit != 7 {
			return nil
		}
		return keys{w.Spec.Node}
	}, "+index:name=NAME,path=.spec.node,if=.spec.limit==7"},
	{"a number, absent or not", func(w *widget) []string {
		if deref(w.Spec.Limit, 7) == 7 {
			return keys{w.Spec.Node}
		}
		return nil
	}, "+index:name=NAME,path=.spec.node,if=!.spec.limit +index:name=NAME,path=.spec.node,if=.spec.limit==7"},
	{"elements of one list that differ", func(w *widget) (out []string) {
		for _, r := range w.Spec.Refs {
			if r.Kind == "A" && (r.Group == nil || *r.Group == "") {
				out = append(out, r.Name)
			} else if r.Kind == "B" && deref(r.Group, "") == "g" {
				out = append(out, r.Name)
			}
		}
		return out
	}, `+index:name=NAME,path=.spec.refs[?(!@.group && @.kind=="A")].name +index:name=NAME,path=.spec.refs[?(@.group=="g" && @.kind=="B")].name`},
	{"a default", func(w *widget) []string { return keys{deref(w.Spec.Class, "standard")} },
		`+index:name=NAME,path=.spec.class,else="standard"`},
	{"a default of a list", func(w *widget) []string {
		for _, c := range w.Status.Conditions {
			if c.Type == "Ready" {
				return keys{c.Status}
			}
		}
		return keys{"Unknown"}
	}, `+index:name=NAME,path=.status.conditions[?(@.type=="Ready")].status,else="Unknown"`},
	{"a union", func(w *widget) (out []string) {
		for _, s := range []string{w.Spec.Node, w.Spec.Other} {
			if s != "" {
				out = append(out, s)
			}
		}
		return out
	}, "+index:name=NAME,path=.spec.node,omitempty=true +index:name=NAME,path=.spec.other,omitempty=true"},
	{"the values of a map", func(w *widget) (out []string) {
		for _, r := range w.Spec.ByZone {
			if r.Kind == "A" {
				out = append(out, r.Name)
			}
		}
		return out
	}, `+index:name=NAME,path=.spec.byZone[?(@.kind=="A")].name`},
	{"a label", func(w *widget) []string { return keys{w.Meta.Labels["app"]} }, "+index:name=NAME,path=.metadata.labels['app'],else=\"\""},
	{"a nil pointer as an empty text, of Gardener", func(w *widget) []string { return keys{deref(w.Spec.Class, "")} },
		`+index:name=NAME,path=.spec.class,else=""`},
	{"a nil struct as an empty text, of ironcore", func(w *widget) []string {
		if w.Spec.Local == nil {
			return keys{""}
		}
		return keys{w.Spec.Local.Name}
	}, `+index:name=NAME,path=.spec.local.name,else=""`},
	{"an empty list as an empty text, of ironcore", func(w *widget) (out []string) {
		for _, r := range w.Spec.Refs {
			out = append(out, r.Name)
		}
		if len(out) == 0 {
			return keys{""}
		}
		return out
	}, `+index:name=NAME,path=.spec.refs[*].name,else=""`},
	{"a default name", func(w *widget) []string {
		name := "*"
		if w.Spec.Local != nil && w.Spec.Local.Name != "" {
			name = w.Spec.Local.Name
		}
		return keys{w.Meta.Namespace + "/" + name}
	}, `+index:ref:name=NAME,path=.spec.local.name,else="*"`},
	{"the own namespace", func(w *widget) []string {
		if w.Meta.Namespace == "kube-system" {
			return nil
		}
		return keys{w.Spec.Node}
	}, `+index:name=NAME,path=.spec.node,if=.metadata.namespace!="kube-system"`},
	{"an annotation that is there", func(w *widget) []string {
		if value, ok := w.Meta.Annotations["app"]; ok {
			return keys{value}
		}
		return keys{w.Spec.Node}
	}, "+index:name=NAME,path=.metadata.annotations['app'],else=.spec.node"},
	{"a list that is not empty", func(w *widget) []string {
		if len(w.Spec.Names) == 0 {
			return nil
		}
		return keys{w.Spec.Node}
	}, "+index:name=NAME,path=.spec.node,if=.spec.names"},
	{"a reference", func(w *widget) (out []string) {
		for _, r := range w.Spec.Refs {
			if r.Kind == "Secret" && deref(r.Group, "") == "" {
				out = append(out, deref(r.Namespace, w.Meta.Namespace)+"/"+r.Name)
			}
		}
		return out
	}, "+index:ref:name=NAME,path=.spec.refs,to=Secret,absent=Secret"},
	{"a nil pointer in a filter", func(w *widget) (out []string) {
		for _, r := range w.Spec.Refs {
			if r.isEnabled() {
				out = append(out, r.Name)
			}
		}
		return out
	}, "+index:name=NAME,path=.spec.refs[?(@.enabled!=false)].name"},
	{"a nil pointer that ends a pass", func(w *widget) (out []string) {
		for _, r := range w.Spec.Refs {
			if r.Enabled != nil && *r.Enabled {
				continue
			}
			out = append(out, r.Name)
		}
		return out
	}, "+index:name=NAME,path=.spec.refs[?(@.enabled!=true)].name"},
	{"the text of a boolean", func(w *widget) []string {
		if w.Spec.Enabled == nil {
			return nil
		}
		return keys{strconv.FormatBool(*w.Spec.Enabled)}
	}, "+index:name=NAME,path=.spec.enabled"},
	{"the text of a boolean with a default", func(w *widget) []string {
		return keys{strconv.FormatBool(deref(w.Spec.Enabled, false))}
	}, "+index:name=NAME,path=.spec.enabled,else=false"},
	{"an inlined pointer", func(w *widget) []string {
		if w.Status.Inner == nil || w.Status.Zone == nil {
			return nil
		}
		return keys{*w.Status.Zone}
	}, "+index:name=NAME,path=.status.zone"},
	{"alternatives", func(w *widget) []string {
		a := w.Meta.Annotations
		for _, key := range []string{"app", "zone", "team", "role", "tier"} {
			if a[key] != "" {
				return keys{w.Spec.Node}
			}
		}
		return nil
	}, "+index:name=NAME,path=.spec.node,if=.metadata.annotations['app'] +index:name=NAME,path=.spec.node,if=.metadata.annotations['role'] " +
		"+index:name=NAME,path=.spec.node,if=.metadata.annotations['team'] +index:name=NAME,path=.spec.node,if=.metadata.annotations['tier'] " +
		"+index:name=NAME,path=.spec.node,if=.metadata.annotations['zone']"},
	{"constants", func(w *widget) []string {
		if w.Spec.Kind == "A" || w.Spec.Kind == "B" {
			return keys{w.Spec.Node}
		}
		return nil
	}, `+index:name=NAME,path=.spec.node,if=.spec.kind=="A" +index:name=NAME,path=.spec.node,if=.spec.kind=="B"`},
	{"all below a pointer", func(w *widget) []string {
		if w.Spec.Ref == nil || w.Spec.Ref.Kind != "A" {
			return keys{w.Spec.Node}
		}
		return nil
	}, `+index:name=NAME,path=.spec.node,if=.spec.ref.kind!="A"`},

	{"a panic for a nil pointer", func(w *widget) []string { return keys{w.Spec.Ref.Name} }, "+index:name=NAME,path=.spec.ref.name"},
	{"a panic of one nil pointer", func(w *widget) []string {
		if w.Spec.Ref.Kind == "A" {
			return nil
		}
		return keys{w.Spec.Node}
	}, `+index:name=NAME,path=.spec.node,if=.spec.ref.kind!="A"`},
	{"a panic for an empty list", func(w *widget) []string { return keys{w.Spec.Names[0]} }, `and +index:path=.spec.names [`},
	{"a panic of one element that is not there", func(w *widget) (out []string) {
		n := 0
		for range w.Spec.Names {
			out = append(out, w.Spec.Names[n])
			n += 2
		}
		return out
	}, "+index:name=NAME,path=.spec.names"},
	{"a panic of one element", func(w *widget) (out []string) {
		for _, r := range w.Spec.Refs {
			out = append(out, *r.Namespace)
		}
		return out
	}, "+index:name=NAME,path=.spec.refs[*].namespace"},

	{"the first", func(w *widget) []string { return w.Spec.Names[:min(1, len(w.Spec.Names))] },
		`and +index:path=.spec.names [`},
	{"more than", func(w *widget) []string {
		if w.Spec.Count > 3 {
			return nil
		}
		return keys{w.Spec.Node}
	}, "the function returns"},
	{"lower case", func(w *widget) []string { return keys{strings.ToLower(w.Spec.Node)} }, `a key that is not made of whole fields: "q`},
	{"a slash at the end", func(w *widget) []string { return keys{strings.TrimRight(w.Spec.Node, "/") + "/"} },
		`a key with text around a field: "…/"`},
	{"a part of a text", func(w *widget) []string {
		group, _, ok := strings.Cut(w.Spec.Node, "/")
		if !ok {
			group = ""
		}
		return keys{group + "/" + w.Spec.Other}
	}, `a key with text around a field: "/…"`},
	{"a part of a name", func(w *widget) []string {
		name, _, _ := strings.Cut(w.Meta.Name, "-")
		return keys{name}
	}, `the function returns`},
	{"a suffix", func(w *widget) []string { return keys{strings.TrimSuffix(w.Spec.Node, ".local")} }, `the function returns`},
	{"spaces", func(w *widget) []string { return keys{strings.TrimSpace(w.Spec.Node)} }, `the function returns`},
	{"a prefix", func(w *widget) []string {
		if !strings.HasPrefix(w.Spec.Kind, "A") {
			return nil
		}
		return keys{w.Spec.Node}
	}, `the function returns`},
	{"case does not count", func(w *widget) []string {
		if !strings.EqualFold(w.Spec.Kind, "Secret") {
			return nil
		}
		return keys{w.Spec.Node}
	}, `the function returns`},
	{"one of two structs, of Argo Rollouts", func(w *widget) (out []string) {
		add := func(name string) {
			if name != "" {
				out = append(out, w.Meta.Namespace+"/"+name)
			}
		}
		if g := w.Spec.Green; g != nil {
			add(g.Active)
			add(g.Preview)
		} else if c := w.Spec.Canary; c != nil {
			add(c.Active)
			add(c.Preview)
		}
		return out
	}, "+index:ref:name=NAME,path=.spec.canary.active,if=!.spec.green +index:ref:name=NAME,path=.spec.canary.preview,if=!.spec.green " +
		"+index:ref:name=NAME,path=.spec.green.active +index:ref:name=NAME,path=.spec.green.preview"},
	{"a name with its namespace, if it has one", func(w *widget) []string {
		namespace, name, ok := strings.Cut(w.Spec.Node, "/")
		if !ok {
			return keys{w.Meta.Namespace + "/" + w.Spec.Node}
		}
		return keys{namespace + "/" + name}
	}, "+index:ref:name=NAME,path=.spec.node"},
	{"keys of a map", func(w *widget) (out []string) {
		for k := range w.Meta.Labels {
			out = append(out, k)
		}
		return out
	}, "keys of a map"},
	{"the last of a kind", func(w *widget) (out []string) {
		for _, r := range w.Spec.Refs {
			if r.Kind == "A" {
				out = keys{r.Name}
			}
		}
		return out
	}, "+index:name=NAME,path=.spec.refs[?(@.kind==\"A\")].name"},
	{"the first of a kind", func(w *widget) []string {
		for _, r := range w.Spec.Refs {
			if r.Kind == "A" {
				return keys{r.Name}
			}
		}
		return nil
	}, "+index:name=NAME,path=.spec.refs[?(@.kind==\"A\")].name"},
	{"a time that is set", func(w *widget) []string {
		if w.Spec.Since != nil {
			return nil
		}
		return keys{w.Spec.Node}
	}, "+index:name=NAME,path=.spec.node,if=!.spec.since"},
	{"a time", func(w *widget) []string {
		if w.Spec.Since != nil && w.Spec.Since.IsZero() {
			return nil
		}
		return keys{w.Spec.Node}
	}, `the function returns [], and +index:path=.spec.node [`},
	{"a number with a fraction", func(w *widget) []string {
		if w.Spec.Share < 7 {
			return nil
		}
		return keys{w.Spec.Node}
	}, `the function returns [], and +index:path=.spec.node [`},
	{"a state", func(w *widget) []string {
		for _, r := range w.Spec.Refs {
			if r.Kind == "A" && !w.Spec.Paused {
				return keys{"busy"}
			}
		}
		return nil
	}, `+index:name=NAME,if={.spec.paused==false,.spec.refs[?(@.kind=="A")]},value="busy"`},
	{"two states", func(w *widget) []string { return keys{strconv.FormatBool(w.Spec.Kind == "A")} },
		`+index:name=NAME,if=.spec.kind=="A"+index:name=NAME,if=.spec.kind!="A",value="false"`},
	{"no key", func(w *widget) []string { return nil }, "no object that was tried has a key"},
	{"a key of all objects", func(w *widget) []string { return keys{"all"} }, `the key "all" of all objects`},
	{"some element", func(w *widget) []string {
		for _, r := range w.Spec.Refs {
			if r.Kind == "A" {
				return keys{w.Spec.Node}
			}
		}
		return nil
	}, "a condition on some element of .spec.refs that the key does not come from"},
}

// mentioned returns names of fields, as the source of functions mentions them.
func mentioned() map[string]bool {
	fields := map[string]bool{}
	for _, name := range strings.Fields("Name Namespace Labels Annotations Spec Status Node Other Kind Class Paused Enabled " +
		"Since Share Count Limit Green Canary Active Preview Ref Local Names Refs ByZone Conditions Type Group Zone") {
		fields[name] = true
	}
	return fields
}

// nearMisses are functions that differ from markers for few objects, and their constants, with | between.
var nearMisses = []struct {
	name, constants string
	leaves          func(w *widget) bool
}{
	{"a prefix of the own namespace", "kube-", func(w *widget) bool { return strings.HasPrefix(w.Meta.Namespace, "kube-") }},
	{"a prefix of the name", "kube-", func(w *widget) bool { return strings.HasPrefix(w.Meta.Name, "kube-") }},
	{"a prefix beside another constant", "none|sys-", func(w *widget) bool {
		return w.Spec.Node == "none" || strings.HasPrefix(w.Spec.Node, "sys-")
	}},
	{"more than three elements", "3", func(w *widget) bool { return len(w.Spec.Names) > 3 }},
	{"a long text", "63", func(w *widget) bool { return len(w.Spec.Node) > 63 }},
	{"a number between constants", "1|5|10", func(w *widget) bool {
		return w.Spec.Count == 1 || w.Spec.Count > 5 && w.Spec.Count < 10
	}},
	{"a negative number", "0", func(w *widget) bool { return w.Spec.Count < 0 }},
	{"a time that is compared with now", "", func(w *widget) bool {
		return w.Spec.Since != nil && time.Since(w.Spec.Since.Time) < time.Hour
	}},
	{"a large number with a fraction", "80", func(w *widget) bool { return w.Spec.Share > 80 }},
	{"a constant in lower case", "SECRET", func(w *widget) bool { return w.Spec.Kind == strings.ToLower("SECRET") }},
	{"a constant that no marker has", "not set", func(w *widget) bool { return w.Spec.Kind == "not set" }},
}

// inShort reports whether a row of a table runs under -short: one of ten does, and these are quick ones.
func inShort(row int) bool { return !testing.Short() || row%10 == 1 }

func TestNearMissesAreRefused(t *testing.T) {
	for i, c := range nearMisses {
		if !inShort(i) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := Learn(&Function{
				Types: []func() any{func() any { return new(widget) }},
				Call: func(o any) ([]string, error) {
					w := o.(*widget)
					if c.leaves(w) {
						return nil, nil
					}
					return keys{w.Spec.Node}, nil
				},
				Fields: mentioned(),
				Words:  map[string][]string{"": strings.Split(c.constants, "|")},
			})
			if !strings.Contains(a.Reason, "the function returns") {
				t.Errorf("got %q and %v", a.Reason, a.Indexes)
			}
		})
	}
}

func TestLearn(t *testing.T) {
	for i, c := range examples {
		if !inShort(i) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := Learn(&Function{
				Types:  []func() any{func() any { return new(widget) }},
				Call:   func(o any) ([]string, error) { return c.f(o.(*widget)), nil },
				Fields: mentioned(),
				Words:  map[string][]string{"kind": {"A", "B", "Secret"}, "": {"standard", ".local", "kube-system", "Ready", "Unknown", "g", "3", "7"}},
				Keys:   map[bool][]string{false: {"app"}, true: {"app", "zone", "team", "role", "tier"}}[c.name == "alternatives"],
			})
			got := a.Reason
			for _, ix := range a.Indexes {
				got += strings.Join(slices.Sorted(slices.Values(ix.Markers)), " ")
			}
			if got != c.want && (a.Reason == "" || !strings.Contains(got, c.want)) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			for _, ix := range a.Indexes {
				notes := strings.Join(ix.Notes, "\n")
				if panics := strings.HasPrefix(c.name, "a panic of one"); panics != strings.Contains(notes, "the function panics: ") {
					t.Errorf("notes: %s", notes)
				}
			}
		})
	}
}

// TestNotes has functions that differ from their markers for unusual objects. A note shows an object in which only the field
// that it names is unusual.
func TestNotes(t *testing.T) {
	for i, c := range []struct {
		name string
		f    func(w *widget) []string
		want []string // how notes begin, and what they do not contain after a !
	}{
		{"a list that is not nil", func(w *widget) []string {
			if w.Spec.Names != nil {
				return keys{w.Spec.Node}
			}
			return nil
		}, []string{`if .spec.names is empty: for {"spec":{"node":"a","names":[]}} the function`}},
		{"of Apache APISIX", func(w *widget) (out []string) {
			for _, r := range w.Spec.Refs {
				if deref(r.Enabled, false) {
					out = append(out, w.Meta.Namespace+"/"+r.Name)
				}
			}
			return out
		}, []string{`if .spec.refs[*].name is empty or absent: for !"name":""`}},
		{"the first of several, of OpenKruise", func(w *widget) []string {
			for _, r := range w.Spec.Refs {
				if deref(r.Enabled, false) && r.Kind == "A" {
					return keys{r.Name}
				}
			}
			return nil
		}, []string{`if .spec.refs has several such elements: for {"spec":{"refs":[{`}},
		{"a name in place of another, of ironcore", func(w *widget) []string {
			if w.Spec.Local != nil {
				return keys{w.Spec.Local.Name}
			} else if w.Spec.Ref != nil {
				return keys{w.Meta.Name}
			}
			return keys{""}
		}, []string{`if .spec.local.name is empty or absent: for {}`}},
		{"fields of one kind", func(w *widget) []string {
			return keys{w.Meta.Namespace + "/" + w.Spec.Node, w.Meta.Namespace + "/" + w.Spec.Other}
		},
			[]string{`if .spec.node or .spec.other is empty or absent: for `}},
		{"a namespace, which objects have", func(w *widget) []string {
			namespace := w.Meta.Namespace
			if other := w.Meta.Annotations["app"]; other != "" {
				namespace = other
			}
			return keys{namespace + "/" + w.Spec.Node}
		}, []string{`if .spec.node is empty or absent: for `}},
	} {
		if !inShort(i) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := Learn(&Function{
				Types:  []func() any{func() any { return new(widget) }},
				Call:   func(o any) ([]string, error) { return c.f(o.(*widget)), nil },
				Fields: mentioned(),
				Words:  map[string][]string{"kind": {"A"}},
				Keys:   []string{"app"},
			})
			if a.Reason != "" || len(a.Indexes[0].Notes) != len(c.want) {
				t.Fatalf("got %+v", a.Indexes)
			}
			for i, note := range a.Indexes[0].Notes {
				want, not, hasNot := strings.Cut(c.want[i], "!")
				if !strings.HasPrefix(note, want) || hasNot && strings.Contains(note, not) {
					t.Errorf("got %s, want %s", note, c.want[i])
				}
			}
		})
	}
}

// TestConditionsOfSource has functions whose conditions note how they are, as package migrate edits them. It is not
// parallel: a program notes the conditions of one function.
func TestConditionsOfSource(t *testing.T) {
	for _, c := range []struct {
		name, constant string
		leaves         func(w *widget) bool
		refused        bool
	}{
		{"a prefix that is computed", "", func(w *widget) bool {
			return Seen(1, strings.HasPrefix(Text(1, w.Meta.Name), Text(1, "pre-"+w.Spec.Node+"-hook")))
		}, true},
		{"one constant of many", "K33", func(w *widget) bool { return Seen(1, Text(1, w.Spec.Kind) == "K33") }, true},
		{"a case", "a b", func(w *widget) bool {
			switch Tag(w.Spec.Other, 1) {
			case "a b":
				return Seen(1, true)
			}
			return false
		}, true},
		{"a text that is not tried", "", func(w *widget) bool { return Seen(1, len(Text(1, w.Spec.Node)) == 977) }, false},
	} {
		a := Learn(&Function{
			Types: []func() any{func() any { return new(widget) }},
			Call: func(o any) ([]string, error) {
				w := o.(*widget)
				if c.leaves(w) {
					return nil, nil
				}
				return keys{w.Spec.Node}, nil
			},
			Fields:    map[string]bool{"Meta": true, "Name": true, "Spec": true, "Node": true, "Kind": true, "Other": true},
			Constants: map[int][]string{1: {c.constant}},
		})
		if refused := strings.Contains(a.Reason, "the function returns []"); refused != c.refused || len(a.OneWay) == 1 == refused {
			t.Errorf("%s: %q, %v, one way %v", c.name, a.Reason, a.Indexes, a.OneWay)
		}
	}
}
