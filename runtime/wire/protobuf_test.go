// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/slim"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/protobuf"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Gadget is a built-in type: it has field numbers.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Spec   GadgetSpec   `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	Status GadgetStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

type GadgetSpec struct {
	NodeName string                       `json:"nodeName,omitempty" protobuf:"bytes,1,opt,name=nodeName"`
	Size     *int32                       `json:"size,omitempty" protobuf:"varint,2,opt,name=size"`
	Ports    []GadgetPort                 `json:"ports,omitempty" protobuf:"bytes,3,rep,name=ports"`
	Limits   map[string]resource.Quantity `json:"limits,omitempty" protobuf:"bytes,4,rep,name=limits"`
}

type GadgetPort struct {
	Label  string `json:"label,omitempty" protobuf:"bytes,1,opt,name=label"`
	Number int32  `json:"number,omitempty" protobuf:"varint,2,opt,name=number"`
}

type GadgetStatus struct {
	Since metav1.Time `json:"since,omitempty" protobuf:"bytes,1,opt,name=since"`
}

// message returns a message of fields, which alternate with their numbers. A string or []byte is a field
// of that content, an int is a varint.
func message(fields ...any) []byte {
	var out []byte
	for i := 0; i < len(fields); i += 2 {
		number := uint64(fields[i].(int))
		switch v := fields[i+1].(type) {
		case int:
			out = binary.AppendUvarint(binary.AppendUvarint(out, number<<3), uint64(v))
		case string:
			out = append(binary.AppendUvarint(binary.AppendUvarint(out, number<<3|2), uint64(len(v))), v...)
		case []byte:
			out = append(binary.AppendUvarint(binary.AppendUvarint(out, number<<3|2), uint64(len(v))), v...)
		}
	}
	return out
}

func gadgetMessage(name string, ports ...[]byte) []byte {
	spec := message(1, "node-"+name)
	for _, port := range ports {
		spec = append(spec, message(3, port)...)
	}
	return message(1, message(1, name, 3, "ns", 6, "7"), 2, spec)
}

// envelope returns a response with an object.
func envelope(kind string, object []byte) string {
	return magic + string(message(1, message(1, "example.com/v1", 2, kind), 2, object))
}

func listMessage(items ...[]byte) string {
	list := message(1, message(2, "42", 3, "next"))
	for _, item := range items {
		list = append(list, message(2, item)...)
	}
	return envelope("GadgetList", list)
}

func eventMessage(kind, object string) string {
	event := message(1, kind, 2, message(1, object))
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(event)))) + string(event)
}

func gadgetEvent(kind string, object []byte) string {
	return eventMessage(kind, envelope("Gadget", object))
}

// gadgetDecoder returns a decoder of protobuf.
func gadgetDecoder(t *testing.T) *objectDecoder[*Gadget] {
	t.Helper()
	m, err := protobuf.MessageOf(reflect.TypeFor[Gadget](), reflect.TypeFor[Gadget]())
	if err != nil {
		t.Fatal(err)
	}
	return &objectDecoder[*Gadget]{
		objectType: typeOf[*Gadget](),
		resource:   widgets.GroupResource(), codec: protobufCodec{protobuf.New(nil, false), m},
	}
}

