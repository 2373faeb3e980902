// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// encoding is how objects are encoded on the wire.
type encoding struct {
	accept, watch string // the content types of lists and watches
	// items returns the objects of a list. Their resourceVersion is firstVersion.
	items func(list []byte) ([][]byte, error)
	// object encodes an object that has metadata only.
	object func(metav1.ObjectMeta) ([]byte, error)
	event  func(kind string, object []byte) ([]byte, error)
	// before is what precedes the digits of a resourceVersion.
	before string
}

// firstVersion is the resourceVersion of recorded objects. Replayed events count up from it, and its
// length stays.
const firstVersion = 1_000_000

func jsonEncoding(kind schema.GroupVersionKind) encoding {
	const before = `"resourceVersion":"`
	return encoding{
		accept: runtime.ContentTypeJSON, watch: runtime.ContentTypeJSON, before: before,
		items: func(list []byte) ([][]byte, error) {
			var all struct{ Items []json.RawMessage }
			err := json.Unmarshal(list, &all)
			objects := make([][]byte, len(all.Items))
			for i, item := range all.Items {
				head, tail, _ := strings.Cut(string(item), before)
				_, tail, found := strings.Cut(tail, `"`)
				if !found {
					return nil, fmt.Errorf("an object has no resourceVersion: %s", item)
				}
				objects[i] = fmt.Appendf(nil, `%s%s%d"%s`, head, before, firstVersion, tail)
			}
			return objects, err
		},
		object: func(meta metav1.ObjectMeta) ([]byte, error) {
			apiVersion, name := kind.ToAPIVersionAndKind()
			return json.Marshal(metav1.PartialObjectMetadata{
				TypeMeta: metav1.TypeMeta{APIVersion: apiVersion, Kind: name}, ObjectMeta: meta,
			})
		},
		event: func(kind string, object []byte) ([]byte, error) {
			return fmt.Appendf(nil, "{\"type\":%q,\"object\":%s}\n", kind, object), nil
		},
	}
}

// magic begins an object in protobuf.
const magic = "k8s\x00"

// protobufEncoding is that of Pods.
func protobufEncoding() encoding {
	return encoding{
		accept: runtime.ContentTypeProtobuf, watch: runtime.ContentTypeProtobuf + ";stream=watch",
		before: "\x32\x07", // field 6 of the metadata, which has seven digits
		items: func(list []byte) (objects [][]byte, err error) {
			var unknown runtime.Unknown
			var all corev1.PodList
			if err := unknown.Unmarshal(bytes.TrimPrefix(list, []byte(magic))); err != nil {
				return nil, err
			}
			if err := all.Unmarshal(unknown.Raw); err != nil {
				return nil, err
			}
			for i := range all.Items {
				all.Items[i].ResourceVersion = fmt.Sprint(firstVersion)
				object, err := all.Items[i].Marshal()
				if err != nil {
					return nil, err
				}
				objects = append(objects, object)
			}
			return objects, nil
		},
		object: func(meta metav1.ObjectMeta) ([]byte, error) {
			// Metadata is field 1, as in a Pod.
			return (&metav1.PartialObjectMetadata{ObjectMeta: meta}).Marshal()
		},
		event: func(kind string, object []byte) ([]byte, error) {
			raw, err := (&runtime.Unknown{
				TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "Pod"}, Raw: object,
			}).Marshal()
			if err != nil {
				return nil, err
			}
			event, err := (&metav1.WatchEvent{
				Type: kind, Object: runtime.RawExtension{Raw: append([]byte(magic), raw...)},
			}).Marshal()
			frame := binary.BigEndian.AppendUint32(nil, uint32(len(event)))
			return append(frame, event...), err
		},
	}
}
