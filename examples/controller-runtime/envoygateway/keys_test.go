// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package envoygateway

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"
)

// theirs are the index functions of Envoy Gateway, by name. They are in a file that TestKeys adds.
var theirs = map[string]client.IndexerFunc{}

// pairs are the functions of theirs, with the indexes of ours that replace them.
var pairs = []struct {
	theirs string
	ours   []string
	random func(*rand.Rand) client.Object
}{
	{"gatewayHTTPRouteIndexFunc", []string{"ByGateway"}, httpRoute},
	{"gatewayGRPCRouteIndexFunc", []string{"ByGateway"}, grpcRoute},
	{"gatewayTLSRouteIndexFunc", []string{"ByGateway"}, tlsRoute},
	{"gatewayTCPRouteIndexFunc", []string{"ByGateway"}, tcpRoute},
	{"gatewayUDPRouteIndexFunc", []string{"ByGateway"}, udpRoute},
	{"listenerSetHTTPRouteIndexFunc", []string{"ByListenerSet"}, httpRoute},
	{"listenerSetGRPCRouteIndexFunc", []string{"ByListenerSet"}, grpcRoute},
	{"listenerSetTLSRouteIndexFunc", []string{"ByListenerSet"}, tlsRoute},
	{"listenerSetTCPRouteIndexFunc", []string{"ByListenerSet"}, tcpRoute},
	{"listenerSetUDPRouteIndexFunc", []string{"ByListenerSet"}, udpRoute},
	{"backendHTTPRouteIndexFunc", []string{"ByService", "ByServiceImport", "ByBackend"}, httpRoute},
	{"backendGRPCRouteIndexFunc", []string{"ByService", "ByBackend"}, grpcRoute},
	{"backendTLSRouteIndexFunc", []string{"ByService", "ByBackend"}, tlsRoute},
	{"backendTCPRouteIndexFunc", []string{"ByService", "ByBackend"}, tcpRoute},
	{"backendUDPRouteIndexFunc", []string{"ByService", "ByBackend"}, udpRoute},
	{"httpRouteFilterHTTPRouteIndexFunc", []string{"ByFilter"}, func(r *rand.Rand) client.Object {
		route := httpRoute(r).(*HTTPRoute)
		for i := range route.Spec.Rules { // see defects
			route.Spec.Rules[i].Filters = append(route.Spec.Rules[i].Filters, gatewayv1.HTTPRouteFilter{})
		}
		return route
	}},
	{"httpRouteFilterGRPCRouteIndexFunc", []string{"ByFilter"}, grpcRoute},
	{"gatewayIndexFunc", []string{"spec.gatewayClassName"}, gateway},
	{"secretGatewayIndexFunc", []string{"BySecret"}, gateway},
	{"gatewayListenerSetIndexFunc", []string{"ByGateway"}, listenerSet},
	{"secretListenerSetIndexFunc", []string{"BySecret"}, listenerSet},
	{"configMapBtlsIndexFunc", []string{"ByConfigMap"}, policy},
	{"secretBtlsIndexFunc", []string{"BySecret"}, policy},
	{"clusterTrustBundleBtlsIndexFunc", []string{"ByClusterTrustBundle"}, policy},
	{"getReferenceGrantIndexerFunc", []string{"ByKind"}, func(r *rand.Rand) client.Object {
		grant := &ReferenceGrant{}
		for range r.IntN(3) {
			grant.Spec.To = append(grant.Spec.To,
				gatewayv1beta1.ReferenceGrantTo{Kind: pick[gatewayv1.Kind](r, "Service", "Secret")})
		}
		return grant
	}},
	{"serviceEndpointSliceIndexFunc", []string{"ByService"}, endpointSlice},
	{"serviceImportEndpointSliceIndexFunc", []string{"ByServiceImport"}, endpointSlice},
}

