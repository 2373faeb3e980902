// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package page_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/page"
)

// A program serves the statistics of its factory, here of one without informers.
func ExampleHandler() {
	informers := informer.NewFactory()
	mux := http.NewServeMux()
	mux.Handle("/debug/informers", page.Handler(informers.Stats))

	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest("GET", "/debug/informers?format=json", nil))
	fmt.Println(answer.Code, answer.Body)
	// Output: 200 []
}
