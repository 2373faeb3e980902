// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

// TestUsers checks that the server distinguishes users, also after a restart.
func TestUsers(t *testing.T) {
	server, err := apiserver.Start(t.Context(), apiserver.Options{CRDs: []string{crds}, Users: []apiserver.User{
		{Name: "jane"}, {Name: "root", Groups: []string{"staff", "system:masters"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for range 2 {
		for _, c := range []struct {
			user string
			code int
			want string
		}{
			{"jane", http.StatusForbidden, `User "jane" cannot list resource "gadgets"`},
			{"root", http.StatusOK, ""},
		} {
			e, err := server.As(c.user)
			if err != nil {
				t.Fatal(err)
			}
			code, got := at(t, e, e.URL).send(http.MethodGet, "", nil)
			if code != c.code || !strings.Contains(got.Message, c.want) {
				t.Errorf("%s: %d %s", c.user, code, got.Message)
			}
		}
		if err := server.RestartServer(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := server.As("nobody"); err == nil || !strings.Contains(err.Error(), "only jane, root") {
		t.Errorf("a user that is not among Users: %v", err)
	}
}

// TestDiscovery checks what kubectl needs: both forms of the list of groups, and
// the schemas.
func TestDiscovery(t *testing.T) {
	server := start(t)
	type group struct {
		Name     string
		Metadata struct{ Name string }
	}
	var legacy struct{ Groups []group }
	getJSON(t, server, "/apis", "application/json", &legacy)
	if !slices.ContainsFunc(legacy.Groups, func(g group) bool { return g.Name == "example.dev" }) {
		t.Errorf("the server lists the groups %v", legacy.Groups)
	}
	var aggregated struct{ Items []group }
	getJSON(t, server, "/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", &aggregated)
	if !slices.ContainsFunc(aggregated.Items, func(g group) bool { return g.Metadata.Name == "example.dev" }) {
		t.Errorf("the server discovers the groups %v", aggregated.Items)
	}
	var openAPI struct{ Paths map[string]any }
	getJSON(t, server, "/openapi/v3", "application/json", &openAPI)
	if openAPI.Paths["apis/apiextensions.k8s.io/v1"] == nil {
		t.Errorf("the server has the schemas %v", openAPI.Paths)
	}
}
