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

// pairs are the functions of theirs that a marker replaces.
var pairs = []struct {
	theirs, ours string
	random       func(*rand.Rand) client.Object
}{
	{"gatewayHTTPRouteIndexFunc", "ByGateway", func(r *rand.Rand) client.Object {
		return &HTTPRoute{ObjectMeta: named(r), Spec: gatewayv1.HTTPRouteSpec{CommonRouteSpec: parents(r)}}
	}},
	{"gatewayGRPCRouteIndexFunc", "ByGateway", func(r *rand.Rand) client.Object {
		return &GRPCRoute{ObjectMeta: named(r), Spec: gatewayv1.GRPCRouteSpec{CommonRouteSpec: parents(r)}}
	}},
	{"gatewayTLSRouteIndexFunc", "ByGateway", func(r *rand.Rand) client.Object {
		return &TLSRoute{ObjectMeta: named(r), Spec: gatewayv1.TLSRouteSpec{CommonRouteSpec: parents(r)}}
	}},
	{"gatewayTCPRouteIndexFunc", "ByGateway", func(r *rand.Rand) client.Object {
		return &TCPRoute{ObjectMeta: named(r), Spec: gatewayv1.TCPRouteSpec{CommonRouteSpec: parents(r)}}
	}},
	{"gatewayUDPRouteIndexFunc", "ByGateway", func(r *rand.Rand) client.Object {
		return &UDPRoute{ObjectMeta: named(r), Spec: gatewayv1.UDPRouteSpec{CommonRouteSpec: parents(r)}}
	}},
	{"gatewayIndexFunc", "spec.gatewayClassName", func(r *rand.Rand) client.Object {
		return &Gateway{Spec: gatewayv1.GatewaySpec{GatewayClassName: pick[gatewayv1.ObjectName](r, "a", "b")}}
	}},
	{"configMapBtlsIndexFunc", "ByConfigMap", policy},
	{"secretBtlsIndexFunc", "BySecret", policy},
	{"clusterTrustBundleBtlsIndexFunc", "ByClusterTrustBundle", policy},
	{"getReferenceGrantIndexerFunc", "ByKind", func(r *rand.Rand) client.Object {
		grant := &ReferenceGrant{}
		for range r.IntN(3) {
			grant.Spec.To = append(grant.Spec.To,
				gatewayv1beta1.ReferenceGrantTo{Kind: pick[gatewayv1.Kind](r, "Service", "Secret")})
		}
		return grant
	}},
	{"serviceEndpointSliceIndexFunc", "ByService", endpointSlice},
	{"serviceImportEndpointSliceIndexFunc", "ByServiceImport", endpointSlice},
}

// withoutMarker are the functions of theirs that no marker replaces, with what it would need.
var withoutMarker = map[string]string{
	"gatewayListenerSetIndexFunc":       "a filter of a field that is not in a list: the kind of parentRef",
	"listenerSetHTTPRouteIndexFunc":     "a filter of two fields: group and kind",
	"listenerSetGRPCRouteIndexFunc":     "a filter of two fields: group and kind",
	"listenerSetTLSRouteIndexFunc":      "a filter of two fields: group and kind",
	"listenerSetTCPRouteIndexFunc":      "a filter of two fields: group and kind",
	"listenerSetUDPRouteIndexFunc":      "a filter of two fields: group and kind",
	"backendHTTPRouteIndexFunc":         "a filter with several values, and one index of two paths",
	"backendGRPCRouteIndexFunc":         "a filter with several values, and one index of two paths",
	"backendTLSRouteIndexFunc":          "a filter with several values: kinds",
	"backendTCPRouteIndexFunc":          "a filter with several values: kinds",
	"backendUDPRouteIndexFunc":          "a filter with several values: kinds",
	"httpRouteFilterHTTPRouteIndexFunc": "a filter of a nested field, extensionRef.kind, and one index of two paths",
	"httpRouteFilterGRPCRouteIndexFunc": "a filter of a nested field: extensionRef.kind",
	"secretGatewayIndexFunc":            "a filter of a nested field: tls.mode",
	"secretListenerSetIndexFunc":        "a filter of a nested field: tls.mode",
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

func policy(r *rand.Rand) client.Object {
	p := &BackendTLSPolicy{ObjectMeta: named(r)}
	for range r.IntN(4) {
		p.Spec.Validation.CACertificateRefs = append(p.Spec.Validation.CACertificateRefs,
			gatewayv1.LocalObjectReference{
				Kind: pick[gatewayv1.Kind](r, "ConfigMap", "Secret", "ClusterTrustBundle"),
				Name: pick[gatewayv1.ObjectName](r, "a", "b"),
			})
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
		for range 500 {
			obj := p.random(r)
			want, got := set(f(obj)), set(indexesOf(t.Context(), t, obj)[p.ours](obj))
			found += len(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: the keys of %+v are %q, %s has %q", p.ours, obj, got, p.theirs, want)
			}
		}
		t.Logf("%s of %T: %d keys of 500 objects agree with %s", p.ours, p.random(r), found, p.theirs)
		if found < 100 {
			t.Errorf("%s: only %d keys were compared", p.theirs, found)
		}
	}
	for name, needs := range withoutMarker {
		if rest[name] == nil {
			t.Errorf("Envoy Gateway has no %s without a marker", name)
		}
		delete(rest, name)
		t.Logf("%s has no marker: it needs %s", name, needs)
	}
	if len(rest) > 0 {
		t.Errorf("neither has a marker nor a reason: %q", slices.Sorted(maps.Keys(rest)))
	}
}
