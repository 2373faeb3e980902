// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	kjson "sigs.k8s.io/json"
)

// Everything has a field for each way in which fields are decoded.
type Everything struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	*Embedded         `json:",inline"`
	Shadow

	Bool     bool                         `json:"bool"`
	Int      int                          `json:"int"`
	Int8     int8                         `json:"int8"`
	Uint16   uint16                       `json:"uint16"`
	Uint64   uint64                       `json:"uint64"`
	Float    float64                      `json:"float"`
	Float32  float32                      `json:"float32"`
	String   string                       `json:"string"`
	Phase    Phase                        `json:"phase"`
	UID      types.UID                    `json:"aUid"`
	Number   json.Number                  `json:"number"`
	Quoted   int                          `json:"quoted,string"`
	Pointer  *int32                       `json:"pointer"`
	Twice    **int32                      `json:"twice"`
	Strings  []string                     `json:"strings"`
	Phases   []Phase                      `json:"phases"`
	Bytes    []byte                       `json:"bytes"`
	Array    [2]int                       `json:"array"`
	Nested   []Everything                 `json:"nested"`
	Self     *Everything                  `json:"self"`
	Map      map[string]string            `json:"map"`
	Phased   map[Phase]*Everything        `json:"phased"`
	Ints     map[int]string               `json:"ints"`
	Matrix   [][]string                   `json:"matrix"`
	Any      any                          `json:"any"`
	Anys     map[string]any               `json:"anys"`
	Time     metav1.Time                  `json:"time"`
	TimeP    *metav1.Time                 `json:"timeP"`
	Micro    metav1.MicroTime             `json:"micro"`
	Duration metav1.Duration              `json:"duration"`
	Quantity resource.Quantity            `json:"quantity"`
	Limits   map[string]resource.Quantity `json:"limits"`
	IntStr   intstr.IntOrString           `json:"intStr"`
	IntStrP  *intstr.IntOrString          `json:"intStrP"`
	Raw      runtime.RawExtension         `json:"raw"`
	RawMsg   json.RawMessage              `json:"rawMsg"`
	Untagged string
	hidden   string
	Ignored  string `json:"-"`
	Dash     string `json:"-,"`
	Anon     struct{ metav1.Time }
}

type (
	Phase    string
	Embedded struct{ Inner, Both string }
	Shadow   struct {
		String string
		Shadow string
	}
)

