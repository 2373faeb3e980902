// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestKilledChild checks that a child that dies is reported as such, and not as
// a call that hangs.
func TestKilledChild(t *testing.T) {
	server, err := Start(t.Context(), Options{Log: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.child.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-server.child.exited
	if err := server.StopServer(t.Context()); err == nil || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("a call to a dead child: %v", err)
	}
	if err := server.Close(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("closing a server whose child is dead: %v", err)
	}
}

// TestKilledKubeAPIServer checks that a kube-apiserver that dies ends the server.
func TestKilledKubeAPIServer(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" || runtime.GOOS != "linux" {
		t.Skip("this test needs a built kube-apiserver, and /proc")
	}
	server, err := Start(t.Context(), Options{Kubernetes: true})
	if err != nil {
		t.Fatal(err)
	}
	pid := 0
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", server.child.process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		children, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscan(string(children), &pid); err == nil {
			break
		}
	}
	process, err := os.FindProcess(pid)
	if err != nil || pid == 0 {
		t.Fatalf("no kube-apiserver among the children: %v", err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-server.Done()
	if err := server.Close(); err == nil || !strings.Contains(err.Error(), "kube-apiserver has ended: signal: killed") {
		t.Errorf("closing a server whose kube-apiserver is dead: %v", err)
	}
}

func TestAnnounce(t *testing.T) {
	for _, c := range []struct {
		name      string
		took      time.Duration
		succeeded bool
		want      []string // of the lines, their beginnings
	}{
		{"quick", patience / 2, true, nil},
		{"slow", 10 * patience, true, []string{"building it (the first time takes long)", "building it: 2 packages compiled in 17s", "built it in 20s"}},
		{"slow and failed", 2 * patience, false, []string{"building"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				a := announce(&out, "it", "long")
				fmt.Fprint(a, "example.com/a\ngo: downloading example.com/c v1.0.0\nexample.com/b\n")
				time.Sleep(c.took) // by the clock of the bubble
				a.end(c.succeeded)
				time.Sleep(time.Hour)
				lines := strings.Split(strings.TrimSpace(out.String()), "\n")
				if out.Len() == 0 {
					lines = nil
				}
				if len(lines) != len(c.want) {
					t.Fatalf("wrote %q, want %q", lines, c.want)
				}
				for i, line := range lines {
					if !strings.HasPrefix(line, c.want[i]) {
						t.Errorf("wrote %q, want %q", lines, c.want)
					}
				}
			})
		})
	}
}
