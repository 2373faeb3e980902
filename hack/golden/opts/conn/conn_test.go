// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package conn

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/hack/golden/opts"
)

func TestTenants(t *testing.T) {
	tenants := NewTenantIndexer()
	tenants.Set(
		&opts.Tenant{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"},
			Namespaces: []opts.Name{"x", "y"},
		},
	)
	n := 0
	for range tenants.ByNamespaces("y") {
		n++
	}
	if n != 1 {
		t.Errorf("%d Tenants", n)
	}
}
