// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
)

// Our cache answers what controller-runtime's answers: with random options, to random calls, in any order.
// controller-runtime makes the informer of a namespace when that namespace is first read.
func TestCallsInAnyOrder(t *testing.T) {
	const rounds, calls = 300, 40
	for seed := range uint64(rounds) {
		synctest.Test(t, func(t *testing.T) {
			r := randomCalls{rand.New(rand.NewPCG(seed, 0))}
			s := newUnservedAPIServer()
			fillServer(s)
			opts, described := r.options()
			opts.HTTPClient, opts.Mapper = &http.Client{Transport: inMemory{s}}, mapper()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var caches [2]cache.Cache
			for i, create := range []cache.NewCacheFunc{cache.New, ctrlruntime.NewCache} {
				var err error
				if caches[i], err = create(&rest.Config{Host: "http://server", QPS: -1}, opts); err != nil {
					t.Fatal(err)
				}
			}
			start := r.IntN(4) // calls before the start
			for i := range calls {
				if i == start {
					for _, c := range caches {
						go func() { _ = c.Start(ctx) }()
					}
					synctest.Wait()
				}
				call, name := r.call(s, i >= start)
				described = append(described, name)
				theirs, ours := call(ctx, caches[0]), call(ctx, caches[1])
				synctest.Wait() // for the watches
				if ours != theirs {
					t.Fatalf("seed %d:\n%s\nours\n%s\ntheirs\n%s", seed, strings.Join(described, "\n"), ours, theirs)
				}
			}
		})
		if t.Failed() {
			return
		}
	}
}

type randomCalls struct{ *rand.Rand }

func (r randomCalls) oneIn(n int) bool { return r.IntN(n) == 0 }

func pick[T any](r randomCalls, from ...T) T { return from[r.IntN(len(from))] }

func (r randomCalls) optional() *bool { return pick(r, nil, nil, new(true), new(false)) }

func (r randomCalls) labels() labels.Selector {
	if r.oneIn(4) {
		return labels.SelectorFromSet(labels.Set{"app": "app-1"})
	}
	return nil
}

func (r randomCalls) fields() fields.Selector {
	if r.oneIn(4) {
		return fields.OneTermEqualSelector("metadata.namespace", pick(r, "a", "b"))
	}
	return nil
}

func (r randomCalls) namespaces() map[string]cache.Config {
	out := map[string]cache.Config{}
	for _, namespace := range []string{"", "a", "b", "c"} {
		if !r.oneIn(2) {
			continue
		}
		config := cache.Config{LabelSelector: r.labels(), UnsafeDisableDeepCopy: r.optional()}
		if namespace == "" {
			config.FieldSelector = r.fields()
		}
		out[namespace] = config
	}
	return out
}

func (r randomCalls) options() (cache.Options, []string) {
	opts := cache.Options{
		ReaderFailOnMissingInformer: r.oneIn(8), DefaultLabelSelector: r.labels(),
		DefaultUnsafeDisableDeepCopy: r.optional(),
	}
	if !r.oneIn(4) {
		opts.DefaultNamespaces = r.namespaces()
	}
	described := []string{fmt.Sprintf("options %+v", opts)}
	if r.oneIn(2) {
		own := cache.ByObject{Label: r.labels(), UnsafeDisableDeepCopy: r.optional()}
		if r.oneIn(2) {
			own.Namespaces = r.namespaces()
		}
		object := forms[pick(r, "structured", "unstructured", "metadata")].object("Pod")
		opts.ByObject = map[client.Object]cache.ByObject{object: own}
		described = append(described, fmt.Sprintf("options by object %+v", own))
	}
	return opts, described
}

