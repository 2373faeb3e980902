// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

// needKubernetes skips a test unless kube-apiserver is built.
func needKubernetes(t *testing.T) {
	t.Helper()
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("this test needs kube-apiserver: run hack/test-kubernetes.sh, or set KUBEBUILDER_ASSETS")
	}
}

// startKubernetes starts a whole server that is already built.
func startKubernetes(t *testing.T, o apiserver.Options) *apiserver.Server {
	t.Helper()
	needKubernetes(t)
	o.Kubernetes = true
	server, err := apiserver.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// answer has the fields of an object, or of a Status, that the tests look at.
type answer struct {
	Kind       string
	Reason     string
	Message    string
	GitVersion string
	Metadata   struct{ Name, ResourceVersion string }
}

// exchange sends a request with JSON, and returns the status and the answer.
func exchange(t *testing.T, e apiserver.Endpoint, method, path, body string) (int, answer) {
	t.Helper()
	client := e.HTTPClient()
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(t.Context(), method, e.URL+path, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var a answer
	if err := json.NewDecoder(res.Body).Decode(&a); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, a
}

// must sends a request that must succeed.
func must(t *testing.T, e apiserver.Endpoint, method, path, body string) answer {
	t.Helper()
	code, a := exchange(t, e, method, path, body)
	if code/100 != 2 {
		t.Fatalf("%s %s: %d %s", method, path, code, a.Message)
	}
	return a
}

const (
	configMaps = "/api/v1/namespaces/default/configmaps"
	rbac       = "/apis/rbac.authorization.k8s.io/v1/"
)

func configMap(name string) string {
	return `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "` + name + `"}}`
}

func TestKubernetesServesBothKindsOfTypes(t *testing.T) {
	server := startKubernetes(t, apiserver.Options{CRDs: []string{crds}})
	if version := must(t, server.Endpoint, http.MethodGet, "/version", "").GitVersion; !strings.HasPrefix(version, "v1.") {
		t.Errorf("the server has the version %q", version)
	}
	must(t, server.Endpoint, http.MethodPost, "/api/v1/namespaces", `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "lab"}}`)
	must(t, server.Endpoint, http.MethodPost, "/api/v1/namespaces/lab/pods", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"},
		"spec": {"containers": [{"name": "web", "image": "web", "securityContext": {"privileged": true}}]}}`)
	gs := at(t, server.Endpoint, server.PlainURL)
	w := gs.watch("")
	gs.create("first", 1)
	w.expect("ADDED", "first")
}

func TestKubernetesUsers(t *testing.T) {
	server := startKubernetes(t, apiserver.Options{Users: []apiserver.User{{Name: "jane", Groups: []string{"auditors", "staff"}}}})
	jane, err := server.As("jane")
	if err != nil {
		t.Fatal(err)
	}
	code, a := exchange(t, jane, http.MethodGet, configMaps, "")
	if code != http.StatusForbidden || !strings.Contains(a.Message, `User "jane" cannot list resource "configmaps"`) {
		t.Fatalf("without a role: %d %s", code, a.Message)
	}
	must(t, server.Endpoint, http.MethodPost, rbac+"clusterroles", `{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
		"metadata": {"name": "auditor"}, "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list"]}]}`)
	must(t, server.Endpoint, http.MethodPost, rbac+"clusterrolebindings", `{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
		"metadata": {"name": "auditors"}, "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "auditors"}],
		"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "auditor"}}`)
	// The authorizer reads bindings through a cache.
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(time.Minute); code != http.StatusOK; {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("with a role: %d %s", code, a.Message)
		}
		code, a = exchange(t, jane, http.MethodGet, configMaps, "")
	}
	if code, _ := exchange(t, jane, http.MethodPost, configMaps, configMap("no")); code != http.StatusForbidden {
		t.Errorf("creating what the role only lets her view: %d", code)
	}
}

func TestKubernetesLife(t *testing.T) {
	server := startKubernetes(t, apiserver.Options{})
	must(t, server.Endpoint, http.MethodPost, configMaps, configMap("kept"))
	if err := server.RestartServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	must(t, server.Endpoint, http.MethodGet, configMaps+"/kept", "")
	if err := server.SaveData(t.Context()); err != nil {
		t.Fatal(err)
	}
	must(t, server.Endpoint, http.MethodPost, configMaps, configMap("lost"))
	if err := server.RestoreData(t.Context()); err != nil {
		t.Fatal(err)
	}
	must(t, server.Endpoint, http.MethodGet, configMaps+"/kept", "")
	if code, _ := exchange(t, server.Endpoint, http.MethodGet, configMaps+"/lost", ""); code != http.StatusNotFound {
		t.Errorf("an object from after the backup: %d", code)
	}
	if err := server.StopServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	if code, a := exchange(t, server.Endpoint, http.MethodGet, configMaps+"/kept", ""); code != http.StatusServiceUnavailable || !strings.Contains(a.Message, "stopped") {
		t.Errorf("while the server is stopped: %d %s", code, a.Message)
	}
}

func TestKubernetesSaysWhatIsWrong(t *testing.T) {
	needKubernetes(t)
	server, err := apiserver.Start(t.Context(), apiserver.Options{Kubernetes: true, Flags: []string{"--no-such-flag"}})
	if err == nil {
		server.Close()
		t.Fatal("no error")
	}
	if !strings.Contains(err.Error(), "no-such-flag") {
		t.Errorf("error %q says nothing of the flag", err)
	}
}

// TestBuildAssets checks that the commands are there, and that a second build
// makes none again.
func TestBuildAssets(t *testing.T) {
	if os.Getenv("INDEXER_GEN_TEST_ASSETS") == "" {
		t.Skip("this test takes ten minutes unless the commands are built: run hack/test-kubernetes.sh")
	}
	made := map[string]os.FileInfo{}
	for range 2 {
		dir, err := apiserver.BuildAssets(t.Context(), t.Output())
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"kube-apiserver", "etcd", "kubectl"} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if before := made[name]; before != nil && !os.SameFile(before, info) {
				t.Errorf("%s is another file", name)
			}
			made[name] = info
		}
	}
}