// both decodes with this package and by reference and compares.
func both[E any](t *testing.T, d *Decoder, text string) error {
	t.Helper()
	got, want := new(E), new(E)
	n, err := d.Decode([]byte(text), got)
	wantErr := kjson.UnmarshalCaseSensitivePreserveInts([]byte(text), want)
	switch {
	case err != nil:
		return err
	case wantErr != nil && json.Valid([]byte(text)):
		t.Errorf("accepted what the reference does not: %v\n%s", wantErr, text)
	case wantErr != nil:
		// text may go on after the object.
		if again := kjson.UnmarshalCaseSensitivePreserveInts([]byte(text[:n]), want); again != nil {
			t.Errorf("accepted what the reference does not: %v\n%s", again, text[:n])
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\ngot  %+v\nwant %+v", text, got, want)
	}
	return nil
}

var sound = []string{
	`{}`,
	`{"apiVersion":"v1","kind":"Thing","metadata":{"name":"a","namespace":"b","uid":"u","labels":{"a":"b","c":null},"annotations":{},"creationTimestamp":"2026-01-31T00:00:00Z",` +
		`"deletionGracePeriodSeconds":30,"finalizers":[],"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"x","controller":true}],` +
		`"managedFields":[{"manager":"m","operation":"Apply","time":"2026-02-28T12:13:14Z","fieldsType":"FieldsV1","fieldsV1":{"f:a": {"." :{}}}},{"fieldsV1":null}]}}`,
	`{"Inner":"in","Both":"either","Shadow":"s","string":"outer","String":"shadowed"}`,
	`{ "bool" : true , "int" : -5 , "int8" : -128, "uint16":65535, "uint64":18, "float":1e3, "float32":-0.5 } `,
	`{"bool":null,"int":null,"uint16":null,"float":null,"string":null,"pointer":null,"strings":null,"map":null,"nested":null,"bytes":null,"any":null,"time":null,"timeP":null,"intStr":null,"raw":null,"quantity":null}`,
	`{"int":-0,"float":-0,"uint16":0}`,
	`{"string":"plain","phase":"x","aUid":"y","Untagged":"z","untagged":"not me","-":"dash","Ignored":"no","hidden":"no","a\\b":"no","Odd":"yes"}`,
	`{"string":"esc \" \\ \/ \b \f \n \r \t \u0041 \u00e9 \u4e16 é 世 😀"}`,
	`{"str\u0069ng":"an escaped name","map":{"\u0061":"1","a":"2"}}`,
	`{"pointer":7,"strings":["a","",null,"a long string that does not fit a word"],"phases":["x","y"],"matrix":[[],["a"],null],"bytes":"aGVsbG8="}`,
	`{"strings":[],"nested":[],"map":{},"bytes":"","phased":{},"anys":{}}`,
	`{"nested":[{"nested":[{"int":1},{"int":2}]},{"int":3},{"nested":[{"nested":[{"int":4}]}]}],"self":{"self":{"map":{"a":"b"}}}}`,
	`{"nested":[{"int":1},{"int":2},{"int":3},{"int":4},{"int":5},{"int":6},{"int":7},{"int":8},{"int":9},{"int":10}]}`,
	`{"phased":{"a":{"int":1,"phased":{"c":{}}},"b":null}}`,
	`{"any":{"a":[1,-2,3.5,1e2,"x",true,false,null,{}],"big":12345678901234567890,"min":-9223372036854775808}}`,
	`{"anys":{"a":1,"b":[[]]}}`,
	`{"time":"2024-02-29T23:59:59Z","timeP":"2026-11-21T03:04:05+02:00","micro":"2026-11-21T03:04:05.123456Z","duration":"1m"}`,
	`{"quantity":"100m","limits":{"cpu":"2","memory":"1.5Gi"},"intStr":"80%","intStrP":8080,"raw":{"a": 1 },"rawMsg":[1, 2]}`,
	`{"unknown":{"a":[{"b":"c\u0000\""},1.5e-7,true,false,null]},"int":1}`,
	`{"int":1} trailing`,
	`{"number":5,"quoted":"6","twice":7,"array":[1,2],"ints":{"1":"a"}}`,
}

func TestSoundIsDecodedAsByTheReference(t *testing.T) {
	d := New(Options{})
	for range 3 { // what is remembered must not change anything
		for _, text := range sound {
			if err := both[Everything](t, d, text); err != nil && !usesQuoted(text) {
				t.Errorf("%v: %s", err, text)
			}
		}
	}
}

// usesQuoted: a struct with a quoted field is for the reference as a whole, and
// so is what follows the object.
func usesQuoted(text string) bool { return strings.HasSuffix(text, "trailing") }

// plain is Everything without what hands the whole struct to the reference.
type plain struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Bool     bool                         `json:"bool"`
	Int      int                          `json:"int"`
	Int8     int8                         `json:"int8"`
	Uint16   uint16                       `json:"uint16"`
	Uint64   uint64                       `json:"uint64"`
	Float    float64                      `json:"float"`
	Float32  float32                      `json:"float32"`
	String   string                       `json:"string"`
	Number   json.Number                  `json:"number"`
	Pointer  *int32                       `json:"pointer"`
	Twice    **int32                      `json:"twice"`
	Strings  []string                     `json:"strings"`
	Phases   []Phase                      `json:"phases"`
	Bytes    []byte                       `json:"bytes"`
	Array    [2]int                       `json:"array"`
	Nested   []plain                      `json:"nested"`
	Self     *plain                       `json:"self"`
	Map      map[string]string            `json:"map"`
	Phased   map[Phase]*plain             `json:"phased"`
	Ints     map[int]string               `json:"ints"`
	Matrix   [][]string                   `json:"matrix"`
	Any      any                          `json:"any"`
	Anys     map[string]any               `json:"anys"`
	Time     metav1.Time                  `json:"time"`
	TimeP    *metav1.Time                 `json:"timeP"`
	IntStr   intstr.IntOrString           `json:"intStr"`
	IntStrP  *intstr.IntOrString          `json:"intStrP"`
	Limits   map[string]resource.Quantity `json:"limits"`
	Raw      runtime.RawExtension         `json:"raw"`
	Untagged string
	Dash     string `json:"-,"`
	Anon     struct{ metav1.Time }
}

// embedding embeds a struct by pointer, and fields that others hide.
type embedding struct {
	plain
	*Embedded `json:",inline"`
	Shadow
}

// odd has what package fields does not know: a name twice, and an unusual one.
type odd struct {
	embedding
	Twin
	Odd string `json:"a"`
}

type Twin struct{ Both string }

func TestPlainIsDecodedAsByTheReference(t *testing.T) {
	for _, options := range []Options{{}, {Share: true}} {
		d := New(options)
		for range 3 {
			for _, text := range sound {
				if err := errors.Join(both[plain](t, d, text), both[embedding](t, d, text), both[odd](t, d, text)); err != nil {
					t.Errorf("%v: %s", err, text)
				}
			}
		}
	}
}

func TestShortTextIsToldFromOddText(t *testing.T) {
	d := New(Options{})
	for _, text := range sound {
		text = strings.TrimSuffix(strings.TrimSpace(text), " trailing")
		for n := range len(text) {
			if _, err := d.Decode([]byte(text[:n]), new(plain)); err != ErrShort {
				t.Fatalf("%v: %s", err, text[:n])
			}
		}
	}
}

