// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/objects"
	"github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
)

func TestRun(t *testing.T) {
	const want = `east: fleet/camera-1 is offline
east: fleet/camera-2 is offline
west: fleet/camera-1 is offline

west: fleet/camera-1 is offline

`
	if got := output(t); got != want {
		t.Errorf("it prints %q", got)
	}
}

// TestKubeconfigs reads two servers, one of which lacks the type.
func TestKubeconfigs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds an API server")
	}
	with := start(t, apiserver.Options{CRDs: []string{"../quickstart/config/crd"}})
	without := start(t, apiserver.Options{})
	http := with.HTTPClient()
	defer http.CloseIdleConnections()
	devices := objects.Client{HTTP: http, URL: with.URL, Resource: v1alpha1.DevicesResource}
	if err := devices.Create(t.Context(), &v1alpha1.Device{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Device"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "fleet", Name: "camera-1"},
		Spec:       v1alpha1.DeviceSpec{Site: "berlin", Model: "m1"},
		Status:     v1alpha1.DeviceStatus{Phase: v1alpha1.DeviceOffline},
	}); err != nil {
		t.Fatal(err)
	}
	if got := output(t, kubeconfig(t, with), kubeconfig(t, without)); strings.Count(got, "camera-1 is offline") < 1 {
		t.Errorf("it prints %q", got)
	}
}

func output(t *testing.T, kubeconfigs ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var out bytes.Buffer
	if err := run(ctx, &out, kubeconfigs); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	return out.String()
}

func start(t *testing.T, opts apiserver.Options) *apiserver.Server {
	t.Helper()
	server, err := apiserver.Start(t.Context(), opts)
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

func kubeconfig(t *testing.T, server *apiserver.Server) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(path, server.Kubeconfig(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
