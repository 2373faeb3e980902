// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package kubeconn_test

import (
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
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
	src := wire.Source[*unstructured.Unstructured](conn, gadgets)
	_, err := src.List(t.Context(), metav1.ListOptions{}, func(source.Delta[*unstructured.Unstructured], error) error { return nil })
	return err
}

// TestWhatAConfigSaysIsSent has a kubeconfig that impersonates, and a
// rest.Config of a program's own.
func TestWhatAConfigSaysIsSent(t *testing.T) {
	want := http.Header{}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range want {
			if got := r.Header.Values(name); !slices.Equal(got, values) {
				t.Errorf("%s is %q instead of %q", name, got, values)
			}
		}
		if want := "/base/apis/example.dev/v1/gadgets"; r.URL.Path != want {
			t.Errorf("path %s instead of %s", r.URL.Path, want)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"items":[]}`))
	}))
	defer server.Close()
	want = http.Header{"Authorization": {"Bearer t"}, "Impersonate-User": {"someone"}, "User-Agent": {"me"}}
	conn, err := kubeconn.FromConfig(&rest.Config{
		Host: server.URL + "/base", BearerToken: "t", UserAgent: "me", Timeout: time.Nanosecond,
		TLSClientConfig: rest.TLSClientConfig{CAData: caOf(server)},
		Impersonate:     rest.ImpersonationConfig{UserName: "someone"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := list(t, conn); err != nil {
		t.Error(err)
	}
	want = http.Header{
		"Authorization": {"Basic dTpw"}, "Impersonate-User": {"else"}, "Impersonate-Uid": {"7"},
		"Impersonate-Group": {"a", "b"}, "Impersonate-Extra-Reason": {"why not"},
	}
	conn, err = kubeconn.Load(kubeconfig(t, trusting(server, server.URL+"/base"),
		"username: u, password: p, as: else, as-uid: '7', as-groups: [a, b], as-user-extra: {reason: [why not]}"))
	if err != nil {
		t.Fatal(err)
	}
	if err := list(t, conn); err != nil {
		t.Error(err)
	}
}

// caOf returns the certificate of server, in PEM.
func caOf(server *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

// trusting is the part of a kubeconfig that says to reach server at url. Without
// TLS no credentials would be sent.
func trusting(server *httptest.Server, url string) string {
	return fmt.Sprintf("server: '%s', certificate-authority-data: %s", url, base64.StdEncoding.EncodeToString(caOf(server)))
}

// kubeconfig writes a file with one cluster and one user, and returns its path.
func kubeconfig(t *testing.T, cluster, user string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	text := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters:\n- name: c\n  cluster: {%s}\nusers:\n- name: u\n  user: {%s}\n"+
		"contexts:\n- name: x\n  context: {cluster: c, user: u}\ncurrent-context: x\n", cluster, user)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestProxy reaches a server by TLS through a proxy that the kubeconfig names.
func TestProxy(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"items":[]}`))
	}))
	defer server.Close()
	var tunnels atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != "cluster.invalid:443" {
			t.Errorf("%s %s", r.Method, r.Host)
			return
		}
		tunnels.Add(1)
		there, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer there.Close()
		here, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer here.Close()
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			_, _ = io.Copy(there, here)
			_ = there.Close()
		}()
		_, _ = io.Copy(here, there)
	}))
	defer proxy.Close()
	conn, err := kubeconn.Load(kubeconfig(t, trusting(server, "https://cluster.invalid")+fmt.Sprintf(", tls-server-name: example.com, proxy-url: '%s'", proxy.URL), ""))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Client.CloseIdleConnections()
	if err := list(t, conn); err != nil || tunnels.Load() == 0 {
		t.Errorf("%v, %d tunnels", err, tunnels.Load())
	}
}

