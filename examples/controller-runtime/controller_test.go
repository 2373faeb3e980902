// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/watch"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// patience is what anything may take that ought to happen: the server may have to be built.
const patience = 10 * time.Minute

// TestRun runs the whole example and reads what it prints.
func TestRun(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out bytes.Buffer
	if err := run(ctx, options(), &out); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	for _, line := range []string{"berlin: 2 offline\n", "oslo: 0 offline\n"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("it does not print %q:\n%s", line, out.Bytes())
		}
	}
}

// options are for one of several managers in a process.
func options() manager.Options {
	return manager.Options{
		Metrics:    server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: new(true)},
	}
}

// ways are the two ways to add the controller to a manager.
var ways = map[string]func(*testing.T, manager.Options) manager.Manager{
	"cache": func(t *testing.T, opts manager.Options) manager.Manager {
		opts.NewCache = ctrlruntime.NewCache
		m := create(t, opts)
		do(t, addToCache(t.Context(), m))
		return m
	},
	"informers": func(t *testing.T, opts manager.Options) manager.Manager {
		m, _ := withInformers(t, opts)
		return m
	},
}

func withInformers(t *testing.T, opts manager.Options) (manager.Manager, *fleet.Informers) {
	t.Helper()
	m := create(t, opts)
	informers, err := newInformers(m)
	do(t, err)
	do(t, addInformers(m, informers))
	return m, informers
}

func create(t *testing.T, opts manager.Options) manager.Manager {
	t.Helper()
	m, err := newManager(restconfig.New(api.Endpoint), opts)
	do(t, err)
	return m
}

// start runs m until the test ends.
func start(t *testing.T, m manager.Manager) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the manager ended with %v", err)
		}
		m.GetHTTPClient().CloseIdleConnections()
	})
}

// await waits until a Site has a count, and returns all counts that it has had on the way.
func await(t *testing.T, site, count string) (seen []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, err := kubeconn.FromConfig(restconfig.New(api.Endpoint))
	do(t, err)
	for event, err := range watch.Events(ctx, wire.Source[*fleet.Site](conn, fleet.SitesResource), watch.Options[*fleet.Site]{}) {
		if err != nil {
			t.Fatalf("%s never had %s, but %v: %v", site, count, seen, err)
		}
		if event.Object == nil || event.Object.Name != site {
			continue
		}
		if now, ok := event.Object.Annotations[offlineAnnotation]; ok {
			if seen = append(seen, now); now == count {
				return seen
			}
		}
	}
	return seen
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write creates objects by a client of the test's own, which it returns.
func write(t *testing.T, objects ...client.Object) client.Client {
	t.Helper()
	c := create(t, options()).GetClient()
	for _, obj := range objects {
		do(t, c.Create(t.Context(), obj))
	}
	return c
}

// fresh returns a name that no earlier run has used.
func fresh(name string) string { return name + "-" + strings.ToLower(rand.Text()[:8]) }

func site(name string) *fleet.Site {
	return &fleet.Site{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: fleet.SiteSpec{Region: "r"}}
}

func device(name, site string, phase fleet.DevicePhase) *fleet.Device {
	return &fleet.Device{
		ObjectMeta: metav1.ObjectMeta{Namespace: "tests", Name: name},
		Spec:       fleet.DeviceSpec{Site: site, Model: "m"},
		Status:     fleet.DeviceStatus{Phase: phase},
	}
}

// The controller follows what happens, and finds everything that existed when it reconciles for the first time.
func TestController(t *testing.T) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			one, two := fresh("one"), fresh("two")
			a, b := device(fresh("a"), one, fleet.DeviceOffline), device(fresh("b"), one, fleet.DeviceOffline)
			writer := write(t, site(one), site(two), a, b)
			start(t, way(t, options()))
			if seen := await(t, one, "2"); len(seen) != 1 {
				t.Errorf("the counts %v were noted, so the controller did not wait for all devices", seen)
			}
			await(t, two, "0")

			a.Spec.Site = two // which concerns both
			do(t, writer.Update(t.Context(), a))
			await(t, one, "1")
			await(t, two, "1")
			b.Status.Phase = fleet.DeviceOnline
			do(t, writer.Update(t.Context(), b))
			await(t, one, "0")
			do(t, writer.Delete(t.Context(), a))
			await(t, two, "0")

			// The endpoint of the manager serves this registry.
			families, err := metrics.Registry.Gather()
			do(t, err)
			informers := 0
			for _, f := range families {
				if f.GetName() == "indexergen_informer_synced" {
					informers = len(f.Metric)
				}
			}
			if informers != 2 {
				t.Errorf("the manager has the metrics of %d informers, want 2", informers)
			}
		})
	}
}

// lock is a leader election lock that another replica holds until it is released.
type lock struct {
	resourcelock.Interface

	mu     sync.Mutex
	record resourcelock.LeaderElectionRecord
}

func (l *lock) Identity() string     { return "me" }
func (l *lock) Describe() string     { return "a lock in memory" }
func (l *lock) RecordEvent(_ string) {}

func (l *lock) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	record := l.record
	return &record, []byte(record.HolderIdentity), nil
}

func (l *lock) Update(_ context.Context, record resourcelock.LeaderElectionRecord) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.record = record
	return nil
}

// A replica that does not lead runs its informers, and uses their caches once it leads.
func TestInformersDoNotWaitForLeadership(t *testing.T) {
	name := fresh("led")
	write(t, site(name), device(name, name, fleet.DeviceOffline))
	l := &lock{
		record: resourcelock.LeaderElectionRecord{
			HolderIdentity:       "other",
			LeaseDurationSeconds: 3600,
			RenewTime:            metav1.Now(),
		},
	}
	opts := options()
	opts.LeaderElection, opts.LeaderElectionResourceLockInterface, opts.RetryPeriod = true, l, new(
		50*time.Millisecond,
	)
	m, informers := withInformers(t, opts)
	start(t, m)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	do(t, informers.WaitForSync(ctx))
	select {
	case <-m.Elected():
		t.Fatal("somebody else holds the lock, and this replica leads")
	default:
	}
	if s, err := informers.Sites().Lister().Get(name); err != nil || s.Annotations[offlineAnnotation] != "" {
		t.Errorf("before it leads: %v, %v", s, err)
	}
	do(t, l.Update(ctx, resourcelock.LeaderElectionRecord{}))
	await(t, name, "1")
}
