// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
)

// rounds is the number of times that each Pod changes.
const rounds = 5

// deliver measures the way from decoded events to handlers: first all pods, in the order of their keys as from
// the API server, then changes to them in another order: as fast as the informer takes them, and one at a time.
func deliver(
	ctx context.Context, job probe.Job, client kubernetes.Interface, pods []*corev1.Pod, figures map[string]float64,
) error {
	slices.SortFunc(pods, byKey)
	d := decoded{Interface: client, events: make(chan watch.Event, len(pods)+1)}
	for _, p := range pods {
		d.events <- watch.Event{Type: watch.Added, Object: p}
	}
	d.events <- watch.Event{Type: watch.Bookmark, Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		ResourceVersion: version(0), Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"},
	}}}
	var f *factory
	initial, err := job.Spend("list", func() (err error) {
		if f, err = startFactory(ctx, d, job.Switched); err != nil {
			return err
		}
		return f.delivered(ctx, len(pods))
	})
	if err != nil {
		return err
	}
	defer f.stop()
	figures["initial"], figures["initialAllocs"] = initial.Per(len(pods))
	slices.SortFunc(pods, byUID)
	n := len(pods) // events so far
	for _, phase := range []string{"update", "alone"} {
		var cpu, allocs []float64
		for range rounds {
			changed := make([]watch.Event, len(pods))
			for i, p := range pods {
				next := *p
				next.ResourceVersion = version(n + i)
				changed[i] = watch.Event{Type: watch.Modified, Object: &next}
			}
			updates, err := job.Spend(phase, func() error {
				for i, event := range changed {
					d.events <- event
					if phase == "alone" {
						if err := f.delivered(ctx, n+i+1); err != nil {
							return err
						}
					}
				}
				n += len(pods)
				return f.delivered(ctx, n)
			})
			if err != nil {
				return err
			}
			c, a := updates.Per(len(pods))
			cpu, allocs = append(cpu, c), append(allocs, a)
		}
		slices.Sort(cpu)
		slices.Sort(allocs)
		figures[phase], figures[phase+"Allocs"] = cpu[rounds/2], allocs[rounds/2]
	}
	return nil
}

// version returns the n-th resourceVersion. They are greater than those of an API server that was started
// for the measurement.
func version(n int) string { return fmt.Sprint(1_000_000_000 + n) }

func byKey(a, b *corev1.Pod) int {
	return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
}

func byUID(a, b *corev1.Pod) int { return strings.Compare(string(a.UID), string(b.UID)) }

// decoded is a clientset that answers a WatchList of Pods with events that are decoded already.
type decoded struct {
	kubernetes.Interface
	events chan watch.Event
}

func (d decoded) CoreV1() typed.CoreV1Interface { return decodedCore{d.Interface.CoreV1(), d.events} }

type decodedCore struct {
	typed.CoreV1Interface
	events chan watch.Event
}

func (c decodedCore) Pods(namespace string) typed.PodInterface {
	return decodedPods{c.CoreV1Interface.Pods(namespace), c.events}
}

type decodedPods struct {
	typed.PodInterface
	events chan watch.Event
}

func (p decodedPods) Watch(_ context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	if opts.SendInitialEvents == nil {
		return nil, errors.New("this client has WatchLists only")
	}
	return p, nil
}

func (p decodedPods) ResultChan() <-chan watch.Event { return p.events }
func (p decodedPods) Stop()                          {}
