// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// mixed are objects of all sizes, some of which cannot be decoded, in a random
// order.
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
			text = fmt.Sprintf(`{"metadata":{"namespace":"ns","name":%q,"annotations":{"big":%q}}}`, name, strings.Repeat("x", random.IntN(4*parcelBytes)))
		case 2:
			text = strings.ReplaceAll(text, ",", " ,\n")
		}
		out = append(out, text)
	}
	return out
}

func TestSpreadKeepsTheOrder(t *testing.T) {
	all := mixed(20_000)
	list := listJSON(all...)
	if len(list) < stretchBytes*3/2 {
		t.Fatalf("%d bytes are but one stretch", len(list))
	}
	var initial strings.Builder
	for _, text := range all {
		initial.WriteString(eventJSON("ADDED", text))
	}
	initial.WriteString(bookmarkEnd + eventJSON("MODIFIED", widgetJSON("w1")) + eventJSON("DELETED", widgetJSON("w2")))
	broken := strings.Replace(list, `"nodeName":"node-w19000"`, `"nodeName":"node-w19000",`, 1)
	for name, text := range map[string]string{"sound": list, "syntax": broken, "cut": list[:len(list)-1000]} {
		want, wantMeta, wantErr := decodeList(strings.NewReader(text), testLimit*4)
		team := widgetTeam(4)
		hired := 0
		team.hire = func() *objectDecoder[Widget, *Widget] { hired++; return widgetDecoder() }
		got, meta, err := decodeListBy(team, strings.NewReader(text), testLimit*4)
		if names(got) != names(want) || meta.ResourceVersion != wantMeta.ResourceVersion || fmt.Sprint(err) != fmt.Sprint(wantErr) || len(want) < 18_000 {
			t.Errorf("%s: %d objects, %v; by one %d, %v", name, len(got), err, len(want), wantErr)
		}
		if hired != 3 {
			t.Errorf("%s: %d were hired", name, hired)
		}
	}
	want, wantErr := decodeWatch(strings.NewReader(initial.String()), testLimit*4)
	got, err := decodeWatchBy(widgetTeam(4), strings.NewReader(initial.String()), testLimit*4)
	if eventNames(got) != eventNames(want) || err != nil || wantErr != nil || len(got) != len(all)+3 {
		t.Errorf("WatchList: %d events, %v; by one %d, %v", len(got), err, len(want), wantErr)
	}
}

// What is there is handed on before more of the text is waited for.
func TestSpreadHoldsNothingBack(t *testing.T) {
	for kind, text := range map[string]func(string) string{
		"list":  widgetJSON,
		"watch": func(name string) string { return eventJSON("ADDED", widgetJSON(name)) },
	} {
		r, w := io.Pipe()
		seen := make(chan string)
		wrote := make(chan struct{})
		go func() {
			defer close(wrote)
			head, comma, tail := "", "", ""
			if kind == "list" {
				head, comma, tail = `{"items":[`, ",", `]}`
			}
			for i := range 20 {
				name := fmt.Sprint("w", i)
				_, _ = io.WriteString(w, head+text(name)+comma)
				if got := <-seen; got != name {
					t.Errorf("%s: %s came after %s was written", kind, got, name)
				}
				head = ""
			}
			_, _ = io.WriteString(w, head+text("last")+tail)
			<-seen
			_ = w.Close()
		}()
		var err error
		if kind == "list" {
			l := listDecoder[Widget, *Widget]{framer: newFramer(r, testLimit, 0), team: widgetTeam(2), each: func(item source.Item[*Widget]) error {
				seen <- item.Object.Name
				return nil
			}}
			_, err = l.decode()
		} else {
			l := watchDecoder[Widget, *Widget]{framer: newFramer(r, testLimit, 0), team: widgetTeam(2)}
			err = l.all(func(event source.Event[*Widget], _ error) bool {
				seen <- event.Object.Name
				return true
			})
		}
		if err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		<-wrote
	}
}

// handed gives out text, a piece at a time, when all values of the pieces before have been
// delivered.
type handed struct {
	piece     string
	values    int
	delivered chan struct{}
	rest      string // of a piece
	begun     bool
}

func (h *handed) Read(p []byte) (int, error) {
	if h.rest == "" {
		for range h.values {
			if h.begun {
				<-h.delivered
			}
		}
		h.begun, h.rest = true, h.piece
	}
	n := copy(p, h.rest)
	h.rest = h.rest[n:]
	return n, nil
}

