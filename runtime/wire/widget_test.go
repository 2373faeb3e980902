// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/decode"
	"go.uber.org/goleak"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var widgets = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}

// Widget has a field for each kind of decoding that can go wrong.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec,omitempty"`
	Status WidgetStatus `json:"status,omitempty"`
}

type WidgetSpec struct {
	NodeName string                       `json:"nodeName,omitempty"`
	Size     *int32                       `json:"size,omitempty"`
	Ports    []Port                       `json:"ports,omitempty"`
	Limits   map[string]resource.Quantity `json:"limits,omitempty"`
	Data     []byte                       `json:"data,omitempty"`
	Bomb     Bomb                         `json:"bomb,omitempty"`
}

type Port struct {
	Common `      json:",inline"`
	Number int32 `json:"number,omitempty"`
}

type Common struct {
	Label string `json:"label,omitempty"`
}

type WidgetStatus struct {
	Since metav1.Time `json:"since,omitempty"`
}

// Bomb panics when it is decoded.
type Bomb struct{}

func (*Bomb) UnmarshalJSON([]byte) error { panic("boom") }

// slimWidget has only what one reader wants, and no TypeMeta.
type slimWidget struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		NodeName string `json:"nodeName,omitempty"`
	} `json:"spec"`
}

func widgetJSON(name string) string {
	return fmt.Sprintf(
		`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"namespace":"ns","name":%q,"resourceVersion":"7"},"spec":{"nodeName":"node-%s"}}`,
		name,
		name,
	)
}

func listJSON(items ...string) string {
	return `{"apiVersion":"example.com/v1","kind":"WidgetList","metadata":{"resourceVersion":"42","continue":"next"},"items":[` +
		strings.Join(
			items,
			",",
		) + `]}`
}

func eventJSON(kind, object string) string {
	return fmt.Sprintf(`{"type":%q,"object":%s}`+"\n", kind, object)
}

// item is what a source passes of one object or event.
type item[T any] struct {
	source.Delta[T]
	version string
	Err     error
}

// decodeList runs the list decoder alone.
func decodeList(r io.Reader, limit int64) (items []item[*Widget], meta metav1.ListMeta, err error) {
	return decodeListWith(widgetDecoder(), r, limit)
}

func decodeListWith(
	objects *objectDecoder[*Widget], r io.Reader, limit int64,
) (items []item[*Widget], meta metav1.ListMeta, err error) {
	list := listDecoder[*Widget]{
		framer:  newFramer(r, limit, 0),
		objects: objects,
		each: func(d source.Delta[*Widget], err error) error {
			items = append(items, item[*Widget]{Delta: d, Err: err})
			return nil
		},
	}
	meta, err = list.decode()
	return items, meta, err
}

func typeOf[T metav1.Object]() objectType[T] {
	t, err := objectTypeOf[T](nil)
	if err != nil {
		panic(err)
	}
	return t
}

func widgetDecoder() *objectDecoder[*Widget] {
	d := decode.New(decode.Options{})
	return &objectDecoder[*Widget]{
		objectType: typeOf[*Widget](), resource: widgets.GroupResource(), fast: d, codec: jsonCodec{d},
	}
}

// decodeWatch runs the watch decoder alone; the end of the stream is a nil
// error.
func decodeWatch(r io.Reader, limit int64) (events []item[*Widget], err error) {
	w := watchDecoder[*Widget]{
		framer:   newFramer(r, limit, 0),
		objects:  widgetDecoder(),
		resource: widgets.GroupResource(),
		endless:  func() {},
		held:     new(atomic.Int64),
	}
	err = w.all(appendTo(&events))
	return events, err
}

// appendTo returns the function that a watch calls.
func appendTo[T any](events *[]item[T]) func(source.Delta[T], string, error) error {
	return func(d source.Delta[T], version string, err error) error {
		*events = append(*events, item[T]{d, version, err})
		return nil
	}
}

// again returns another reader of text: by bytes or whole.
func again(how, text string) io.Reader {
	if how == "by bytes" {
		return byBytes(text)
	}
	return strings.NewReader(text)
}

// byBytes hands out text one byte at a time.
func byBytes(text string) io.Reader { return &byteReader{bytes.NewReader([]byte(text))} }

type byteReader struct{ *bytes.Reader }

func (r *byteReader) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(1, len(p))]) }

// serve starts a server and returns a Conn to it, over HTTP/1.1 or HTTP/2.
func serve(t *testing.T, http2 bool, handler http.HandlerFunc) Conn {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	if http2 {
		server.EnableHTTP2 = true
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(func() {
		server.Client().CloseIdleConnections()
		server.Close()
	})
	return Conn{Client: server.Client(), BaseURL: server.URL}
}

// overBoth runs a test over HTTP/1.1 and over HTTP/2.
func overBoth(t *testing.T, test func(t *testing.T, start func(http.HandlerFunc) Conn)) {
	t.Helper()
	for _, proto := range []string{"HTTP/1.1", "HTTP/2"} {
		t.Run(proto, func(t *testing.T) {
			test(t, func(handler http.HandlerFunc) Conn {
				return serve(t, proto == "HTTP/2", func(w http.ResponseWriter, r *http.Request) {
					if !strings.HasPrefix(r.Proto, proto) {
						t.Errorf("request over %s instead of %s", r.Proto, proto)
					}
					w.Header().Set("Content-Type", "application/json")
					handler(w, r)
				})
			})
		})
	}
}

// send writes text and makes sure that it is on its way.
func send(w http.ResponseWriter, text string) {
	_, _ = io.WriteString(w, text)
	w.(http.Flusher).Flush()
}

func collect(
	src source.ListerWatcher[*Widget],
	t *testing.T,
	opts metav1.ListOptions,
) (items []item[*Widget], meta metav1.ListMeta, err error) {
	t.Helper()
	meta, err = src.List(t.Context(), opts, func(d source.Delta[*Widget], err error) error {
		items = append(items, item[*Widget]{Delta: d, Err: err})
		return nil
	})
	return items, meta, err
}

func drain(
	src source.ListerWatcher[*Widget],
	t *testing.T,
	opts metav1.ListOptions,
) (events []item[*Widget], err error) {
	t.Helper()
	err = src.Watch(t.Context(), opts, appendTo(&events))
	return events, err
}

func names[T metav1.Object](items []item[T]) string {
	var out []string
	for _, item := range items {
		switch {
		case !item.NoObject:
			out = append(out, item.Object.GetName())
		case item.Type != delta.NoKey:
			out = append(out, "!"+item.Key.String())
		default:
			out = append(out, "!")
		}
	}
	return strings.Join(out, " ")
}

func eventNames[T metav1.Object](events []item[T]) string {
	var out []string
	for _, event := range events {
		name := ""
		if event.Type != delta.Bookmark && event.Type != delta.InitialEnd {
			name = names([]item[T]{event})
		}
		out = append(out, fmt.Sprintf("%s(%s@%s)", event.Type, name, event.version))
	}
	return strings.Join(out, " ")
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
}

// same tells whether got is want itself: not even wrapped.
func same(got, want error) bool {
	return got == want
}
