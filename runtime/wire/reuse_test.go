// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

// mixed returns n objects of random sizes; some cannot be decoded.
func mixed(n int) []string {
	random := rand.New(rand.NewPCG(1, 2))
	var out []string
	for i := range n {
		name := fmt.Sprint("w", i)
		text := widgetJSON(name)
		switch random.IntN(50) {
		case 0:
			text = fmt.Sprintf(`{"metadata":{"namespace":"ns","name":%q},"spec":{"nodeName":5}}`, name)
		case 1:
			text = fmt.Sprintf(
				`{"metadata":{"namespace":"ns","name":%q,"annotations":{"big":%q}}}`,
				name,
				strings.Repeat("x", random.IntN(8*firstBufferBytes)),
			)
		case 2:
			text = strings.ReplaceAll(text, ",", " ,\n")
		}
		out = append(out, text)
	}
	return out
}

func TestListReusesHeldObjects(t *testing.T) {
	text := listJSON(mixed(2000)...)
	items, _, err := decodeList(strings.NewReader(text), testLimit*4)
	if err != nil {
		t.Fatal(err)
	}
	held := map[types.NamespacedName]*Widget{}
	for _, item := range items {
		if item.Err == nil {
			held[types.NamespacedName{Namespace: item.Object.Namespace, Name: item.Object.Name}] = item.Object
		}
	}
	objects := widgetDecoder()
	objects.reuse.held = func(key types.NamespacedName) (*Widget, bool) { obj, ok := held[key]; return obj, ok }
	again, _, err := decodeListWith(objects, strings.NewReader(text), testLimit*4)
	if err != nil || len(again) != len(items) {
		t.Fatalf("%d objects, %v", len(again), err)
	}
	reused, known := 0, 0
	for i, item := range again {
		if item.Err == nil && item.Object.ResourceVersion != "" {
			known++
			if item.Object == items[i].Object {
				reused++
			}
		}
	}
	if reused != known || known < 1800 {
		t.Errorf("%d of %d were reused", reused, known)
	}
}
