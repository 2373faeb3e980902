// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

func device(name string) *v1alpha1.Device {
	return &v1alpha1.Device{ObjectMeta: metav1.ObjectMeta{Namespace: "fleet", Name: name}}
}

// A device that is deleted while the program does not run leaves at the next start. A directory that cannot be written
// to is tried again.
func TestRun(t *testing.T) { synctest.Test(t, testRun) }

func testRun(t *testing.T) {
	dir, server := directory(t.TempDir()), runtimetest.NewServer[*v1alpha1.Device]()
	server.Set(device("a"))
	server.Set(device("b"))
	during(t, server, dir, func() {
		dir.want(t, "a", "b")
		server.Delete("fleet", "a")
		dir.want(t, "b")
	})
	server.Delete("fleet", "b")
	server.Set(device("c"))
	during(t, server, dir, func() {
		dir.want(t, "c")
		if err := os.WriteFile(string(dir)+"/other", nil, 0o600); err != nil { // where a directory belongs
			t.Fatal(err)
		}
		d := device("d")
		d.Namespace = "other"
		server.Set(d)
		time.Sleep(time.Millisecond) // by the clock of the bubble
		synctest.Wait()
		if err := os.Remove(string(dir) + "/other"); err != nil {
			t.Fatal(err)
		}
		dir.want(t, "c", "d")
	})
}

// during runs the program while do runs.
func during(t *testing.T, server *runtimetest.Server[*v1alpha1.Device], dir directory, do func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		run(ctx, server.Source(), dir)
	}()
	defer func() {
		cancel()
		<-ended
	}()
	do()
}

// want reports whether the directory has these devices after a minute, by the clock of the bubble.
func (dir directory) want(t *testing.T, names ...string) {
	t.Helper()
	time.Sleep(time.Minute)
	synctest.Wait()
	var got []string
	for key := range dir.Keys() {
		if d, ok := dir.Get(key); ok && d.Name == key.Name {
			got = append(got, key.Name)
		}
	}
	if slices.Sort(got); !slices.Equal(got, names) {
		t.Fatalf("the directory has %v, want %v", got, names)
	}
}