// defects are objects for which a function of theirs yields other keys than it should. A marker yields the
// right ones.
var defects = []struct {
	theirs, what string
	ours         []string
	obj          client.Object
	has, want    []string
}{
	{
		"httpRouteFilterHTTPRouteIndexFunc", "filters of backends are missed in a rule without filters of its own",
		[]string{"ByFilter"},
		&HTTPRoute{ObjectMeta: metav1.ObjectMeta{Namespace: "ns"}, Spec: gatewayv1.HTTPRouteSpec{
			Rules: []gatewayv1.HTTPRouteRule{{BackendRefs: []gatewayv1.HTTPBackendRef{{
				Filters: []gatewayv1.HTTPRouteFilter{{ExtensionRef: &gatewayv1.LocalObjectReference{
					Group: "gateway.envoyproxy.io", Kind: "HTTPRouteFilter", Name: "a"}}},
			}}}},
		}},
		nil, []string{"ns/a"},
	},
	{
		"backendTCPRouteIndexFunc", "a Backend has the key of a Service of its name",
		[]string{"ByService"},
		&TCPRoute{ObjectMeta: metav1.ObjectMeta{Namespace: "ns"}, Spec: gatewayv1.TCPRouteSpec{
			Rules: []gatewayv1.TCPRouteRule{{BackendRefs: []gatewayv1.BackendRef{{
				BackendObjectReference: gatewayv1.BackendObjectReference{
					Group: new(gatewayv1.Group("gateway.envoyproxy.io")), Kind: new(gatewayv1.Kind("Backend")), Name: "a"},
			}}}},
		}},
		[]string{"ns/a"}, nil,
	},
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// optional returns nil or a pointer to one of from.
func optional[T any](r *rand.Rand, from ...T) *T {
	if r.IntN(2) == 0 {
		return nil
	}
	return new(pick(r, from...))
}

func named(r *rand.Rand) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: pick(r, "ns1", "ns2"), Name: "a"}
}

func parents(r *rand.Rand) (out gatewayv1.CommonRouteSpec) {
	for range r.IntN(4) {
		out.ParentRefs = append(out.ParentRefs, gatewayv1.ParentReference{
			Group:     new(gatewayv1.Group(gatewayv1.GroupName)),
			Kind:      new(pick[gatewayv1.Kind](r, "Gateway", "ListenerSet", "Service")),
			Namespace: optional[gatewayv1.Namespace](r, "ns1", "ns3"),
			Name:      pick[gatewayv1.ObjectName](r, "a", "b"),
		})
	}
	return out
}

func several[T any](r *rand.Rand, make func() T) (out []T) {
	for range r.IntN(3) {
		out = append(out, make())
	}
	return out
}

func httpRoute(r *rand.Rand) client.Object {
	return &HTTPRoute{ObjectMeta: named(r), Spec: gatewayv1.HTTPRouteSpec{
		CommonRouteSpec: parents(r), Rules: several(r, func() gatewayv1.HTTPRouteRule {
			return gatewayv1.HTTPRouteRule{Filters: httpFilters(r), BackendRefs: several(r, func() gatewayv1.HTTPBackendRef {
				return gatewayv1.HTTPBackendRef{BackendRef: backend(r, "ServiceImport"), Filters: httpFilters(r)}
			})}
		}),
	}}
}

func httpFilters(r *rand.Rand) []gatewayv1.HTTPRouteFilter {
	return several(r, func() gatewayv1.HTTPRouteFilter {
		if r.IntN(2) == 0 {
			return gatewayv1.HTTPRouteFilter{Type: gatewayv1.HTTPRouteFilterExtensionRef, ExtensionRef: extension(r)}
		}
		return gatewayv1.HTTPRouteFilter{Type: gatewayv1.HTTPRouteFilterRequestMirror,
			RequestMirror: &gatewayv1.HTTPRequestMirrorFilter{BackendRef: backend(r, "ServiceImport").BackendObjectReference}}
	})
}

func grpcRoute(r *rand.Rand) client.Object {
	return &GRPCRoute{ObjectMeta: named(r), Spec: gatewayv1.GRPCRouteSpec{
		CommonRouteSpec: parents(r), Rules: several(r, func() gatewayv1.GRPCRouteRule {
			rule := gatewayv1.GRPCRouteRule{BackendRefs: several(r, func() gatewayv1.GRPCBackendRef {
				return gatewayv1.GRPCBackendRef{BackendRef: backend(r)}
			})}
			if r.IntN(2) == 0 {
				rule.Filters = append(rule.Filters, gatewayv1.GRPCRouteFilter{
					Type: gatewayv1.GRPCRouteFilterExtensionRef, ExtensionRef: extension(r)})
			}
			if r.IntN(2) == 0 {
				rule.Filters = append(rule.Filters, gatewayv1.GRPCRouteFilter{
					Type:          gatewayv1.GRPCRouteFilterRequestMirror,
					RequestMirror: &gatewayv1.HTTPRequestMirrorFilter{BackendRef: backend(r).BackendObjectReference}})
			}
			return rule
		}),
	}}
}

