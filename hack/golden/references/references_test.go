// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package references

import (
	"os"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func key(namespace, name string) types.NamespacedName {
	return types.NamespacedName{Namespace: namespace, Name: name}
}

func name(s string) *Name { return new(Name(s)) }

func parent(group, kind, namespace *Name, to Name) ParentRef {
	return ParentRef{Group: group, Kind: kind, Namespace: namespace, Name: to}
}

var route = metav1.ObjectMeta{Namespace: "own", Name: "r"}

func equal[V comparable](t *testing.T, what string, got []V, want ...V) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: the keys are %v, want %v", what, got, want)
	}
}

func TestGroupAndKind(t *testing.T) {
	const group = "gateway.networking.k8s.io"
	for _, test := range []struct {
		what        string
		group, kind *Name
		matches     bool
	}{
		{"equal", name(group), name("Gateway"), true},
		{"absent", nil, nil, true},
		{"an empty kind", nil, name(""), false},
		{"an empty group", name(""), nil, false},
		{"another kind", name(group), name("Service"), false},
		{"another group", name("example.com"), name("Gateway"), false},
		{"core for another group", name("core"), name("Gateway"), false},
	} {
		var want []types.NamespacedName
		if test.matches {
			want = append(want, key("own", "a"))
		}
		r := &Route{ObjectMeta: route, Spec: RouteSpec{Parents: []ParentRef{parent(test.group, test.kind, nil, "a")}}}
		equal(t, test.what, IndexRouteByGateway(nil, r), want...)
		r.Spec.Inline = []InlineRef{{ParentRef: &r.Spec.Parents[0]}}
		equal(t, test.what+", inlined", IndexRouteByInline(nil, r), want...)
	}
	r := &Route{ObjectMeta: route, Spec: RouteSpec{Inline: make([]InlineRef, 1)}}
	equal(t, "a nil embedded struct", IndexRouteByInline(nil, r))
}

func TestCoreGroup(t *testing.T) {
	for _, test := range []struct {
		group   *string
		matches bool
	}{
		{nil, true}, {new(""), true}, {new("v1"), true}, {new("core"), true}, {new("v2"), false}, {new("apps"), false},
	} {
		backend := &TypedRef{APIGroup: test.group, Kind: "Service", Name: "a"}
		r := &Route{ObjectMeta: route, Spec: RouteSpec{Backends: []*TypedRef{nil, backend}}}
		if got := len(IndexRouteByService(nil, r)) == 1; got != test.matches {
			t.Errorf("the group %v matches: %t, want %t", test.group, got, test.matches)
		}
	}
}

func TestAPIVersion(t *testing.T) {
	for _, test := range []struct {
		version                 Name
		kind                    string
		repository, secretMatch bool
	}{
		{"source.toolkit.fluxcd.io/v1", "GitRepository", true, false},
		{"source.toolkit.fluxcd.io/v1", "", false, false},
		{"", "GitRepository", true, false},
		{"", "Secret", false, true},
		{"", "", false, false},
		{"v1", "Secret", false, true},
		{"/v1", "Secret", false, true},
		{"v1", "GitRepository", false, false},
		{"source.toolkit.fluxcd.io/v1/x", "GitRepository", false, false},
		{"source.toolkit.fluxcd.io/v1", "Secret", false, false},
		{"sources.toolkit.fluxcd.io/v1", "GitRepository", false, false},
	} {
		ref := &VersionedRef{APIVersion: test.version, Kind: test.kind, Name: new("a")}
		r := &Route{ObjectMeta: route, Spec: RouteSpec{Source: ref}}
		if got := len(IndexRouteByRepository(nil, r)) == 1; got != test.repository {
			t.Errorf("%s %s is a GitRepository: %t", test.version, test.kind, got)
		}
		if got := len(IndexRouteBySourceSecret(nil, r)) == 1; got != test.secretMatch {
			t.Errorf("%s %s is a Secret: %t", test.version, test.kind, got)
		}
	}
}

