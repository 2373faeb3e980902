// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
)

// Three replicas count each of 60 Pods once.
func TestRun(t *testing.T) {
	server := runtimetest.NewServer[*Pod]()
	for i := range 60 {
		p := new(Pod)
		p.Namespace, p.Name = "shop", fmt.Sprint("pod-", i)
		p.Spec.NodeName, p.Status.Phase = "node-1", corev1.PodRunning
		server.Set(p)
	}
	sum := 0
	for replica := range 3 {
		mine, err := shard.Of(replica, 3)
		if err != nil {
			t.Fatal(err)
		}
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "localhost:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- run(ctx, listener, shard.Source(server.Source(), shard.NewSet(mine))) }()
		metrics := get(t, "http://"+listener.Addr().String()+"/metrics")
		if !strings.Contains(metrics, `indexergen_informer_synced{informer="",resource="pods/v1"} 1`) {
			t.Error("it does not say that the informer has synced")
		}
		count := regexp.MustCompile(`pods\{node="node-1",phase="Running"\} (\d+)`).FindStringSubmatch(metrics)
		if count == nil {
			t.Fatalf("it serves\n%s", metrics)
		}
		n, _ := strconv.Atoi(count[1])
		if sum += n; n == 60 {
			t.Error("a replica has all Pods")
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if sum != 60 {
		t.Errorf("the replicas have %d Pods", sum)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