func tlsRoute(r *rand.Rand) client.Object {
	return &TLSRoute{ObjectMeta: named(r), Spec: gatewayv1.TLSRouteSpec{
		CommonRouteSpec: parents(r), Rules: several(r, func() gatewayv1.TLSRouteRule {
			return gatewayv1.TLSRouteRule{BackendRefs: backends(r)}
		}),
	}}
}

func tcpRoute(r *rand.Rand) client.Object {
	return &TCPRoute{ObjectMeta: named(r), Spec: gatewayv1.TCPRouteSpec{
		CommonRouteSpec: parents(r), Rules: several(r, func() gatewayv1.TCPRouteRule {
			return gatewayv1.TCPRouteRule{BackendRefs: backends(r)}
		}),
	}}
}

func udpRoute(r *rand.Rand) client.Object {
	return &UDPRoute{ObjectMeta: named(r), Spec: gatewayv1.UDPRouteSpec{
		CommonRouteSpec: parents(r), Rules: several(r, func() gatewayv1.UDPRouteRule {
			return gatewayv1.UDPRouteRule{BackendRefs: backends(r)}
		}),
	}}
}

func backends(r *rand.Rand) []gatewayv1.BackendRef {
	return several(r, func() gatewayv1.BackendRef { return backend(r, "ServiceImport") })
}

// backend refers to a Service, a Backend or one of other kinds, with its group. Envoy Gateway's functions ignore the
// group: they take {kind: Backend, group: ""} for a Backend, which is one of the core group, and so of another kind.
func backend(r *rand.Rand, others ...gatewayv1.Kind) gatewayv1.BackendRef {
	kind := pick(r, append(others, "Service", "Backend")...)
	group := map[gatewayv1.Kind]gatewayv1.Group{
		"Backend": "gateway.envoyproxy.io", "ServiceImport": "multicluster.x-k8s.io"}[kind]
	return gatewayv1.BackendRef{BackendObjectReference: gatewayv1.BackendObjectReference{
		Group: &group, Kind: &kind, Name: pick[gatewayv1.ObjectName](r, "a", "b"),
		Namespace: optional[gatewayv1.Namespace](r, "ns1", "ns3"),
	}}
}

func extension(r *rand.Rand) *gatewayv1.LocalObjectReference {
	return &gatewayv1.LocalObjectReference{
		Group: "gateway.envoyproxy.io", Kind: pick[gatewayv1.Kind](r, "HTTPRouteFilter", "Other"),
		Name: pick[gatewayv1.ObjectName](r, "a", "b"),
	}
}

func gateway(r *rand.Rand) client.Object {
	return &Gateway{ObjectMeta: named(r), Spec: gatewayv1.GatewaySpec{
		GatewayClassName: pick[gatewayv1.ObjectName](r, "a", "b"),
		Listeners: several(r, func() gatewayv1.Listener {
			return gatewayv1.Listener{TLS: certificates(r)}
		}),
	}}
}

func listenerSet(r *rand.Rand) client.Object {
	return &ListenerSet{ObjectMeta: named(r), Spec: gatewayv1.ListenerSetSpec{
		ParentRef: gatewayv1.ParentGatewayReference{
			Group: new(gatewayv1.Group(gatewayv1.GroupName)), Kind: new(pick[gatewayv1.Kind](r, "Gateway", "Other")),
			Name: pick[gatewayv1.ObjectName](r, "a", "b"), Namespace: optional[gatewayv1.Namespace](r, "ns1", "ns3"),
		},
		Listeners: several(r, func() gatewayv1.ListenerEntry {
			return gatewayv1.ListenerEntry{TLS: certificates(r)}
		}),
	}}
}

func certificates(r *rand.Rand) *gatewayv1.ListenerTLSConfig {
	if r.IntN(4) == 0 {
		return nil
	}
	return &gatewayv1.ListenerTLSConfig{
		Mode: new(pick(r, gatewayv1.TLSModeTerminate, gatewayv1.TLSModePassthrough)),
		CertificateRefs: several(r, func() gatewayv1.SecretObjectReference {
			return gatewayv1.SecretObjectReference{
				Group: new(gatewayv1.Group("")), Kind: new(pick[gatewayv1.Kind](r, "Secret", "Other")),
				Name: pick[gatewayv1.ObjectName](r, "a", "b"), Namespace: optional[gatewayv1.Namespace](r, "ns1", "ns3"),
			}
		}),
	}
}