func TestProtobufList(t *testing.T) {
	a, b := gadgetMessage("a"), gadgetMessage("b")
	broken := gadgetMessage("broken", message(1, "http", 2, 80), message(1, "x", 2, "no number"))
	status := (&metav1.Status{Status: "Failure", Message: "too old", Reason: metav1.StatusReasonExpired, Code: 410})
	statusData, err := status.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		text  string
		items string
		err   []string // of the list
		fault []string // of an item
	}{
		"empty":          {text: listMessage()},
		"two":            {text: listMessage(a, b), items: "a b"},
		"unknown fields": {text: envelope("GadgetList", message(2, a, 9, "x", 2, b)), items: "a b"},
		"a broken item": {
			text: listMessage(a, broken, b), items: "a !ns/broken b",
			fault: []string{"widgets.example.com ns/broken", "wire type"},
		},
		"an item without metadata": {
			text: listMessage([]byte("\x0b")), items: "!", fault: []string{"whose name cannot be read"},
		},
		"a huge item": {
			text: listMessage(a, gadgetMessage("big", message(1, strings.Repeat("x", testLimit)))), items: "a",
			err: []string{"ns/big", "MaxObjectBytes"},
		},
		"a huge kind":   {text: magic + string(message(1, strings.Repeat("x", testLimit+1))), err: []string{"MaxObjectBytes"}},
		"JSON":          {text: `{"items":[]}`, err: []string{"not protobuf", `{\"it`}},
		"nothing":       {text: "", err: []string{"unexpected EOF"}},
		"a second list": {text: listMessage(a) + listMessage(b)[len(magic):], items: "a", err: []string{"a second list"}},
		"too short a length": {
			text:  envelope("GadgetList", message(2, a))[:len(envelope("GadgetList", nil))-1] + string(append([]byte{3}, message(2, a)...)),
			items: "a", err: []string{"longer than its length"},
		},
		"no list":         {text: magic + string(message(1, message(2, "GadgetList"))), err: []string{"unexpected EOF"}},
		"an object":       {text: envelope("Gadget", a), err: []string{`"Gadget"`, "not a list"}},
		"a table":         {text: envelope("Table", nil), err: []string{"Table"}},
		"a Status":        {text: envelope("Status", statusData), err: []string{"Status instead of a list"}},
		"a group":         {text: magic + "\x0b", err: []string{"not protobuf", "field 1 has wire type 3"}},
		"a long number":   {text: magic + strings.Repeat("\xff", 10), err: []string{"64-bit"}},
		"negative length": {text: magic + "\x0a" + strings.Repeat("\xff", 9) + "\x01", err: []string{"a length of"}},
		"a broken kind":   {text: magic + string(message(1, "\x0b")), err: []string{"kind of the list"}},
	} {
		t.Run(name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{"whole": strings.NewReader(test.text), "by bytes": byBytes(test.text)} {
				var items []item[*Gadget]
				list := listDecoder[*Gadget]{
					framer: newFramer(r, testLimit, 0), objects: gadgetDecoder(t),
					each: func(d source.Delta[*Gadget], err error) error {
						items = append(items, item[*Gadget]{Delta: d, Err: err})
						return nil
					},
				}
				meta, err := list.decodeProtobuf()
				if got := names(items); got != test.items {
					t.Errorf("%s: items %q, want %q", how, got, test.items)
				}
				if len(test.err) > 0 {
					wantError(t, err, test.err...)
				} else if err != nil {
					t.Errorf("%s: %v", how, err)
				}
				if strings.HasPrefix(name, "two") &&
					(meta.ResourceVersion != "42" || meta.Continue != "next") {
					t.Errorf("%s: %+v", how, meta)
				}
				for _, item := range items {
					if item.Err != nil {
						wantError(t, item.Err, test.fault...)
					}
				}
			}
		})
	}
}

// The error of an object without metadata has no path, because all of it was decoded.
func TestProtobufObjectWithoutMetadata(t *testing.T) {
	type pointed struct {
		*metav1.ObjectMeta `json:"metadata" protobuf:"bytes,1,opt,name=metadata"`

		Spec GadgetSpec `json:"spec" protobuf:"bytes,2,opt,name=spec"`
	}
	conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaProtobuf)
		send(w, listMessage(message(2, message(1, "node"))))
	})
	_, err := Source[*pointed](conn, widgets).List(t.Context(), metav1.ListOptions{},
		func(item source.Delta[*pointed], err error) error { return err })
	wantError(t, err, "embed metav1.ObjectMeta")
	if err != nil && strings.Contains(err.Error(), ".spec") {
		t.Errorf("it has a path: %v", err)
	}
}

