// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"k8s.io/client-go/tools/cache"
)

// testCrash runs the test again in a process of its own, with a variable. There crash must end the process.
// It returns what the process printed.
func testCrash(t *testing.T, variable string, crash func(t *informerTest)) string {
	t.Helper()
	if os.Getenv(variable) != "" {
		testOurs(t, func(t *informerTest) {
			crash(t)
			t.settle()
		})
		return ""
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), variable+"=true")
	out, err := child.CombinedOutput()
	if err == nil {
		t.Errorf("the process did not crash:\n%s", out)
	}
	return string(out)
}

func TestMutationDetector(t *testing.T) {
	out := testCrash(t, "KUBE_CACHE_MUTATION_DETECTOR", func(t *informerTest) {
		t.source.Add(t.pod("a"))
		t.start()
		obj, _, _ := t.GetStore().GetByKey("ns/a")
		podOf(obj).Spec.NodeName = "mutated"
	})
	if out != "" && (!strings.Contains(out, `NodeName: (string) (len=7) "mutated"`) || !strings.Contains(out, "modified")) {
		t.Errorf("the mutation is not shown:\n%s", out)
	}
}

func TestPanicCrashes(t *testing.T) {
	out := testCrash(t, "CLIENTGO_TEST_CRASH", func(t *informerTest) {
		_, _ = t.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { panic("boom in a handler") }})
		t.source.Add(t.pod("a"))
		t.start()
	})
	if out != "" && !strings.Contains(out, "boom in a handler") {
		t.Errorf("the panic is not named:\n%s", out)
	}
}