func policy(r *rand.Rand) client.Object {
	p := &BackendTLSPolicy{ObjectMeta: named(r)}
	for range r.IntN(4) {
		kind := pick[gatewayv1.Kind](r, "ConfigMap", "Secret", "ClusterTrustBundle")
		group := map[gatewayv1.Kind]gatewayv1.Group{"ClusterTrustBundle": "certificates.k8s.io"}[kind]
		p.Spec.Validation.CACertificateRefs = append(p.Spec.Validation.CACertificateRefs,
			gatewayv1.LocalObjectReference{Group: group, Kind: kind, Name: pick[gatewayv1.ObjectName](r, "a", "b")})
	}
	return p
}

func endpointSlice(r *rand.Rand) client.Object {
	return &EndpointSlice{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{
		pick(r, discoveryv1.LabelServiceName, "multicluster.kubernetes.io/service-name", "app"): pick(r, "a", "b"),
	}}}
}

// TestKeys fetches Envoy Gateway, and runs TestKeysAgree with its index functions in this package.
func TestKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("it fetches Envoy Gateway")
	}
	if len(theirs) > 0 {
		t.Skip("the functions are here")
	}
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "index_functions_test.go"), filepath.Join(dir, "overlay.json")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	added, err := json.Marshal(map[string]any{
		"Replace": map[string]string{filepath.Join(here, "index_functions_test.go"): file}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(file, indexFunctions(t, fetch(t)), 0o666),
		os.WriteFile(overlay, added, 0o666)); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "test", "-count=1", "-v", "-overlay="+overlay, "-run=^TestKeysAgree$", ".").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// collector is a FieldIndexer that keeps the functions of emitted code.
type collector map[string]client.IndexerFunc

func (c collector) IndexField(_ context.Context, _ client.Object, name string, f client.IndexerFunc) error {
	c[name] = f
	return nil
}

// indexesOf returns the index functions that are emitted for the type of obj.
func indexesOf(ctx context.Context, t *testing.T, obj client.Object) collector {
	t.Helper()
	add := func() func(context.Context, client.FieldIndexer) error {
		switch obj.(type) {
		case *HTTPRoute:
			return AddHTTPRouteIndexes
		case *GRPCRoute:
			return AddGRPCRouteIndexes
		case *TLSRoute:
			return AddTLSRouteIndexes
		case *TCPRoute:
			return AddTCPRouteIndexes
		case *UDPRoute:
			return AddUDPRouteIndexes
		case *Gateway:
			return AddGatewayIndexes
		case *ListenerSet:
			return AddListenerSetIndexes
		case *BackendTLSPolicy:
			return AddBackendTLSPolicyIndexes
		case *ReferenceGrant:
			return AddReferenceGrantIndexes
		}
		return AddEndpointSliceIndexes
	}()
	c := collector{}
	if err := add(ctx, c); err != nil {
		t.Fatal(err)
	}
	return c
}

// ours returns the keys of the emitted indexes.
func ours(t *testing.T, obj client.Object, indexes []string) (keys []string) {
	t.Helper()
	for _, name := range indexes {
		keys = append(keys, indexesOf(t.Context(), t, obj)[name](obj)...)
	}
	return set(keys)
}

func set(keys []string) []string { return slices.Compact(slices.Sorted(slices.Values(keys))) }

// TestKeysAgree compares the keys of random objects. TestKeys runs it.
func TestKeysAgree(t *testing.T) {
	if len(theirs) == 0 {
		t.Skip("TestKeys runs this with Envoy Gateway's functions")
	}
	rest := maps.Clone(theirs)
	for _, p := range pairs {
		f := theirs[p.theirs]
		if f == nil {
			t.Errorf("Envoy Gateway has no %s", p.theirs)
			continue
		}
		delete(rest, p.theirs)
		r, found := rand.New(rand.NewPCG(1, 2)), 0
		for range 1000 {
			obj := p.random(r)
			want, got := set(f(obj)), ours(t, obj, p.ours)
			found += len(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: the keys of %+v are %q, %s has %q", p.ours, obj, got, p.theirs, want)
			}
		}
		t.Logf("%s of %T: %d keys of 1000 objects agree with %s", p.ours, p.random(r), found, p.theirs)
		if found < 100 {
			t.Errorf("%s: only %d keys were compared", p.theirs, found)
		}
	}
	for _, d := range defects {
		if has, got := set(theirs[d.theirs](d.obj)), ours(t, d.obj, d.ours); !slices.Equal(has, d.has) ||
			!slices.Equal(got, d.want) {
			t.Errorf("%s: %s has %q, and %q have %q", d.what, d.theirs, has, d.ours, got)
		}
	}
	if len(rest) > 0 {
		t.Errorf("they have no marker: %q", slices.Sorted(maps.Keys(rest)))
	}
}
