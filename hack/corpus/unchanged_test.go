// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// schemaOf returns a schema of properties that nest as deep as depth, six at each level.
func schemaOf(path string, depth int) apiextensionsv1.JSONSchemaProps {
	out := apiextensionsv1.JSONSchemaProps{
		Type: "object", Description: "The field " + path + " says what the controller should do with it.",
	}
	if depth == 0 {
		out.Type, out.MinLength, out.Pattern = "string", new(int64(1)), "^[a-z]+$"
		return out
	}
	out.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
	for i := range 6 {
		name := fmt.Sprintf("field%d", i)
		out.Properties[name] = schemaOf(path+"."+name, depth-1)
	}
	return out
}

// BenchmarkUnchanged compares reading an object that the cache holds already with decoding it anew by
// generated code. A CustomResourceDefinition has maps in maps.
func BenchmarkUnchanged(b *testing.B) {
	type crd = apiextensionsv1.CustomResourceDefinition
	schema := schemaOf("", 4)
	data, err := (&crd{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com", UID: "u", ResourceVersion: "7"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com",
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &schema},
			}},
		},
	}).Marshal()
	if err != nil {
		b.Fatal(err)
	}
	held := new(crd)
	if err := held.Unmarshal(data); err != nil {
		b.Fatal(err)
	}
	b.Run("ours", func(b *testing.B) {
		body := listMessage(b, [][]byte{data})
		reader := bytes.NewReader(nil)
		conn := wire.Conn{
			BaseURL: "http://bench",
			Client:  &http.Client{Transport: reading{reader, "application/vnd.kubernetes.protobuf"}},
		}
		resource := apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")
		b.ReportAllocs()
		b.SetBytes(int64(len(data)))
		for range b.N {
			reader.Reset(body)
			// A new source remembers nothing, as with many objects.
			src := wire.Source[*crd](conn, resource).
				Reusing(func(types.NamespacedName) (*crd, bool) { return held, true })
			if _, err := src.List(b.Context(), metav1.ListOptions{}, func(item source.Delta[*crd], err error) error {
				if item.Object != held {
					b.Error("the cached object was not reused")
				}
				return err
			}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(data)))
		for range b.N {
			if err := new(crd).Unmarshal(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