func TestProtobufListCutOff(t *testing.T) {
	text := listMessage(gadgetMessage("a"), gadgetMessage("b"))
	for n := range len(text) {
		list := listDecoder[*Gadget]{
			framer: newFramer(strings.NewReader(text[:n]), testLimit, 0), objects: gadgetDecoder(t),
			each: func(item source.Delta[*Gadget], err error) error { return err },
		}
		if _, err := list.decodeProtobuf(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
}

func TestProtobufWatch(t *testing.T) {
	a, b := gadgetMessage("a"), gadgetMessage("b")
	bookmark := func(annotations ...any) string {
		return gadgetEvent("BOOKMARK", message(1, append(message(6, "50"), message(annotations...)...)))
	}
	end := message(1, "k8s.io/initial-events-end", 2, "true")
	status := message(3, "Failure", 4, "Expired")
	for name, test := range map[string]struct {
		text   string
		events string
		err    []string
	}{
		"nothing": {},
		"all types": {
			text: gadgetEvent("ADDED", a) + gadgetEvent("MODIFIED", a) + bookmark() + gadgetEvent("DELETED", a) +
				bookmark(12, end),
			events: "Added(a@7) Updated(a@7) Bookmark(@50) Deleted(a@7) InitialEnd(@50)",
		},
		"a broken object": {
			text:   gadgetEvent("ADDED", gadgetMessage("x", []byte("\x0b"))) + gadgetEvent("ADDED", b),
			events: "Stale(!ns/x@7) Added(b@7)",
		},
		"unknown type":      {text: gadgetEvent("RENAMED", a), err: []string{"RENAMED", "before byte"}},
		"no envelope":       {text: eventMessage("ADDED", string(a)), err: []string{"not protobuf", "the object begins"}},
		"a broken bookmark": {text: gadgetEvent("BOOKMARK", []byte("\x0b")), err: []string{"bookmark"}},
		"a broken event":    {text: "\x00\x00\x00\x01\x0b", err: []string{"before byte 5"}},
		"an error": {
			text: gadgetEvent("ADDED", a) + eventMessage("ERROR", envelope("Status", status)), events: "Added(a@7)",
			err: []string{"Failure"},
		},
		"no Status":       {text: eventMessage("ERROR", envelope("Status", []byte("\x0b"))), err: []string{"without a Status"}},
		"cut in a length": {text: gadgetEvent("ADDED", a) + "\x00\x00", events: "Added(a@7)", err: []string{"unexpected EOF"}},
		"cut in an event": {text: gadgetEvent("ADDED", a)[:30], err: []string{"after 0 events", "unexpected EOF"}},
		"huge":            {text: "\x7f\xff\xff\xff", err: []string{"MaxObjectBytes"}},
	} {
		t.Run(name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{"whole": strings.NewReader(test.text), "by bytes": byBytes(test.text)} {
				var events []item[*Gadget]
				w := watchDecoder[*Gadget]{
					held:   new(atomic.Int64),
					framer: newFramer(r, testLimit, 0), objects: gadgetDecoder(t),
					resource: widgets.GroupResource(), protobuf: true, endless: func() {},
				}
				err := w.all(appendTo(&events))
				if got := eventNames(events); got != test.events {
					t.Errorf("%s: events %q, want %q", how, got, test.events)
				}
				if len(test.err) > 0 {
					wantError(t, err, test.err...)
				} else if err != nil {
					t.Errorf("%s: %v", how, err)
				}
			}
		})
	}
}

const gadgetJSON = `{"kind":"Gadget","apiVersion":"example.com/v1",` +
	`"metadata":{"name":"a","namespace":"ns","resourceVersion":"7","labels":{"app":"x"}},` +
	`"spec":{"nodeName":"node-a","size":3,"ports":[{"label":"http","number":80}],"limits":{"cpu":"100m"}}}`

func gadgetServer(t *testing.T, speaksProtobuf bool, accepted *string) Conn {
	t.Helper()
	object := message(
		1,
		message(1, "a", 3, "ns", 6, "7", 11, message(1, "app", 2, "x")),
		2,
		message(1, "node-a", 2, 3, 3, message(1, "http", 2, 80), 4, message(1, "cpu", 2, message(1, "100m"))),
		3,
		message(1, ""),
	)
	return serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		*accepted = r.Header.Get("Accept")
		watch := r.URL.Query().Get("watch") != ""
		switch {
		case !strings.Contains(*accepted, mediaProtobuf) || !speaksProtobuf:
			w.Header().Set("Content-Type", mediaJSON)
			if watch {
				send(w, eventJSON("ADDED", gadgetJSON))
			} else {
				send(w, listJSON(gadgetJSON))
			}
		case watch:
			w.Header().Set("Content-Type", mediaProtobuf+";stream=watch")
			send(w, gadgetEvent("ADDED", object))
		default:
			w.Header().Set("Content-Type", mediaProtobuf)
			send(w, listMessage(object))
		}
	})
}

// slimGadget has some fields of a Gadget.
type slimGadget struct {
	slim.Labeled `json:"metadata"`

	Spec struct {
		NodeName string                       `json:"nodeName"`
		Limits   map[string]resource.Quantity `json:"limits"`
		Ports    []struct {
			Number int32 `json:"number"`
		} `json:"ports"`
	} `json:"spec"`
}

