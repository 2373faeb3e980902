// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package restconfig_test

import (
	"testing"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
)

// TestMatchesKubeconfig checks that both ways to a client-go configuration
// lead to the same.
func TestMatchesKubeconfig(t *testing.T) {
	e := apiserver.Endpoint{URL: "https://127.0.0.1:1234", Token: "t", CA: []byte("some certificate")}
	got := restconfig.New(e)
	want, err := clientcmd.RESTConfigFromKubeConfig(e.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	if got.Host != want.Host || got.BearerToken != want.BearerToken || string(got.CAData) != string(want.CAData) {
		t.Errorf("got %v, want %v", got, want)
	}
}
