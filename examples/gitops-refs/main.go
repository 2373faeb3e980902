// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	gitops "github.com/indexer-gen/indexer-gen/examples/gitops-refs/api/v1"
	"github.com/indexer-gen/indexer-gen/examples/objects"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gitops-refs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) (err error) {
	fmt.Fprintln(out, "starting etcd and an API server (the first time, building them takes minutes)")
	_, file, _, _ := runtime.Caller(0)
	crds := filepath.Join(filepath.Dir(file), "config", "crd")
	server, err := apiserver.Start(ctx, apiserver.Options{CRDs: []string{crds}, Progress: out})
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := server.Close(); err == nil {
			err = closeErr
		}
	}()
	client := server.HTTPClient()
	defer client.CloseIdleConnections()

	releases := objects.Client{HTTP: client, URL: server.URL, Resource: gitops.ReleasesResource}
	for _, r := range manifests() {
		if err := releases.Create(ctx, r); err != nil {
			return err
		}
	}

	conn := wire.Conn{Client: client, BaseURL: server.URL}
	informers := gitops.NewInformers(gitops.InformerSources{
		Releases: wire.Source[*gitops.Release](conn, gitops.ReleasesResource),
	})
	defer informers.Shutdown()
	lister := informers.Releases().Lister()
	informers.Start(ctx)
	if err := informers.WaitForSync(ctx); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d releases; when a Secret changes, these must be looked at:\n", lister.Len())
	for _, secret := range []types.NamespacedName{
		{Namespace: "shop", Name: "database"},
		{Namespace: "billing", Name: "database"},
		{Namespace: "platform", Name: "registry"},
		{Namespace: "shop", Name: "nobody-uses-this"},
	} {
		fmt.Fprintf(out, "  Secret %-24s %v\n", secret, users(lister, secret))
	}
	return nil
}

// users returns the keys of the releases that use a Secret, each once.
func users(lister gitops.ReleaseLister, secret types.NamespacedName) []string {
	now := lister.Snapshot() // so that both questions are about the same moment
	var keys []string
	for _, found := range []iter.Seq[*gitops.Release]{
		now.ByValuesSecret(secret.Namespace, secret.Name),
		now.ByPullSecret(secret.Namespace, secret.Name),
	} {
		for r := range found {
			keys = append(keys, r.Namespace+"/"+r.Name)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// manifests returns the releases of the example.
func manifests() []*gitops.Release {
	registry := &gitops.PullSecret{Namespace: "platform", Name: "registry"}
	release := func(namespace, name string, pull *gitops.PullSecret, secrets ...string) *gitops.Release {
		r := &gitops.Release{
			TypeMeta:   metav1.TypeMeta{APIVersion: gitops.GroupVersion.String(), Kind: "Release"},
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
			Spec:       gitops.ReleaseSpec{Chart: name, PullSecret: pull},
		}
		for _, s := range secrets {
			r.Spec.ValuesFrom = append(r.Spec.ValuesFrom, gitops.ValuesFrom{SecretName: s})
		}
		return r
	}
	return []*gitops.Release{
		release("shop", "cart", registry, "database", "payment"),
		release("shop", "search", nil, "database"),
		release("shop", "frontend", registry),
		release("billing", "invoices", nil, "database", "database"),
		release("platform", "controller", registry, "registry"),
	}
}