// A stretch of a stream that is waited for ends before it is complete.
func TestSpreadEndsWhenWaitedFor(t *testing.T) {
	const values = 8
	value := `{"a":"` + strings.Repeat("x", 1000) + `"}`
	h := &handed{piece: strings.Repeat(value, values), values: values, delivered: make(chan struct{}, values)}
	f := newFramer(h, testLimit, 0)
	decode := func(raw []byte, _ int64) (int, error) { return len(raw), nil }
	s := spread[int]{framer: f, cut: f.value, decoders: []func([]byte, int64) (int, error){decode, decode}, deliver: func(int) error {
		h.delivered <- struct{}{}
		return nil
	}}
	if err := s.run(); err != nil || f.offset() > 2*paceBytes {
		t.Errorf("%v after %d bytes", err, f.offset())
	}
}

// However a stretch ends, its goroutines end with it: TestMain looks for them.
func TestSpreadEndsWithItsReader(t *testing.T) {
	enough := errors.New("enough of it")
	for how, each := range map[string]func(n int) error{
		"an error": func(n int) error {
			if n == 500 {
				return enough
			}
			return nil
		},
		"a panic": func(n int) error {
			if n == 500 {
				panic(enough)
			}
			return nil
		},
	} {
		r, w := io.Pipe()
		go func() { // an endless list
			_, err := io.WriteString(w, `{"items":[`+widgetJSON("a"))
			for err == nil {
				_, err = io.WriteString(w, ","+widgetJSON("a"))
			}
		}()
		team := widgetTeam(3)
		team.abandon = func() { _ = r.Close() }
		n := 0
		list := listDecoder[Widget, *Widget]{framer: newFramer(r, testLimit, 0), team: team, each: func(source.Item[*Widget]) error {
			n++
			return each(n)
		}}
		err := func() (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = p.(error)
				}
			}()
			_, err = list.decode()
			if stopped := (stoppedError{}); errors.As(err, &stopped) {
				err = stopped.error
			}
			return err
		}()
		if !errors.Is(err, enough) || n != 500 {
			t.Errorf("%s: %v after %d objects", how, err, n)
		}
	}
}

func TestSpreadReusesWhatIsHeld(t *testing.T) {
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
	team := widgetTeam(3)
	hire := func() *objectDecoder[Widget, *Widget] {
		d := widgetDecoder()
		d.reuse.held = func(key types.NamespacedName) (*Widget, bool) { obj, ok := held[key]; return obj, ok }
		return d
	}
	team.first, team.hire = hire(), hire
	again, _, err := decodeListBy(team, strings.NewReader(text), testLimit*4)
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

// A stream that is waited for is decoded by one.
func TestPace(t *testing.T) {
	f := framerOver(nil)
	p := pace{every: 100}
	if f.before = 99; p.behind(&f) {
		t.Error("judged too soon")
	}
	if f.before = 100; !p.behind(&f) { // in no time, of a long one
		t.Error("not behind")
	}
	if f.before = 150; p.behind(&f) {
		t.Error("judged too soon after that")
	}
	f.before, f.waited = 300, 1<<40
	if p.behind(&f) {
		t.Error("behind, though it waited all the time")
	}
}

// BenchmarkList reads a list that need not be waited for.
func BenchmarkList(b *testing.B) {
	text := bulk(20_000)
	src := Source[Widget](Conn{BaseURL: "http://memory", Client: &http.Client{Transport: answer(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader(text))}, nil
	})}}, widgets, "")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		n := 0
		if _, err := src.List(b.Context(), metav1.ListOptions{}, func(source.Item[*Widget]) error { n++; return nil }); err != nil || n != 20_000 {
			b.Fatal(n, err)
		}
	}
}

// bulk is a list of n objects of about 2 KB, a quarter of it managedFields.
func bulk(n int) string {
	var items []string
	for i := range n {
		var ports []string
		for p := range 30 {
			ports = append(ports, fmt.Sprintf(`{"label":"port-%d-%d","number":%d}`, p, i%100, p+8000))
		}
		items = append(items, fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"namespace":"ns-%d","name":"w-%d","uid":"6ba7b810-9dad-11d1-80b4-%012d","resourceVersion":"%d","creationTimestamp":"2026-01-01T00:00:00Z",`+
			`"labels":{"app":"app-%d"},"managedFields":[{"manager":"m","operation":"Update","apiVersion":"example.com/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{%s"f:nodeName":{}}}}]},`+
			`"spec":{"nodeName":"node-%d","ports":[%s]}}`, i%100, i, i, i, i%500, strings.Repeat(`"f:ports":{".":{},"f:label":{},"f:number":{}},`, 10), i%1000, strings.Join(ports, ",")))
	}
	return listJSON(items...)
}
