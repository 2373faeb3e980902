// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/gentype"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
)

// server is shared by the tests of this package; they work in namespaces of
// their own.
var server *apiserver.Server

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) (code int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var err error
	server, err = apiserver.Start(ctx, apiserver.Options{
		CRDs:     []string{"../quickstart/config/crd"},
		Progress: os.Stderr,
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := server.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		if err := goleak.Find(); err != nil && code == 0 {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}()
	return m.Run()
}

// fresh returns the name of a namespace in which nothing is left of an earlier run.
func fresh(name string) string { return name + "-" + strings.ToLower(rand.Text()[:8]) }

// typed is a client of devices as client-gen writes it.
type typed = *gentype.ClientWithList[*fleet.Device, *fleet.DeviceList]

func typedClient(t *testing.T, namespace string) typed {
	t.Helper()
	return typedClientOf(t, server.Endpoint, namespace)
}

func typedClientOf(t *testing.T, endpoint apiserver.Endpoint, namespace string) typed {
	t.Helper()
	return typedClientThrough(t, endpoint, namespace, nil)
}

// typedClientThrough returns a client whose requests pass through what wrap returns.
func typedClientThrough(
	t *testing.T,
	endpoint apiserver.Endpoint,
	namespace string,
	wrap transport.WrapperFunc,
) typed {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := fleet.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	cfg := restconfig.New(endpoint)
	cfg.WrapTransport = wrap
	cfg.GroupVersion = &fleet.GroupVersion
	cfg.APIPath = "/apis"
	cfg.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	http, err := rest.HTTPClientFor(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(http.CloseIdleConnections)
	client, err := rest.RESTClientForConfigAndClient(cfg, http)
	if err != nil {
		t.Fatal(err)
	}
	return gentype.NewClientWithList(
		"devices",
		client,
		runtime.NewParameterCodec(scheme),
		namespace,
		func() *fleet.Device { return &fleet.Device{} },
		func() *fleet.DeviceList { return &fleet.DeviceList{} },
	)
}

func device(namespace, name, site, model string) *fleet.Device {
	return &fleet.Device{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"model": model}},
		Spec:       fleet.DeviceSpec{Site: site, Model: model},
		Status:     fleet.DeviceStatus{Phase: fleet.DeviceOnline},
	}
}