// The server chooses the encoding. The objects are equal.
func TestEncodingsGiveEqualObjects(t *testing.T) {
	for _, speaksProtobuf := range []bool{true, false} {
		var accepted string
		conn := gadgetServer(t, speaksProtobuf, &accepted)
		asked := func(protobuf bool) {
			t.Helper()
			if strings.HasPrefix(accepted, mediaProtobuf+",") != protobuf ||
				!strings.HasSuffix(accepted, mediaJSON) {
				t.Errorf("asked for %q", accepted)
			}
		}
		gadget := listAndWatch(t, Source[*Gadget](conn, widgets))[0]
		asked(true)
		want := &Gadget{
			ObjectMeta: metav1.ObjectMeta{
				Name:            "a",
				Namespace:       "ns",
				ResourceVersion: "7",
				Labels:          map[string]string{"app": "x"},
			},
			Spec: GadgetSpec{
				NodeName: "node-a", Size: new(int32(3)), Ports: []GadgetPort{{Label: "http", Number: 80}},
				Limits: map[string]resource.Quantity{"cpu": resource.MustParse("100m")},
			},
		}
		if cpu := gadget.Spec.Limits["cpu"]; !cpu.Equal(want.Spec.Limits["cpu"]) {
			t.Errorf("limits %+v", gadget.Spec.Limits)
		}
		gadget.Spec.Limits = want.Spec.Limits // equal quantities may cache different texts
		if !reflect.DeepEqual(gadget, want) {
			t.Errorf("protobuf %v: got %+v, want %+v", speaksProtobuf, gadget, want)
		}
		skipping := listAndWatch(t, Source[*Gadget](conn, widgets, Skip(".spec.ports[*].label", ".metadata.labels['app']")))[0]
		if skipping.Spec.Ports[0] != (GadgetPort{Number: 80}) || len(skipping.Labels) != 0 ||
			skipping.Spec.NodeName != "node-a" {
			t.Errorf("protobuf %v, skipping: %+v", speaksProtobuf, skipping)
		}
		for _, part := range [][]Option{nil, {ProtobufOf[Gadget]()}} {
			small := listAndWatch(t, Source[*slimGadget](conn, widgets, part...))[0]
			asked(part != nil)
			if small.Name != "a" || small.Labels["app"] != "x" || small.Spec.NodeName != "node-a" ||
				small.Spec.Ports[0].Number != 80 || len(small.Spec.Limits) != 1 {
				t.Errorf("protobuf %v, part %v: %+v", speaksProtobuf, part != nil, small)
			}
		}
		metadata := listAndWatch(t, Source[*metav1.PartialObjectMetadata](conn, widgets))[0]
		if metadata.Name != "a" || metadata.Labels["app"] != "x" || metadata.TypeMeta != (metav1.TypeMeta{}) {
			t.Errorf("protobuf %v: %+v", speaksProtobuf, metadata)
		}
		reused := listReusing(t, Source[*Gadget](conn, widgets), gadget)
		if reused != gadget {
			t.Errorf("protobuf %v: an unchanged object was not reused", speaksProtobuf)
		}
	}
}