func TestNamespaces(t *testing.T) {
	r := &Route{ObjectMeta: route, Spec: RouteSpec{
		Parents: []ParentRef{
			parent(nil, nil, nil, "a"), parent(nil, nil, name(""), "b"), parent(nil, nil, name("other"), "c"),
			parent(nil, nil, nil, ""),
		},
		Settings: &LocalRef{"s"}, Proxy: "p", Class: "c",
	}}
	equal(t, "structs", IndexRouteByGateway(nil, r), key("own", "a"), key("own", "b"), key("other", "c"))
	equal(t, "a cluster-scoped target", IndexRouteByParentClass(nil, r), "a", "b", "c")
	equal(t, "a struct with a name", IndexRouteBySettings(nil, r), key("own", "s"))
	equal(t, "a string", IndexRouteByProxy(nil, r), key("own", "p"))
	equal(t, "a string, of a cluster-scoped target", IndexRouteByClass(nil, r), "c")
	for text, want := range map[string][]types.NamespacedName{
		"other/p": {key("other", "p")}, "a/b/c": nil, "/p": nil, "other/": nil, "": nil,
	} {
		r.Spec.Proxy, r.Spec.Class, r.Annotations = text, text, map[string]string{"example.com/secret": text}
		equal(t, text, IndexRouteByProxy(nil, r), want...)
		equal(t, text, IndexRouteByAnnotated(nil, r), want...)
		equal(t, text+", of a cluster-scoped target", IndexRouteByClass(nil, r))
	}
	class := &RouteClass{Spec: RouteClassSpec{Credentials: Ref{name("other"), "s"}, Parent: "p", Config: "other/c"}}
	equal(t, "of a cluster-scoped object", IndexRouteClassBySecret(nil, class), key("other", "s"))
	class.Spec.Credentials.Namespace, class.Spec.Config = nil, "c"
	equal(t, "of a cluster-scoped object without a namespace", IndexRouteClassBySecret(nil, class))
	equal(t, "a name in a cluster-scoped object", IndexRouteClassByConfig(nil, class))
	class.Spec.Config = "other/c"
	equal(t, "between cluster-scoped objects", IndexRouteClassByParent(nil, class), "p")
	equal(t, "namespace/name of a cluster-scoped object", IndexRouteClassByConfig(nil, class), key("other", "c"))
}

func TestUnionsAndFilters(t *testing.T) {
	r := &Route{
		ObjectMeta: metav1.ObjectMeta{Namespace: "own", Labels: map[string]string{"word": "label"}},
		Spec: RouteSpec{
			Class: "c-d", Host: new("host"), Auth: Auth{Credentials: Ref{Name: "a"}, Token: "t"},
			Fallback: &Auth{Credentials: Ref{name("other"), "b"}},
			Mirrors:  map[string]TypedRef{"m": {Kind: "Service", Name: "mirror"}},
			Backends: []*TypedRef{{Kind: "Service", Name: "backend"}, {Kind: "ConfigMap", Name: "settings"}, {Kind: "Service", Name: "hidden"}},
			Listeners: []Listener{
				{Name: "ready", Ready: new(true), Main: true}, {Name: "unready", Ready: new(false), Main: true},
				{Name: "unknown"}, {Name: "strict", Main: true, TLS: &TLS{Options: Options{Strict: true}}},
				{Name: "tls", Main: true, TLS: &TLS{Mode: name("Terminate"), Certificates: []ParentRef{
					parent(nil, name("Secret"), nil, "x"), parent(nil, name("ConfigMap"), nil, "y")}}},
				{Name: "passed", Main: true, TLS: &TLS{Mode: name("Pass"), Certificates: []ParentRef{parent(nil, nil, nil, "z")}}},
			},
		},
	}
	equal(t, "paths", IndexRouteByWord(nil, r), "c-d", "host", "label", "ready", "unknown")
	equal(t, "references", IndexRouteByService(nil, r), key("own", "backend"), key("own", "hidden"), key("own", "mirror"))
	equal(t, "a filter of references", IndexRouteByVisible(nil, r), key("own", "backend"))
	equal(t, "a field that is reached twice", IndexRouteByCredentials(nil, r), key("own", "a"), key("other", "b"))
	equal(t, "functions", IndexRouteByPart(nil, r), "c", "d", "t")
	equal(t, "a dotted filter", IndexRouteByCertificate(nil, r), key("own", "x"))
	equal(t, "ordered", IndexRouteByStrict(nil, r), "strict", "ready", "unready", "strict", "tls", "passed")
	equal(t, "zero values", IndexRouteByWord(nil, &Route{Spec: RouteSpec{Host: new("")}}), "")
	equal(t, "an omitted number", IndexRouteByTimeout(nil, &Route{Spec: RouteSpec{Timeout: new(int32(0))}}))
	equal(t, "a number", IndexRouteByTimeout(nil, &Route{Spec: RouteSpec{Timeout: new(int32(1))}}), 1)
	equal(t, "an omitted boolean", IndexRouteByPaused(nil, new(Route)))
	equal(t, "no times", IndexRouteByCreated(nil, new(Route)))

	x := NewRouteIndexer()
	if err := x.Set(r); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"host", "label", "unknown"} {
		if got := slices.Collect(x.ByWord(word)); len(got) != 1 {
			t.Errorf("ByWord(%s) yields %d objects", word, len(got))
		}
	}
	if got := slices.Collect(x.ByStrictRange("strict", "tls")); len(got) != 1 {
		t.Errorf("ByStrictRange yields %d objects", len(got))
	}
	if n := x.Handles().ByService.Count(x.Reader(), key("own", "mirror")); n != 1 {
		t.Errorf("%d objects refer to the mirror", n)
	}
}

