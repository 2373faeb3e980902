// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package envoygateway

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/log"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

func routeTo(name string, gateways ...gatewayv1.ObjectName) *HTTPRoute {
	route := &HTTPRoute{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
	for _, to := range gateways {
		route.Spec.ParentRefs = append(route.Spec.ParentRefs, gatewayv1.ParentReference{Name: to})
	}
	return route
}

func TestRequestsAndHas(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := gatewayv1.Install(scheme); err != nil {
		t.Fatal(err)
	}
	builder := fake.NewClientBuilder().WithScheme(scheme).
		WithObjects(routeTo("a", "one"), routeTo("b", "one", "two"), routeTo("c", "two"))
	gateway := &Gateway{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "one"}}
	ctx := t.Context()

	routes := NewHTTPRouteReader(WithHTTPRouteIndexes(builder).Build())
	var names []string
	for _, request := range routes.RequestsByGateway(ctx, gateway) {
		names = append(names, request.String())
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"ns/a", "ns/b"}) {
		t.Errorf("the requests are %q", names)
	}
	for name, want := range map[string]bool{"one": true, "two": true, "three": false} {
		got, err := routes.HasGateway(ctx, types.NamespacedName{Namespace: "ns", Name: name})
		if err != nil || got != want {
			t.Errorf("HasGateway(%s): %t, %v; want %t", name, got, err, want)
		}
	}

	var logged []string
	logger := funcr.New(func(_, args string) { logged = append(logged, args) }, funcr.Options{})
	without := NewHTTPRouteReader(fake.NewClientBuilder().WithScheme(scheme).Build())
	requests := without.RequestsByGateway(log.IntoContext(ctx, logger), gateway)
	if len(requests) != 0 || len(logged) != 1 || !strings.Contains(logged[0], "call AddHTTPRouteIndexes") {
		t.Errorf("without an index: the requests are %v, and the log has %q", requests, logged)
	}
	if _, err := without.HasGateway(ctx, types.NamespacedName{Namespace: "ns", Name: "one"}); err == nil {
		t.Error("HasGateway returns no error without an index")
	}
}
