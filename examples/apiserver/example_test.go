// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	server, err := apiserver.Start(ctx, apiserver.Options{
		CRDs:     []string{"testdata/crds"},
		Progress: os.Stderr,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	client := server.HTTPClient()
	defer client.CloseIdleConnections()
	res, err := client.Get(server.URL + "/apis/example.dev/v1/gadgets")
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	fmt.Println(res.Status, res.Proto)
	// Output: 200 OK HTTP/2.0
}
