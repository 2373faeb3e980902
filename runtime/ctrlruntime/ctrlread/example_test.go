// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlread_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrlread"
)

// The cache lists the metadata of all Secrets once, and reads the Secret that the program reads.
func ExampleHoldRead() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch name := r.URL.Query().Get("fieldSelector"); {
		case r.URL.Query().Has("watch"):
			<-r.Context().Done()
		case name != "":
			fmt.Println("read", name)
			fmt.Fprint(w, `{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":`+
				`{"namespace":"shop","name":"token","uid":"1","resourceVersion":"5"},"data":{"token":"c2VjcmV0"}}]}`)
		default:
			fmt.Println("list metadata")
			fmt.Fprint(w, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1",`+
				`"metadata":{"resourceVersion":"7"},"items":[`+
				`{"metadata":{"namespace":"shop","name":"token","uid":"1","resourceVersion":"5"}},`+
				`{"metadata":{"namespace":"shop","name":"unread","uid":"2","resourceVersion":"6"}}]}`)
		}
	}))
	defer server.Close()
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Secret"), meta.RESTScopeNamespace)

	newCache := ctrlruntime.NewCacheWith(ctrlread.HoldRead(&corev1.Secret{}))
	c, err := newCache(&rest.Config{Host: server.URL}, cache.Options{
		Mapper: mapper, DefaultEnableWatchBookmarks: new(bool), // so that the first list is not streamed
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- c.Start(ctx) }()
	c.WaitForCacheSync(ctx)
	for range 2 {
		var secret corev1.Secret
		err := c.Get(ctx, client.ObjectKey{Namespace: "shop", Name: "token"}, &secret)
		fmt.Println(string(secret.Data["token"]), err)
	}
	cancel()
	fmt.Println(<-ended)
	// Output:
	// list metadata
	// read metadata.name=token
	// secret <nil>
	// secret <nil>
	// <nil>
}
