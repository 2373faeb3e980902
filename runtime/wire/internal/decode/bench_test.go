// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"
)

// workload is much like the custom resource that hack/syncbench measures with.
type workload struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec struct {
		NodeName string   `json:"nodeName"`
		Args     []string `json:"args"`
		Env      []struct{ Name, Value string }
	} `json:"spec"`
	Status struct {
		Conditions []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

func workloads() [][]byte {
	var managed, env strings.Builder
	for e := range 10 {
		fmt.Fprintf(&managed, `"k:{\"name\":\"VAR_%d\"}":{".":{},"f:name":{},"f:value":{}},`, e)
		fmt.Fprintf(&env, `,{"Name":"VAR_%d","Value":"some-value-%%[1]d-%d"}`, e, e)
	}
	var texts [][]byte
	for i := range 1000 {
		texts = append(texts, fmt.Appendf(nil, `{"apiVersion":"example.com/v1","kind":"Workload","metadata":{"name":"w-%[1]d","namespace":"ns-%[2]d","uid":"6ba7b810-9dad-11d1-80b4-%012[1]d",`+
			`"resourceVersion":"%[1]d","creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"app-%[2]d","tier":"backend"},`+
			`"managedFields":[{"manager":"m","operation":"Update","apiVersion":"example.com/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{`+managed.String()+`"f:args":{}}}}]},`+
			`"spec":{"nodeName":"node-%[2]d","args":["--a","--b=c","--d"],"Env":[{"Name":"FIRST","Value":""}`+env.String()+`]},`+
			`"status":{"conditions":[{"type":"Ready","status":"True","reason":"AllGood","message":"everything is fine here","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}`, i, i%100))
	}
	return texts
}

func BenchmarkDecode(b *testing.B) {
	withoutManaged := &skip.Paths{}
	withoutManaged.Add([]skip.Step{{Name: "metadata"}, {Name: "managedFields"}})
	whole, skipping, sharing := New(
		Options{},
	), New(
		Options{Skip: withoutManaged},
	), New(
		Options{Skip: withoutManaged, Share: true},
	)
	fast := func(d *Decoder) func(text []byte) error {
		return func(text []byte) error {
			_, err := d.Decode(text, new(workload))
			return err
		}
	}
	texts := workloads()
	for _, way := range []struct {
		name   string
		decode func(text []byte) error
	}{
		{"reference", func(text []byte) error { return kjson.UnmarshalCaseSensitivePreserveInts(text, new(workload)) }},
		{"whole", fast(whole)},
		{"without managedFields", fast(skipping)},
		{"and parts shared", fast(sharing)},
		{"identify", func(text []byte) error {
			if _, ok := whole.Identify(text); !ok {
				return ErrOdd
			}
			return nil
		}},
		{"match", func() func(text []byte) error {
			held := map[string]*workload{}
			for _, text := range texts {
				obj := new(workload)
				if _, err := whole.Decode(text, obj); err != nil {
					b.Fatal(err)
				}
				held[obj.Name] = obj
			}
			return func(text []byte) error {
				id, _ := whole.Identify(text)
				if _, same := whole.Match(text, held[string(id.Name)], false); !same {
					return ErrOdd
				}
				return nil
			}
		}()},
		{"skip", func(text []byte) error {
			whole.begin(text)
			return whole.skipValue()
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(int64(len(texts[500])))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := way.decode(texts[i%len(texts)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