// TestSharedPrefix tests unions whose paths begin alike, at each end of the shared prefix.
func TestSharedPrefix(t *testing.T) {
	whole := &Workload{Labels: map[string]string{"secret": "label", "a": "", "b": "B"}, Template: &Template{
		Pull: []LocalRef{{"pull"}, {"pull2"}}, Token: &LocalRef{"token"}, Config: "config",
		Volumes: []Volume{{}, {Secret: &LocalRef{"volume"}}},
		Cert:    &Ref{Name: "cert"}, Key: &Ref{Namespace: name("other"), Name: "key"},
	}}
	r := &Route{ObjectMeta: route, Spec: RouteSpec{Workload: whole, Paused: true}}
	equal(t, "all paths", IndexRouteByMounted(nil, r), key("own", "pull"), key("own", "pull2"), key("own", "token"),
		key("own", "volume"), key("own", "config"), key("own", "label"))
	equal(t, "structs", IndexRouteByPair(nil, r), key("own", "cert"), key("other", "key"))
	equal(t, "conditions", IndexRouteByLabel(nil, r), "B", "config")

	r.Spec.Workload = &Workload{Template: &Template{}, Labels: map[string]string{"secret": "label"}}
	equal(t, "an empty end", IndexRouteByMounted(nil, r), key("own", "label"))
	equal(t, "no structs", IndexRouteByPair(nil, r))
	equal(t, "no values", IndexRouteByLabel(nil, r), "none")

	r.Spec.Workload.Template = nil
	equal(t, "half of the prefix", IndexRouteByMounted(nil, r), key("own", "label"))
	equal(t, "half of the prefix", IndexRouteByPair(nil, r))
	r.Spec.Workload = nil
	equal(t, "no prefix", IndexRouteByMounted(nil, r))
	equal(t, "no prefix, else", IndexRouteByLabel(nil, r), "none")
	r.Spec.Paused = false
	equal(t, "not paused", IndexRouteByLabel(nil, r))
}

// TestSharedPrefixIsWalkedOnce tests that the code of a union tests what its paths share once.
func TestSharedPrefixIsWalkedOnce(t *testing.T) {
	emitted, err := os.ReadFile("zz_generated.indexers.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]string{"Mounted": ".Workload == nil", "Pair": ".Template == nil", "Label": "!r.Spec.Paused"} {
		_, code, _ := strings.Cut(string(emitted), "func IndexRouteBy"+name+"(")
		code, _, _ = strings.Cut(code, "\n}")
		word := strings.Fields(strings.TrimLeft(test, "!"))[0]
		if tests := strings.Count(code, test) + strings.Count(code, word+" != nil"); tests != 1 {
			t.Errorf("IndexRouteBy%s tests %s %d times, want once:\n%s", name, word, tests, code)
		}
	}
}

func TestReferencesAllocateNothing(t *testing.T) {
	ref := parent(name("gateway.networking.k8s.io"), name("Gateway"), name("other"), "a")
	secret := parent(nil, name("Secret"), nil, "a")
	r := &Route{
		ObjectMeta: metav1.ObjectMeta{Namespace: "own", Labels: map[string]string{"node": "n"},
			Annotations: map[string]string{"example.com/secret": "other/s"}},
		Spec: RouteSpec{
			Class: "c", Proxy: "other/p", Settings: &LocalRef{"s"}, Parents: []ParentRef{ref},
			Backends: []*TypedRef{{Kind: "Service", Name: "b"}}, Mirrors: map[string]TypedRef{"m": {Name: "m"}},
			Source: &VersionedRef{APIVersion: "source.toolkit.fluxcd.io/v1", Kind: "GitRepository", Name: new("r")},
			Inline: []InlineRef{{ParentRef: &ref}}, Auth: Auth{Credentials: Ref{Name: "a"}},
			Listeners: []Listener{{TLS: &TLS{Mode: name("Terminate"), Certificates: []ParentRef{secret}}}},
		},
	}
	for what, f := range map[string]func([]types.NamespacedName, *Route) []types.NamespacedName{
		"Gateway": IndexRouteByGateway, "Service": IndexRouteByService, "Repository": IndexRouteByRepository,
		"Inline": IndexRouteByInline, "Certificate": IndexRouteByCertificate, "Annotated": IndexRouteByAnnotated,
		"Proxy": IndexRouteByProxy, "Settings": IndexRouteBySettings, "Credentials": IndexRouteByCredentials,
	} {
		allocatesNothing(t, what, f, r)
	}
	for what, f := range map[string]func([]string, *Route) []string{
		"Class": IndexRouteByClass, "Node": IndexRouteByNode,
	} {
		allocatesNothing(t, what, f, r)
	}
}

