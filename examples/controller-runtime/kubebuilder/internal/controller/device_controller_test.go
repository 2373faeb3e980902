// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	fleetv1 "github.com/indexer-gen/indexer-gen/examples/controller-runtime/kubebuilder/api/v1"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
)

func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	if err := fleetv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return scheme
}

func device(namespace, name, configMap string) *fleetv1.Device {
	return &fleetv1.Device{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       fleetv1.DeviceSpec{ConfigMap: configMap},
	}
}

func settings(mode string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "settings"},
		Data:       map[string]string{"mode": mode},
	}
}

// The fake client needs the indexes, as the manager does.
func TestDevicesOfConfigMap(t *testing.T) {
	fakeClient := fleetv1.WithDeviceIndexes(fake.NewClientBuilder().WithScheme(newScheme(t))).
		WithObjects(device("default", "a", "settings"), device("default", "b", "other"),
			device("elsewhere", "c", "settings")).
		Build()
	r := &DeviceReconciler{Client: fakeClient}
	got := r.devicesOf(t.Context(), settings("on"))
	want := reconcile.Request{NamespacedName: client.ObjectKey{Namespace: "default", Name: "a"}}
	if len(got) != 1 || got[0] != want {
		t.Errorf("a ConfigMap enqueues %v, want only %v", got, want)
	}
}

// A change of a ConfigMap reaches the status of its devices, through either cache.
func TestManagerFollowsConfigMaps(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("KUBEBUILDER_ASSETS is not set; run make test")
	}
	environment := &envtest.Environment{
		Scheme:                newScheme(t),
		CRDDirectoryPaths:     []string{filepath.Join("..", "..", "config", "crd", "bases")},
		ErrorIfCRDPathMissing: true,
	}
	api, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	}()
	for name, newCache := range map[string]cache.NewCacheFunc{
		"default": nil, "-indexer-gen-cache": ctrlruntime.NewCache,
	} {
		t.Run(name, func(t *testing.T) { testManager(t, api, newCache) })
	}
}

func testManager(t *testing.T, api *rest.Config, newCache cache.NewCacheFunc) {
	scheme, skip := newScheme(t), true
	mgr, err := ctrl.NewManager(api, ctrl.Options{
		Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}, NewCache: newCache,
		Controller: config.Controller{SkipNameValidation: &skip}, // the other cache had one of this name
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&DeviceReconciler{Client: mgr.GetClient()}).SetupWithManager(mgr); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- mgr.Start(ctx) }()
	defer func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	}()
	direct, err := client.New(api, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	if err := direct.Create(ctx, device("default", "a", "settings")); err != nil {
		t.Fatal(err)
	}
	current := settings("on")
	if err := direct.Create(ctx, current); err != nil {
		t.Fatal(err)
	}
	defer func() {
		for _, obj := range []client.Object{current, device("default", "a", "settings")} {
			if err := direct.Delete(t.Context(), obj); err != nil {
				t.Error(err)
			}
		}
	}()
	waitForMode(ctx, t, direct, "on")
	current.Data["mode"] = "off"
	if err := direct.Update(ctx, current); err != nil {
		t.Fatal(err)
	}
	waitForMode(ctx, t, direct, "off")
}

func waitForMode(ctx context.Context, t *testing.T, reader client.Reader, mode string) {
	t.Helper()
	var last fleetv1.Device
	err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true,
		func(ctx context.Context) (bool, error) {
			err := reader.Get(ctx, client.ObjectKey{Namespace: "default", Name: "a"}, &last)
			return last.Status.Mode == mode, err
		})
	if err != nil {
		t.Fatalf("the device has mode %q, want %q: %v", last.Status.Mode, mode, err)
	}
}
