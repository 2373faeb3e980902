// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/tools/cache"
)

// rename is a transform that gives each object the name that to returns. client-go calls it twice for some objects.
func (t *informerTest) rename(to func(name string) (string, error)) {
	t.Helper()
	err := t.SetTransform(func(obj any) (any, error) {
		pod := podOf(obj)
		if strings.HasPrefix(pod.Name, "new-") {
			return obj, nil
		}
		var err error
		pod.Name, err = to(pod.Name)
		return obj, err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (t *informerTest) wantKeys(want ...string) {
	t.Helper()
	keys := t.GetStore().ListKeys()
	slices.Sort(keys)
	t.want("keys", keys, want)
	for _, key := range want {
		if obj, ok, _ := t.GetStore().GetByKey(key); !ok || "ns/"+podOf(obj).Name != key {
			t.Errorf("%s: got %v", key, obj)
		}
	}
	t.want("objects", len(t.GetStore().List()), len(want))
}

// An object that a transform renames is stored under its new name, as in client-go.
func TestTransformRenames(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		t.rename(func(name string) (string, error) { return "new-" + name, nil })
		h := t.add()
		t.source.Add(t.pod("a"))
		t.source.Add(t.pod("b"))
		t.start()
		t.want("listed", h.take(), "[add new-a true add new-b true]")
		t.wantKeys("ns/new-a", "ns/new-b")
		t.source.Modify(t.pod("a"))
		t.settle()
		t.want("modified", h.take(), "[update new-a 1→3]")
		t.source.Delete(t.pod("b"))
		t.source.Add(t.pod("c"))
		t.settle()
		t.want("watched", h.take(), "[add new-c false delete new-b]")
		t.wantKeys("ns/new-a", "ns/new-c")
		t.source.DeleteDropWatch(t.pod("c"))
		t.source.AddDropWatch(t.pod("d"))
		t.source.ModifyDropWatch(t.pod("a"))
		t.source.ResetWatch()
		t.settle()
		t.want("listed again", h.take(), "[add new-d false unknown ns/new-c new-c update new-a 3→8]")
		t.wantKeys("ns/new-a", "ns/new-d")
		t.source.Delete(t.pod("a"))
		t.source.Delete(t.pod("d"))
		t.settle()
		t.want("deleted", h.take(), "[delete new-a delete new-d]")
		t.wantKeys()
	})
}

// A renamed object keeps its last state if its transform fails for an event or in a list. It is deleted if the
// transform fails for its deletion.
func TestTransformOfRenamedFails(t *testing.T) {
	testOurs(t, func(t *informerTest) {
		fails, reported := "", 0
		t.rename(func(name string) (string, error) {
			if name == fails {
				return "", errors.New("cannot transform")
			}
			return "new-" + name, nil
		})
		if err := t.SetWatchErrorHandler(func(_ *cache.Reflector, err error) {
			if strings.Contains(err.Error(), "ns/a: the transform failed") {
				reported++
			}
		}); err != nil {
			t.Fatal(err)
		}
		h := t.add()
		t.source.Add(t.pod("a"))
		t.source.Add(t.pod("b"))
		t.start()
		h.take()
		fails = "a"
		t.source.Modify(t.pod("a"))
		t.settle()
		t.wantKeys("ns/new-a", "ns/new-b")
		t.source.ModifyDropWatch(t.pod("a"))
		t.source.DeleteDropWatch(t.pod("b"))
		t.source.ResetWatch()
		t.settle()
		t.want("listed", h.take(), "[unknown ns/new-b new-b]")
		t.wantKeys("ns/new-a")
		t.source.Delete(t.pod("a"))
		t.settle()
		t.want("deleted", h.take(), "[unknown ns/new-a new-a]")
		t.wantKeys()
		t.want("errors", reported, 3)
	})
}