func allocatesNothing[V any](t *testing.T, what string, f func([]V, *Route) []V, r *Route) {
	t.Helper()
	dst := make([]V, 0, 8)
	if len(f(dst, r)) == 0 {
		t.Errorf("%s: there are no keys", what)
	}
	if n := testing.AllocsPerRun(100, func() { f(dst, r) }); n > 0 {
		t.Errorf("%s: %g allocations", what, n)
	}
}

func TestConditions(t *testing.T) {
	r := &Route{ObjectMeta: route, Spec: RouteSpec{
		Class: "c", Proxy: "p", Paused: true,
		Listeners: []Listener{
			{Name: "ready", Ready: new(true)}, {Name: "unready"},
			{Name: "passed", Ready: new(true), TLS: &TLS{Mode: name("Pass")}},
		},
	}}
	dst := make([]string, 0, 8)
	if n := testing.AllocsPerRun(10, func() { IndexRouteByHeld(dst, r) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	equal(t, "without a host", IndexRouteByHeld(nil, r), "c")
	equal(t, "a list with elements", IndexRouteByHeldProxy(nil, r), key("own", "p"))
	r.Labels = map[string]string{"word": "held"}
	equal(t, "of both sources", IndexRouteByHeld(nil, r), "c", "ready")
	r.Spec.Host = new("a")
	equal(t, "with the other host", IndexRouteByHeld(nil, r), "ready")
	r.Spec.Host, r.Spec.Timeout, r.Spec.Listeners = nil, new(int32(0)), nil
	equal(t, "with a timeout", IndexRouteByHeld(nil, r))
	equal(t, "an empty list", IndexRouteByHeldProxy(nil, r))
}

// TestElse checks that the value of else= takes the place of no value, and of empty strings only.
func TestElse(t *testing.T) {
	r := &Route{ObjectMeta: route}
	r.Annotations = map[string]string{"name": "annotated"}
	equal(t, "a nil pointer", IndexRouteByShown(nil, r), "r")
	equal(t, "no element", IndexRouteByMode(nil, r), "Terminate")
	equal(t, "no element, and no list that both share", IndexRouteByCertified(nil, r))
	equal(t, "no integer and no element", IndexRouteByWait(nil, r), 30, -1)
	equal(t, "sources of their own", IndexRouteByEither(nil, r), "", "annotated")
	equal(t, "no name", IndexRouteByHandler(nil, r), key("own", "default"))
	equal(t, "neither name nor label", IndexRouteByFallback(nil, r))
	r.Labels = map[string]string{"class": "labeled"}
	equal(t, "no name, and a label", IndexRouteByFallback(nil, r), "labeled")
	r.Spec = RouteSpec{
		Host: new(""), Proxy: "p", Class: "c", Timeout: new(int32(0)), Parents: []ParentRef{{}},
		Listeners: []Listener{
			{TLS: &TLS{Mode: name("")}}, {Main: true}, {Main: true, TLS: &TLS{Mode: name("main")}},
			{Main: true, TLS: &TLS{Mode: name("main"), Certificates: []ParentRef{{}, {Name: "a"}}}},
			{Main: true, TLS: &TLS{Mode: name("empty"), Certificates: []ParentRef{{}}}},
		},
	}
	equal(t, "an empty string", IndexRouteByShown(nil, r), "r")
	equal(t, "an empty string and others", IndexRouteByMode(nil, r), "", "main", "main", "empty")
	equal(t, "for each element", IndexRouteByCertified(nil, r), "main", "", "a", "empty")
	equal(t, "zeros", IndexRouteByWait(nil, r), 0, 0)
	equal(t, "empty strings of a union", IndexRouteByEither(nil, r), "c", "annotated")
	equal(t, "a name", IndexRouteByHandler(nil, r), key("own", "p"))
	equal(t, "a name and a label", IndexRouteByFallback(nil, r), "c")
	r.Spec.Listeners = r.Spec.Listeners[:1]
	equal(t, "only empty strings", IndexRouteByMode(nil, r), "Terminate")
	r.Spec.Paused, r.Spec.Parents = true, nil
	equal(t, "an object that does not satisfy the condition", IndexRouteByWait(nil, r), -1)
	for what, f := range map[string]func([]string, *Route) []string{
		"Shown": IndexRouteByShown, "Either": IndexRouteByEither, "Fallback": IndexRouteByFallback,
	} {
		allocatesNothing(t, what, f, r)
	}
	allocatesNothing(t, "Mode", IndexRouteByMode, r)
	allocatesNothing(t, "Handler", IndexRouteByHandler, r)
}
