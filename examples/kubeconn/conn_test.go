// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package kubeconn_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

var gadgets = schema.GroupVersionResource{Group: "example.dev", Version: "v1", Resource: "gadgets"}

func list(t *testing.T, conn wire.Conn) error {
	t.Helper()
	src := wire.Source[unstructured.Unstructured](conn, gadgets, "")
	_, err := src.List(t.Context(), metav1.ListOptions{}, func(source.Item[*unstructured.Unstructured]) error { return nil })
	return err
}

// TestKubeconfig goes the whole way: a file, TLS, a token, a real server.
func TestKubeconfig(t *testing.T) {
	server, err := apiserver.Start(t.Context(), apiserver.Options{CRDs: []string{"../apiserver/testdata/crds"}, Progress: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, server.Kubeconfig(), 0o600); err != nil {
		t.Fatal(err)
	}
	conn, err := kubeconn.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := list(t, conn); err != nil {
		t.Error(err)
	}
	t.Setenv("KUBECONFIG", path)
	if conn, err = kubeconn.Load(""); err != nil {
		t.Fatal(err)
	}
	if err := list(t, conn); err != nil {
		t.Error(err)
	}
}

func TestWhatAConfigSaysIsSent(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, want := range map[string]string{"Authorization": "Bearer t", "Impersonate-User": "someone", "User-Agent": "me"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s is %q instead of %q", name, got, want)
			}
		}
		if want := "/base/apis/example.dev/v1/gadgets"; r.URL.Path != want {
			t.Errorf("path %s instead of %s", r.URL.Path, want)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"items":[]}`))
	}))
	defer server.Close()
	conn, err := kubeconn.FromConfig(&rest.Config{
		Host: server.URL + "/base", BearerToken: "t", UserAgent: "me", Timeout: time.Nanosecond,
		Impersonate: rest.ImpersonationConfig{UserName: "someone"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := list(t, conn); err != nil {
		t.Error(err)
	}
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	if _, err := kubeconn.FromConfig(&rest.Config{Host: "http://x", TLSClientConfig: rest.TLSClientConfig{CAFile: "/does/not/exist"}}); err == nil {
		t.Error("no error")
	}
	if _, err := kubeconn.Load("/does/not/exist"); err == nil {
		t.Error("no error")
	}
}