// call returns a call with a description of what it returns, and a description of the call.
func (r randomCalls) call(s *apiServer, started bool) (func(context.Context, cache.Cache) string, string) {
	form := pick(r, "structured", "unstructured", "metadata")
	kind := pick(r, "Pod", "Pod", "Pod", "Node")
	f, on := forms[form], form+" "+kind
	switch n := r.IntN(20); {
	case n < 7:
		key := client.ObjectKey{Namespace: pick(r, "a", "b", "c", "none", ""), Name: pick(r, "1", "2", "none")}
		var opts []client.GetOption
		if kind == "Pod" && r.oneIn(4) { // in several namespaces, controller-runtime ignores it for Nodes
			opts = append(opts, client.UnsafeDisableDeepCopy)
		}
		return func(ctx context.Context, c cache.Cache) string {
			one, two := f.object(kind), f.object(kind)
			if err := c.Get(ctx, key, one, opts...); err != nil {
				return describeError(err)
			}
			_ = c.Get(ctx, key, two, opts...)
			return describe([]runtime.Object{one}, []runtime.Object{two})
		}, fmt.Sprintf("get %s %v, %d options", on, key, len(opts))
	case n < 15:
		opts := r.listOptions()
		return func(ctx context.Context, c cache.Cache) string {
			one, two := f.list(kind), f.list(kind)
			if err := c.List(ctx, one, opts); err != nil {
				return describeError(err)
			}
			_ = c.List(ctx, two, opts)
			if opts.Limit > 0 {
				return fmt.Sprint(meta.LenList(one), one.GetContinue())
			}
			items, _ := meta.ExtractList(one)
			again, _ := meta.ExtractList(two)
			return describe(items, again) + one.GetContinue()
		}, fmt.Sprintf("list %s %+v", on, opts)
	case n < 17 && started:
		return func(ctx context.Context, c cache.Cache) string {
			return describeError(c.RemoveInformer(ctx, f.object(kind)))
		}, "remove " + on
	case n < 18:
		return func(ctx context.Context, c cache.Cache) string {
			_, err := c.GetInformer(ctx, f.object(kind))
			return describeError(err)
		}, "informer of " + on
	case n < 19:
		return func(ctx context.Context, c cache.Cache) string {
			return describeError(c.IndexField(ctx, f.object(kind), "name", func(obj client.Object) []string {
				return []string{obj.GetName()}
			}))
		}, "index " + on
	default:
		namespace, name := pick(r, "a", "b", "c"), pick(r, "1", "2", "3")
		if !s.pods.Delete(namespace, name) {
			s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{
				Namespace: namespace, Name: name, Labels: map[string]string{"app": "app-" + name},
			}})
		}
		synctest.Wait()
		return func(context.Context, cache.Cache) string { return "" }, "write " + namespace + "/" + name
	}
}

func (r randomCalls) listOptions() *client.ListOptions {
	opts := &client.ListOptions{LabelSelector: r.labels(), Namespace: pick(r, "", "", "a", "b", "c", "none")}
	if r.oneIn(4) {
		opts.FieldSelector = fields.OneTermEqualSelector("name", pick(r, "1", "2", "none"))
	}
	if r.oneIn(8) {
		opts.Limit = int64(1 + r.IntN(3))
	}
	if r.oneIn(4) {
		opts.UnsafeDisableDeepCopy = new(true)
	}
	return opts
}

func describeError(err error) string {
	if apierrors.ReasonForError(err) != metav1.StatusReasonUnknown {
		return err.Error()
	}
	return fmt.Sprintf("%T", err)
}

// inMemory is a transport whose requests a handler answers.
type inMemory struct{ handler http.Handler }

func (m inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	reader, writer := io.Pipe()
	w := &inMemoryWriter{PipeWriter: writer, header: http.Header{}, status: make(chan int, 1)}
	go func() {
		defer writer.Close()
		m.handler.ServeHTTP(w, r.WithContext(ctx))
		w.WriteHeader(http.StatusOK)
	}()
	return &http.Response{
		StatusCode: <-w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.header,
		Body: canceling{reader, writer, cancel}, Request: r,
	}, nil
}

type inMemoryWriter struct {
	*io.PipeWriter
	header http.Header
	once   sync.Once
	status chan int
}

func (w *inMemoryWriter) Header() http.Header { return w.header }
func (w *inMemoryWriter) Flush()              { w.WriteHeader(http.StatusOK) }

func (w *inMemoryWriter) WriteHeader(status int) { w.once.Do(func() { w.status <- status }) }

func (w *inMemoryWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.PipeWriter.Write(p)
}

// canceling is the body of a response. Closing it ends the request, and reads end with io.EOF: client-go
// forgets a goroutine if they end with another error.
type canceling struct {
	io.Reader
	writer *io.PipeWriter
	cancel func()
}

func (c canceling) Close() error {
	c.cancel()
	return c.writer.Close()
}
