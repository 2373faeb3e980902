// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const crds = "../../testdata/crds"

// serve runs the command and returns the kubeconfig that it writes.
func serve(t *testing.T, args ...string) (kubeconfig string) {
	t.Helper()
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	ctx, cancel := context.WithCancel(t.Context())
	out, ended := newNotice(), make(chan error, 1)
	go func() {
		ended <- run(ctx, append(args, "-kubeconfig", kubeconfig, crds), out, t.Output())
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(kubeconfig); !os.IsNotExist(err) {
			t.Errorf("the kubeconfig is left behind: %v", err)
		}
	})
	select {
	case text := <-out.written:
		if !strings.Contains(text, "export KUBECONFIG="+kubeconfig) {
			t.Errorf("the command says %q", text)
		}
	case err := <-ended:
		ended <- err
		t.Fatal("the command has ended")
	case <-time.After(10 * time.Minute):
		t.Fatal("the command says nothing")
	}
	return kubeconfig
}

// notice sends each write to a channel.
type notice struct{ written chan string }

func newNotice() notice { return notice{make(chan string, 1)} }

func (n notice) Write(p []byte) (int, error) {
	n.written <- string(p)
	return len(p), nil
}

// TestKubectl does with both servers what people do first.
func TestKubectl(t *testing.T) {
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets == "" {
		t.Skip("this test needs kubectl: run hack/test-kubernetes.sh, or set KUBEBUILDER_ASSETS")
	}
	for name, flags := range map[string][]string{"custom resources": nil, "Kubernetes": {"-kubernetes"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kubeconfig := serve(t, flags...)
			home := t.TempDir() // of the discovery cache
			kubectl := func(stdin string, args ...string) string {
				cmd := exec.CommandContext(t.Context(), filepath.Join(assets, "kubectl"), args...)
				cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "HOME="+home)
				cmd.Stdin = strings.NewReader(stdin)
				// The output shows an error.
				out, _ := cmd.CombinedOutput()
				return string(out)
			}
			gadget := func(spec string) string {
				return "apiVersion: example.dev/v1\nkind: Gadget\nmetadata: {name: one}\nspec: {" + spec + "}\n"
			}
			for _, c := range []struct{ stdin, args, want string }{
				{"", "version", "Server Version: v1."},
				{"", "api-resources", "example.dev/v1"},
				{gadget("size: 1"), "apply -f -", "gadget.example.dev/one created"},
				{gadget("size: 2"), "apply -f -", "gadget.example.dev/one configured"},
				{gadget("size: 3"), "apply --server-side --force-conflicts -f -", "serverside-applied"},
				{gadget("siez: 3"), "apply --server-side --force-conflicts -f -", "siez"},
				{"", "get gadgets -A -o jsonpath={.items[*].spec.size}", "3"},
				{"", "get crds", "gadgets.example.dev"},
				{"", "delete gadget one", "deleted"},
			} {
				if got := kubectl(c.stdin, strings.Fields(c.args)...); !strings.Contains(got, c.want) {
					t.Errorf("kubectl %s says %q, want something of %q", c.args, got, c.want)
				}
			}
		})
	}
}

func TestKubeconfigIsNotOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := run(t.Context(), []string{"-kubeconfig", path}, io.Discard, t.Output())
	if err == nil || !strings.Contains(err.Error(), "choose another") {
		t.Errorf("writing over a kubeconfig: %v", err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "precious" {
		t.Errorf("the kubeconfig is %q, %v", data, err)
	}
}

func TestArgumentsAreCheckedBeforeTheBuild(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"a flag after a path":     {[]string{crds, "-v"}, "-v comes after a path"},
		"a path beside -assets":   {[]string{"-assets", crds}, "-assets only builds"},
		"no CRDs":                 {[]string{"-kubeconfig", filepath.Join(t.TempDir(), "k"), "no-such-file"}, "no-such-file"},
		"an unwritable directory": {[]string{"-kubeconfig", filepath.Join(t.TempDir(), "no", "file")}, "choose another file"},
	} {
		var progress bytes.Buffer
		err := run(t.Context(), c.args, io.Discard, &progress)
		if err == nil || !strings.Contains(err.Error(), c.want) || progress.Len() > 0 {
			t.Errorf("%s: %v, after %q", name, err, progress.String())
		}
	}
}

func TestUsage(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-help"}, io.Discard, &out); err == nil || !strings.Contains(out.String(), "-kubernetes") {
		t.Errorf("-help says %s", fmt.Sprint(err, out.String()))
	}
}
