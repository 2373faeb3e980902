// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/slim"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// listAndWatch returns the objects that a list and a watch bring, which are to be
// as many and the same.
func listAndWatch[T metav1.Object](t *testing.T, src source.ListerWatcher[T]) []T {
	t.Helper()
	var listed []T
	_, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[T], err error) error {
		listed = append(listed, item.Object)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var watched []T
	err = src.Watch(t.Context(), metav1.ListOptions{}, func(d source.Delta[T], _ string, err error) error {
		watched = append(watched, d.Object)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(listed, watched) {
		t.Errorf("listed %+v\nwatched %+v", listed, watched)
	}
	return listed
}

// A server that knows the form of metadata alone sends that, one that does not
// sends whole objects: they become the same.
func TestSourceOfMetadata(t *testing.T) {
	for _, knows := range []bool{true, false} {
		var asked []string
		conn := serve(t, false, func(w http.ResponseWriter, r *http.Request) {
			accept := r.Header.Get("Accept")
			asked = append(asked, accept)
			w.Header().Set("Content-Type", "application/json")
			item := full
			if form, _, _ := strings.Cut(accept, ";g="); knows &&
				strings.HasPrefix(form, "application/json;as=PartialObjectMetadata") {
				before, _, _ := strings.Cut(full, `,"spec"`)
				item = strings.Replace(
					strings.Replace(before, `"Widget"`, `"PartialObjectMetadata"`, 1),
					"example.com/v1",
					"meta.k8s.io/v1",
					1,
				) + "}"
				w.Header().Set("Content-Type", form)
			}
			if r.URL.Query().Get("watch") == "" {
				send(w, listJSON(item))
				return
			}
			send(w, eventJSON("ADDED", item))
		})
		objects := listAndWatch(t, Source[*metav1.PartialObjectMetadata](conn, widgets, InNamespace("ns")))
		if len(objects) != 1 {
			t.Fatalf("%d objects", len(objects))
		}
		obj := objects[0]
		if obj.Name != "a" || obj.Labels["app"] != "x" || len(obj.ManagedFields) != 1 ||
			obj.TypeMeta != (metav1.TypeMeta{}) {
			t.Errorf("%+v", obj)
		}
		if len(asked) != 2 || !strings.HasPrefix(asked[0], mediaProtobuf+";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"+acceptMetadataList) ||
			!strings.HasPrefix(asked[1], mediaProtobuf+";as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"+acceptMetadataObject) ||
			!strings.HasSuffix(asked[0], ",application/json") || !strings.HasSuffix(asked[1], ",application/json") {
			t.Errorf("asked for %q", asked)
		}
		small := listAndWatch(t, Source[*struct {
			slim.Labeled `json:"metadata"`
		}](conn, widgets, InNamespace("ns")))
		if len(small) != 1 || small[0].GetName() != "a" || small[0].GetLabels()["tier"] != "y" {
			t.Errorf("%+v", small)
		}
		skipped := listAndWatch(
			t,
			Source[*metav1.PartialObjectMetadata](conn.With(WithoutManagedFields()), widgets, InNamespace("ns")),
		)
		if skipped[0].ManagedFields != nil || skipped[0].Labels["app"] != "x" {
			t.Errorf("%+v", skipped[0])
		}
	}
}
