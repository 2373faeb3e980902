// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

// parentVariable makes the test binary a program that starts a server, the whole
// one if it is "kubernetes", prints where it is, and waits.
const parentVariable = "APISERVER_TEST_AS_PARENT"

func runAsParent() bool {
	which := os.Getenv(parentVariable)
	if which == "" {
		return false
	}
	server, err := apiserver.Start(context.Background(), apiserver.Options{Kubernetes: which == "kubernetes", CRDs: []string{crds}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(server.PlainURL, server.Token)
	<-server.Done()
	return true
}

// TestDiesWithParent kills a parent, which has no chance to say goodbye.
func TestDiesWithParent(t *testing.T) { diesWithParent(t, "custom resources") }

func TestKubernetesDiesWithParent(t *testing.T) {
	needKubernetes(t)
	diesWithParent(t, "kubernetes")
}

func diesWithParent(t *testing.T, which string) {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	temp, err := os.MkdirTemp("", "parent-") // short, for the socket in it
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(temp)
	parent := exec.CommandContext(t.Context(), executable)
	parent.Env = append(os.Environ(), parentVariable+"="+which, "TMPDIR="+temp)
	parent.Stderr = t.Output()
	parent.WaitDelay = time.Second
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url, token, _ := strings.Cut(strings.TrimSpace(line), " ")
	gs := at(t, apiserver.Endpoint{PlainURL: url, Token: token}, url)
	w := gs.watch("")
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// That the parent was killed is what Wait reports.
	_ = parent.Wait()

	if _, _, err := w.next(); err == nil {
		t.Error("the watch goes on")
	}
	waitEmpty(t, temp)
	for _, process := range processes(t, temp) {
		t.Errorf("still runs: %s", process)
	}
	if res, err := gs.do(t.Context(), http.MethodGet, gs.url, nil); err == nil {
		res.Body.Close()
		t.Error("the server still answers")
	}
}

// waitEmpty waits until a directory is empty, which the child makes it just
// before it ends.
func waitEmpty(t *testing.T, dir string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("left behind: %q", left)
		}
	}
}

// processes returns the commands of running processes that name a directory, on
// systems with a /proc like that of Linux.
func processes(t *testing.T, dir string) (found []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		// An error means that the process has ended meanwhile.
		line, _ := os.ReadFile(file)
		if strings.Contains(string(line), dir) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
