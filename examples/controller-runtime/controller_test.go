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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
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

// managed is a manager that runs.
type managed struct {
	t *testing.T
	manager.Manager
	*fleet.Informers
}

func start(t *testing.T, opts manager.Options) *managed {
	t.Helper()
	m, informers, err := newManager(restconfig.New(api.Endpoint), opts)
	if err != nil {
		t.Fatal(err)
	}
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
	return &managed{t: t, Manager: m, Informers: informers}
}

// await waits until a Site has a count, and returns all counts that it has had on the way.
func (m *managed) await(site, count string) (seen []string) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), patience)
	defer cancel()
	for batch, err := range m.Sites().Changes(ctx) {
		if err != nil {
			m.t.Fatalf("%s never had %s, but %v: %v", site, count, seen, err)
		}
		for c := range batch.All() {
			if now, ok := c.Object.Annotations[offlineAnnotation]; ok && c.Object.Name == site {
				if seen = append(seen, now); now == count {
					return seen
				}
			}
		}
	}
	return seen
}

func (m *managed) do(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

// create creates objects by a client of the test's own, which it returns.
func create(t *testing.T, objects ...client.Object) client.Client {
	t.Helper()
	m, _, err := newManager(restconfig.New(api.Endpoint), options())
	if err != nil {
		t.Fatal(err)
	}
	for _, obj := range objects {
		if err := m.GetClient().Create(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
	}
	return m.GetClient()
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

// The controller follows what happens, and what had happened before it began is all
// there when it reconciles for the first time.
func TestController(t *testing.T) {
	one, two := fresh("one"), fresh("two")
	a, b := device(fresh("a"), one, fleet.DeviceOffline), device(fresh("b"), one, fleet.DeviceOffline)
	writer := create(t, site(one), site(two), a, b)
	m := start(t, options())
	if seen := m.await(one, "2"); len(seen) != 1 {
		t.Errorf("the counts %v were noted, so the controller did not wait for all devices", seen)
	}
	m.await(two, "0")

	a.Spec.Site = two // which concerns both
	m.do(writer.Update(t.Context(), a))
	m.await(one, "1")
	m.await(two, "1")
	b.Status.Phase = fleet.DeviceOnline
	m.do(writer.Update(t.Context(), b))
	m.await(one, "0")
	m.do(writer.Delete(t.Context(), a))
	m.await(two, "0")
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
	create(t, site(name), device(name, name, fleet.DeviceOffline))
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
	m := start(t, opts)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	m.do(m.WaitForSync(ctx))
	select {
	case <-m.Elected():
		t.Fatal("somebody else holds the lock, and this replica leads")
	default:
	}
	if s, err := m.Sites().Lister().Get(name); err != nil || s.Annotations[offlineAnnotation] != "" {
		t.Errorf("before it leads: %v, %v", s, err)
	}
	m.do(l.Update(ctx, resourcelock.LeaderElectionRecord{}))
	m.await(name, "1")
}
