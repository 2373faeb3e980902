// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// BenchmarkList reads a list from memory.
func BenchmarkList(b *testing.B) {
	text := bulk(20_000)
	src := Source[*Widget](Conn{BaseURL: "http://memory", Client: &http.Client{Transport: answer(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader(text))}, nil
	})}}, widgets)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		n := 0
		if _, err := src.List(b.Context(), metav1.ListOptions{}, func(source.Delta[*Widget], error) error { n++; return nil }); err != nil ||
			n != 20_000 {
			b.Fatal(n, err)
		}
	}
}

// bulk returns a list of n objects of about 2 KB, a quarter of it managedFields.
func bulk(n int) string {
	var items []string
	for i := range n {
		var ports []string
		for p := range 30 {
			ports = append(ports, fmt.Sprintf(`{"label":"port-%d-%d","number":%d}`, p, i%100, p+8000))
		}
		items = append(items, fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"namespace":"ns-%d","name":"w-%d","uid":"6ba7b810-9dad-11d1-80b4-%012d","resourceVersion":"%d","creationTimestamp":"2026-01-01T00:00:00Z",`+
			`"labels":{"app":"app-%d"},"managedFields":[{"manager":"m","operation":"Update","apiVersion":"example.com/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{%s"f:nodeName":{}}}}]},`+
			`"spec":{"nodeName":"node-%d","ports":[%s]}}`, i%100, i, i, i, i%500, strings.Repeat(`"f:ports":{".":{},"f:label":{},"f:number":{}},`, 10), i%1000, strings.Join(ports, ",")))
	}
	return listJSON(items...)
}