func TestOddTextIsLeftToTheReference(t *testing.T) {
	d := New(Options{})
	for _, text := range []string{
		`[]`, `5`, `null`, `{"int":"x"}`, `{"int":1.5}`, `{"int":01}`, `{"int":+1}`, `{"int8":128}`, `{"uint16":-1}`, `{"uint16":-0}`, `{"float32":1e300}`, `{"float":.5}`,
		`{"string":5}`, `{"string":"a` + "\n" + `b"}`, `{"string":"\x"}`, `{"string":"\u12g4"}`, `{"string":"\ud83d\ude00"}`, `{"bool":tru }`, `{"bool":"true"}`, `{"strings":{}}`, `{"map":[]}`, `{"self":[]}`,
		`{"int":1,}`, `{,"int":1}`, `{"int" 1}`, `{"int":1 "a":2}`, `{"strings":[1]}`, `{"strings":["a",]}`, `{"strings":["a" "b"]}`, `{"bytes":"?"}`, `{"time":"yesterday"}`,
		`{"time":"2026-02-30T00:00:00Z"}`, `{"intStr":1.5}`, `{"intStr":9999999999}`, `{"limits":{"cpu":"lots"}}`, `{"unknown":[1,}`, `{"unknown":"\q"}`, `{"unknown":nul}`, `{"unknown":-}`, `{"int":1,"int":2}`,
		`{"any":1e999}`, `{"self":{"map":{"a":"b"},"map":{"c":"d"}}}`, `{"unknown":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`,
	} {
		if _, err := d.Decode([]byte(text), new(plain)); err != ErrOdd {
			t.Errorf("%v: %.100s", err, text)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range sound {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip() // the caller's to see
		}
		d := New(Options{})
		for range 2 {
			_, _, _ = both[plain](t, d, text), both[embedding](t, d, text), both[odd](t, d, text)
		}
		skipping(t, text)
	})
}

// skipping compares decoding with skipped paths with decoding pruned text.
func skipping(t *testing.T, text string) {
	t.Helper()
	paths := &skip.Paths{}
	for _, path := range [][]skip.Step{
		{{Name: "metadata"}, {Name: "managedFields"}},
		{{Name: "map"}, {Name: "a"}},
		{{Name: "nested"}, {Any: true}, {Name: "int"}},
		{{Name: "any"}, {Name: "a"}},
		{{Name: "self"}, {Any: true}, {Any: true}, {Name: "a"}},
	} {
		paths.Add(path)
	}
	got, want := new(plain), new(plain)
	n, err := New(Options{Skip: paths}).Decode([]byte(text), got)
	if err != nil {
		return
	}
	pruned := Prune([]byte(text[:n]), paths)
	if err := kjson.UnmarshalCaseSensitivePreserveInts(pruned, want); err != nil {
		t.Errorf("%s was pruned to %s: %v", text[:n], pruned, err)
	} else if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\npruned %s\ngot  %+v\nwant %+v", text[:n], pruned, got, want)
	}
}

func TestSkippingIsPruning(t *testing.T) {
	for _, text := range append(sound, `{"nested":[{"int":1,"string":"x"},{"int":2}],"map":{"a":"1","b":"2"},"self":{"map":{"a":"1","b":"2"},"int":5},"any":{"a":{"b":[1]},"c":2}}`) {
		skipping(t, text)
	}
	p := &skip.Paths{}
	p.Add([]skip.Step{{Name: "a"}})
	for text, want := range map[string]string{
		`{}`: `{}`, `{"a":1}`: `{}`, `{"a":{"b":[1]},"c":2}`: `{"c":2}`, `{"c":2,"a":1}`: `{"c":2}`, `{"b":1,"a":2,"c":[3]}`: `{"b":1,"c":[3]}`, ` [1] `: `[1] `,
	} {
		if got := string(Prune([]byte(text), p)); got != want {
			t.Errorf("%s was pruned to %s instead of %s", text, got, want)
		}
	}
}

func TestIdentify(t *testing.T) {
	d := New(Options{})
	text := `{"kind":"K","metadata":{"labels":{"name":"no"},"name":"n","namespace":"s","resourceVersion":"7","uid":"u"},"spec":{"metadata":{"name":"no"}}}`
	id, ok := d.Identify([]byte(text))
	if !ok || string(id.Name)+string(id.Namespace)+string(id.ResourceVersion) != "ns7" {
		t.Errorf("%+v, %v", id, ok)
	}
	if id, ok := d.Identify([]byte(`{"metadata":{"name":"n"},"spec":{`)); !ok || string(id.Name) != "n" ||
		id.Namespace != nil {
		t.Errorf("%+v, %v", id, ok) // it need not look further
	}
	for _, text := range []string{``, `[]`, `{}`, `{"metadata":{"name":5}}`, `{"metadata":{"name":"a"`, `{"metadata":null}`, `{"metadata":[]}`, `{"metadata":{"name":"a",}}`} {
		if id, ok := d.Identify([]byte(text)); ok {
			t.Errorf("%s: %+v", text, id)
		}
	}
}