// TestPlugin has a program say the token.
func TestPlugin(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer from a program" {
			t.Errorf("Authorization is %q", got)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"items":[]}`))
	}))
	defer server.Close()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := kubeconn.Load(kubeconfig(t, trusting(server, server.URL), fmt.Sprintf(
		"exec: {apiVersion: client.authentication.k8s.io/v1, command: %q, interactiveMode: Never, env: [{name: %s, value: plugin}]}", program, role)))
	if err != nil {
		t.Fatal(err)
	}
	if err := list(t, conn); err != nil {
		t.Error(err)
	}
}

// role in the environment has this program be something else than a test.
const role = "KUBECONN_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "plugin":
		fmt.Println(`{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"from a program"}}`)
	case "pod":
		os.Exit(inPod())
	default:
		os.Exit(m.Run())
	}
}

// No error shows a password or token that is part of an address.
func TestErrorsHideCredentials(t *testing.T) {
	for _, address := range []string{
		"https://u:s3cret@127.0.0.1:1", "https://s3cret@127.0.0.1:1", "u:s3cret@127.0.0.1:1",
		"https://u:s3cr et@127.0.0.1", "https://u:%s3cret@127.0.0.1", "https://u:s3cret/@127.0.0.1", "u:s3cret/@127.0.0.1",
		"https://127.0.0.1/?token=s3cret", "127.0.0.1:1?token=s3cret", "https://127.0.0.1/%zz?token=s3cret", "https://127.0.0.1#s3cret",
		"ftp://u:s3cret@127.0.0.1", "\x00u:s3cret@127.0.0.1",
	} {
		for name, load := range map[string]func() (wire.Conn, error){
			"config": func() (wire.Conn, error) { return kubeconn.FromConfig(&rest.Config{Host: address}) },
			"server": func() (wire.Conn, error) {
				return kubeconn.Load(kubeconfig(t, fmt.Sprintf("server: %q", address), ""))
			},
			"proxy": func() (wire.Conn, error) {
				return kubeconn.Load(kubeconfig(t, fmt.Sprintf("server: 'http://127.0.0.1:1', proxy-url: %q", address), ""))
			},
		} {
			conn, err := load()
			if err == nil {
				err = list(t, conn)
			}
			if err == nil || strings.Contains(err.Error(), "s3cr") {
				t.Errorf("%s %q: %v", name, address, err)
			}
		}
	}
}

// The token of a kubeconfig goes to its server alone, unless the caller allows more.
func TestRedirectDoesNotCarryTheToken(t *testing.T) {
	var tokens atomic.Int32
	other := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer secret" {
			tokens.Add(1)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"items":[]}`))
	}))
	defer other.Close()
	server := httptest.NewTLSServer(http.RedirectHandler(other.URL, http.StatusFound))
	defer server.Close()
	conn, err := kubeconn.Load(kubeconfig(t, trusting(server, server.URL), "token: secret"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Client.CloseIdleConnections()
	err = list(t, conn)
	if err == nil || !strings.Contains(err.Error(), other.URL) || !strings.Contains(err.Error(), "CheckRedirect") || tokens.Load() != 0 {
		t.Errorf("%v; the token went out %d times", err, tokens.Load())
	}
	own := *conn.Client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return nil }
	conn.Client = &own
	if err := list(t, conn); err != nil || tokens.Load() != 1 {
		t.Errorf("allowed by the caller: %v; the token went out %d times", err, tokens.Load())
	}
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	if _, err := kubeconn.FromConfig(&rest.Config{Host: "http://x", TLSClientConfig: rest.TLSClientConfig{CAFile: "/does/not/exist"}}); err == nil {
		t.Error("no error")
	}
	if _, err := kubeconn.Load("/does/not/exist"); err == nil || !strings.Contains(err.Error(), "/does/not/exist") {
		t.Errorf("a kubeconfig that does not exist: %v", err)
	}
}

// TestNoClusterIsExplained has nothing that names a cluster.
func TestNoClusterIsExplained(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	missing, empty := filepath.Join(t.TempDir(), "missing"), filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", missing+string(filepath.ListSeparator)+empty)
	_, err := kubeconn.Load("")
	want := "no cluster to connect to: " + missing + " does not exist; " + empty + " names no cluster to use; in a Pod: "
	if err == nil || !strings.HasPrefix(err.Error(), want) || !errors.Is(err, rest.ErrNotInCluster) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	want = "no cluster to connect to: " + empty + " names no cluster to use; in a Pod: "
	if _, err = kubeconn.Load(empty); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