func listReusing(t *testing.T, src source.Source[*Gadget], held *Gadget) (got *Gadget) {
	t.Helper()
	src = src.Reusing(func(types.NamespacedName) (*Gadget, bool) { return held, true })
	_, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*Gadget], err error) error {
		got = item.Object
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A part without a counterpart, or of another form, is an error before any request.
func TestMismatchedParts(t *testing.T) {
	conn := Conn{BaseURL: "http://127.0.0.1:1"}
	type unknown struct {
		slim.Meta `json:"metadata"`
		Node      string `json:"node"`
	}
	type spec[S any] struct {
		slim.Meta `json:"metadata"`
		Spec      S `json:"spec"`
	}
	type size struct {
		Size string `json:"size"`
	}
	type limits struct {
		Limits map[string]string `json:"limits"`
	}
	type ports struct {
		Ports []byte `json:"ports"`
	}
	type missing struct {
		Ports []struct {
			Lable string `json:"lable"`
		} `json:"ports"`
	}
	part := ProtobufOf[Gadget]()
	for _, test := range []struct {
		err  error
		want []string
	}{
		{listed[unknown](t, conn, part), []string{"ProtobufOf[wire.Gadget] of wire.unknown", `wire.Gadget has no "node"`}},
		{listed[spec[size]](t, conn, part), []string{`.spec: "size"`, "string is not int32"}},
		{listed[spec[limits]](t, conn, part), []string{`.spec: "limits"`, "string is not resource.Quantity"}},
		{listed[spec[ports]](t, conn, part), []string{`.spec: "ports"`, "uint8 is not wire.GadgetPort"}},
		{listed[spec[missing]](t, conn, part), []string{`.spec.ports: wire.GadgetPort has no "lable"`}},
		{listed[slimGadget](t, conn, ProtobufOf[Widget]()), []string{"wire.Widget", "protobuf tags"}},
		{listed[upperGadget](t, conn, part), []string{"*wire.upperGadget decodes itself from JSON"}},
	} {
		wantError(t, test.err, test.want...)
	}
}

// upperGadget decodes itself from JSON.
type upperGadget Gadget

func (g *upperGadget) UnmarshalJSON(text []byte) error {
	if err := decodeValue(text, (*Gadget)(g)); err != nil {
		return err
	}
	g.Spec.NodeName = strings.ToUpper(g.Spec.NodeName)
	return nil
}

func TestTypesThatDecodeThemselvesTakeJSON(t *testing.T) {
	for _, speaksProtobuf := range []bool{true, false} {
		var accepted string
		conn := gadgetServer(t, speaksProtobuf, &accepted)
		obj := listAndWatch(t, Source[*upperGadget](conn, widgets))[0]
		if obj.Spec.NodeName != "NODE-A" || strings.Contains(accepted, mediaProtobuf) {
			t.Errorf("%+v from %q", obj, accepted)
		}
	}
}

func listed[E any, T interface {
	*E
	metav1.Object
}](t *testing.T, conn Conn, opts ...Option) error {
	t.Helper()
	_, err := Source[T](conn, widgets, opts...).List(t.Context(), metav1.ListOptions{}, nil)
	return err
}

// A part of one type is not decoded from objects of another.
func TestProtobufOfAnotherKind(t *testing.T) {
	conn := serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") != "" {
			w.Header().Set("Content-Type", mediaProtobuf+";stream=watch")
			send(w, eventMessage("ADDED", envelope("Node", gadgetMessage("a"))))
			return
		}
		w.Header().Set("Content-Type", mediaProtobuf)
		send(w, strings.Replace(listMessage(gadgetMessage("a")), "GadgetList", "GidgetList", 1))
	})
	src := Source[*slimGadget](conn, widgets, ProtobufOf[Gadget]())
	_, err := src.List(t.Context(), metav1.ListOptions{}, func(source.Delta[*slimGadget], error) error { return nil })
	wantError(t, err, "kind Gidget for widgets.example.com", "ProtobufOf names a type Gadget")
	err = src.Watch(t.Context(), metav1.ListOptions{}, nil)
	wantError(t, err, "kind Node for widgets.example.com")
}

// A refusal in protobuf is an API error with the server's words.
func TestProtobufRefusal(t *testing.T) {
	data, err := (&metav1.Status{
		Status: metav1.StatusFailure, Message: "slow down", Reason: metav1.StatusReasonTooManyRequests, Code: 429,
		Details: &metav1.StatusDetails{RetryAfterSeconds: 3},
	}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		body string
		want string
	}{
		"a Status":  {envelope("Status", data), "slow down"},
		"no Status": {envelope("Gadget", data), "429 Too Many Requests"},
		"damaged":   {envelope("Status", data[:len(data)-1]), "429 Too Many Requests"},
	} {
		conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mediaProtobuf)
			w.WriteHeader(http.StatusTooManyRequests)
			send(w, test.body)
		})
		_, err := Source[*Gadget](conn, widgets).List(t.Context(), metav1.ListOptions{}, nil)
		seconds, _ := apierrors.SuggestsClientDelay(err)
		if !apierrors.IsTooManyRequests(err) || !strings.Contains(err.Error(), test.want) ||
			(seconds == 3) != (name == "a Status") {
			t.Errorf("%s: %v, retry after %d s", name, err, seconds)
		}
	}
}

// An error status of protobuf is an API error, as one of JSON.
func TestProtobufErrorInWatch(t *testing.T) {
	data, err := (&metav1.Status{Message: "too old", Reason: metav1.StatusReasonExpired, Code: 410}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaProtobuf+";stream=watch")
		send(w, eventMessage("ERROR", envelope("Status", data)))
	})
	if err := Source[*Gadget](conn, widgets).Watch(t.Context(), metav1.ListOptions{}, nil); !apierrors.IsResourceExpired(err) {
		t.Errorf("%v is no 410", err)
	}
}
