// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// feed is a server in memory. It lists what there is, and a watch sends updates once
// they are due.
type feed struct {
	list    []corev1.Pod
	updates []*corev1.Pod
	play
}

// play is how a feed sends its updates.
type play struct {
	due    chan struct{} // closed when the watch is to send
	batch  int           // if not 0, it waits for the handlers after so many
	waited int           // handlers that it waits for
	calls  atomic.Int64  // of the handlers, if there is a batch
	acks   chan struct{} // one for each batch that was handled
}

// ready sets the feed up for one watch, which sends every update once.
func (f *feed) ready() {
	f.play = play{due: make(chan struct{}), waited: 1, acks: make(chan struct{}, 1)}
}

// handled lets the next batch go once each handler was called for each update of the last one.
func (f *feed) handled() {
	if f.batch == 0 {
		return
	}
	if f.calls.Add(1)%int64(f.batch*f.waited) == 0 {
		f.acks <- struct{}{}
	}
}

// send calls out with one update after the other, until that returns false.
func (f *feed) send(out func(*corev1.Pod) bool) {
	for at, p := range f.updates {
		if !out(p) {
			return
		}
		if f.batch > 0 && (at+1)%f.batch == 0 {
			<-f.acks
		}
	}
}

// version is that of an update.
func version(at int) string { return strconv.Itoa(2_000_000 + at) }

func (w *world) feed() *feed {
	f := &feed{list: make([]corev1.Pod, w.n), updates: w.updates()}
	for at, i := range w.made[0] {
		f.list[at] = *w.gens[0][i]
	}
	return f
}

// updates returns a new state of each Pod, in the order in which they were made, with
// versions in that order.
func (w *world) updates() []*corev1.Pod {
	pods := make([]*corev1.Pod, w.n)
	for at, i := range w.made[1] {
		p := *w.gens[1][i]
		p.ResourceVersion = version(at)
		pods[at] = &p
	}
	return pods
}

// listVersion is that of the list of a feed.
const listVersion = "1500000"

// client is the feed as a typed client.
type client struct{ *feed }

func (c client) List(context.Context, metav1.ListOptions) (*corev1.PodList, error) {
	return &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: listVersion}, Items: c.list}, nil
}

func (c client) Watch(ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
	w := &clientWatch{
		events: make(chan watch.Event, 100),
		over:   make(chan struct{}),
	} // as client-go's decoder of streams has it
	go w.send(ctx, c.feed)
	return w, nil
}

// clientWatch is a watch of a client.
type clientWatch struct {
	events chan watch.Event
	over   chan struct{}
	once   sync.Once
}

func (w *clientWatch) ResultChan() <-chan watch.Event { return w.events }
func (w *clientWatch) Stop()                          { w.once.Do(func() { close(w.over) }) }

func (w *clientWatch) send(ctx context.Context, f *feed) {
	select {
	case <-f.due:
	case <-w.over:
		return
	}
	f.send(func(p *corev1.Pod) bool {
		select {
		case w.events <- watch.Event{Type: watch.Modified, Object: p}:
			return true
		case <-w.over:
		case <-ctx.Done():
		}
		return false
	})
}

// direct is the feed as a source that hands objects over as they are decoded, which is
// what package wire does.
type direct struct{ *feed }

func (d direct) List(
	_ context.Context,
	_ metav1.ListOptions,
	each func(source.Delta[*corev1.Pod], error) error,
) (metav1.ListMeta, error) {
	for i := range d.list {
		if err := each(source.DeltaOf(delta.Replaced, &d.list[i])); err != nil {
			return metav1.ListMeta{}, err
		}
	}
	return metav1.ListMeta{ResourceVersion: listVersion}, nil
}

func (d direct) Watch(
	ctx context.Context, _ metav1.ListOptions, each func(source.Delta[*corev1.Pod], string, error) error,
) (err error) {
	select {
	case <-d.due:
	case <-ctx.Done():
		return nil
	}
	d.send(func(p *corev1.Pod) bool {
		changed, why := source.DeltaOf(delta.Updated, p)
		err = each(changed, p.ResourceVersion, why)
		return err == nil
	})
	if err == nil {
		<-ctx.Done()
	}
	return err
}

// pipeline is an informer of either side, from a feed to handlers.
type pipeline interface {
	// handle adds a handler, before run.
	handle(added, updated func(*corev1.Pod))
	// run returns when ctx has ended, and all else.
	run(ctx context.Context)
}

// ourPipeline has the indexes that ours has.
type ourPipeline struct {
	inf     *informer.Informer[*corev1.Pod]
	options []informer.HandlerOption
}

func newOurPipeline(src source.ListerWatcher[*corev1.Pod], options ...informer.HandlerOption) pipeline {
	return ourPipeline{
		informer.New(
			corev1.SchemeGroupVersion.WithResource("pods"),
			source.Source[*corev1.Pod]{ListerWatcher: src},
			newOurs().podStore,
			informer.WithReflector(reflector.Settings{NoWatchList: true}),
		),
		options,
	}
}

func (p ourPipeline) handle(added, updated func(*corev1.Pod)) {
	p.inf.AddEventHandler(informer.HandlerFuncs[*corev1.Pod]{
		AddFunc:    func(pod *corev1.Pod, _ bool) { added(pod) },
		UpdateFunc: func(_, pod *corev1.Pod) { updated(pod) },
	}, p.options...)
}

func (p ourPipeline) run(ctx context.Context) { must(p.inf.Run(ctx)) }

// theirPipeline has the indexes that theirs has.
type theirPipeline struct{ cache.SharedIndexInformer }

func newTheirPipeline(f *feed) pipeline {
	return theirPipeline{cache.NewSharedIndexInformer(listed{&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
			return client{f}.List(ctx, opts)
		},
		WatchFuncWithContext: client{f}.Watch,
	}}, &corev1.Pod{}, 0, theirIndexers())}
}

// listed is a client that does not do WatchList.
type listed struct{ *cache.ListWatch }

func (listed) IsWatchListSemanticsUnSupported() bool { return true }

func (p theirPipeline) handle(added, updated func(*corev1.Pod)) {
	_, err := p.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { added(obj.(*corev1.Pod)) },
		UpdateFunc: func(_, obj any) { updated(obj.(*corev1.Pod)) },
	})
	must(err)
}

func (p theirPipeline) run(ctx context.Context) { p.RunWithContext(ctx) }

// working is a pipeline that runs.
type working struct {
	stop  context.CancelFunc
	ended sync.WaitGroup
}

func begin(p pipeline) *working {
	ctx, stop := context.WithCancel(context.Background())
	w := &working{stop: stop}
	w.ended.Go(func() { p.run(ctx) })
	return w
}

// end stops the pipeline and waits for it.
func (w *working) end() {
	w.stop()
	w.ended.Wait()
}
