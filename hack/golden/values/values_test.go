// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package values

import (
	"context"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/indexer-gen/indexer-gen/runtime/canonical"
)

func job(name string, spec JobSpec) *Job {
	return &Job{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}, Spec: spec}
}

// want compares the answer of a query, in its order.
func want(t *testing.T, query string, got iter.Seq[*Job], wanted ...string) {
	t.Helper()
	var names []string
	for j := range got {
		names = append(names, j.Name)
	}
	if !slices.Equal(names, wanted) {
		t.Errorf("%s yields %v, want %v", query, names, wanted)
	}
}

func wantOne(t *testing.T, query string, got *Job, ok bool, wanted string) {
	t.Helper()
	if ok != (wanted != "") || ok && got.Name != wanted {
		t.Errorf("%s returns %v, %v, want %q", query, got, ok, wanted)
	}
}

var (
	noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	east = time.FixedZone("east", 2*3600)
)

func at(d time.Duration) metav1.Time { return metav1.NewTime(noon.Add(d)) }

func pointer[T any](v T) *T { return &v }

// TestTimes finds an instant however it is written, and in order.
// TestDurations queries and orders a metav1.Duration by its time.Duration.
func TestDurations(t *testing.T) {
	in := func(d time.Duration) metav1.Duration { return metav1.Duration{Duration: d} }
	patience := in(time.Hour)
	jobs := NewJobIndexer()
	jobs.Set(job("a", JobSpec{Queue: "q", Timeout: in(time.Minute), Patience: &patience}))
	jobs.Set(
		job(
			"b",
			JobSpec{Queue: "q", Timeout: in(-time.Second), Pauses: []metav1.Duration{in(time.Hour), in(0)}},
		),
	)
	jobs.Set(job("c", JobSpec{Queue: "p", Timeout: in(10 * time.Second), Grace: time.Hour}))
	want(t, "ByTimeout", jobs.ByTimeout(time.Minute), "a")
	want(t, "ByTimeoutRange", jobs.ByTimeoutRange(-time.Second, time.Minute), "b", "c")
	want(t, "ByTimeoutFrom", jobs.ByTimeoutFrom(0), "c", "a")
	one, ok := jobs.MinTimeout()
	wantOne(t, "MinTimeout", one, ok, "b")
	one, ok = jobs.ByPatience(60 * time.Minute)
	wantOne(t, "ByPatience", one, ok, "a")
	want(t, "ByPatienceFrom, which passes over nil", jobs.ByPatienceFrom(-time.Hour), "a")
	want(t, "ByPauseFrom", jobs.ByPauseFrom(0), "b", "b")
	want(t, "ByGraceFrom", jobs.ByGraceFrom(1), "c")
	want(t, "ByOvertimeFrom", jobs.ByOvertimeFrom(0), "b", "c")
	want(t, "ByQueueTimeout", jobs.ByQueueTimeout("q", time.Minute), "a")
	want(
		t,
		"ByQueueTimeoutFrom",
		jobs.ByQueueTimeoutFrom(JobQueueTimeoutKey{Queue: "q", Timeout: time.Second}),
		"a",
	)
}

func TestTimes(t *testing.T) {
	jobs := NewJobIndexer()
	jobs.Set(job("b", JobSpec{Start: metav1.NewTime(noon.In(east)), Queue: "q"}))
	jobs.Set(
		job(
			"a",
			JobSpec{Start: at(time.Hour), Queue: "q", Retries: []metav1.Time{at(2 * time.Hour), {}, at(0)}},
		),
	)
	jobs.Set(
		job(
			"c",
			JobSpec{
				Start:    at(-time.Hour),
				Queue:    "p",
				Attempts: []*metav1.Time{nil, {}, pointer(at(5 * time.Hour))},
			},
		),
	)
	jobs.Set(job("unset", JobSpec{}))
	want(t, "ByStart", jobs.ByStart(noon), "b")
	want(t, "ByStart in another zone", jobs.ByStart(noon.Add(time.Hour).In(east)), "a")
	want(t, "ByStart of no time", jobs.ByStart(time.Time{}))
	want(t, "ByStartRange", jobs.ByStartRange(noon.Add(-time.Hour), noon.Add(time.Hour)), "c", "b")
	want(t, "ByStartFrom", jobs.ByStartFrom(time.Time{}), "c", "b", "a")
	one, ok := jobs.MinStart()
	wantOne(t, "MinStart", one, ok, "c")
	one, ok = jobs.MaxStart()
	wantOne(t, "MaxStart", one, ok, "a")
	want(t, "ByRetryFrom", jobs.ByRetryFrom(noon), "a", "a")
	want(t, "ByAttempt", jobs.ByAttempt(noon.Add(5*time.Hour)), "c")
	want(t, "ByAttempt of no time", jobs.ByAttempt(time.Time{}))
	want(t, "ByDeadlineFrom", jobs.ByDeadlineFrom(noon), "c", "b", "a")
	want(t, "ByMoment", jobs.ByMoment(noon.Add(2*time.Hour)), "a")
	want(t, "ByQueueStart", jobs.ByQueueStart("q", noon), "b")
	want(
		t,
		"ByQueueStartFrom",
		jobs.ByQueueStartFrom(
			JobQueueStartKey{Queue: "q", Start: canonical.TimeOf(noon.Add(-2 * time.Hour))},
		),
		"b",
		"a",
	)

	before := jobs.Snapshot()
	jobs.Set(job("a", JobSpec{}))
	want(t, "ByStartFrom after an update", jobs.ByStartFrom(noon), "b")
	want(t, "ByStartFrom of the snapshot", before.ByStartFrom(noon), "b", "a")
}

// TestOtherTimes: MicroTime, time.Time, and times behind maps and lists.
func TestOtherTimes(t *testing.T) {
	jobs := NewJobIndexer()
	a := job("a", JobSpec{
		Lease: pointer(metav1.NewMicroTime(noon.In(east))), Clock: noon.In(east),
		Marks: map[string]*metav1.Time{"begun": pointer(at(0))},
		Steps: []Step{{Name: "one", Done: pointer(at(0)), Usage: resource.MustParse("500m")}, {Name: "two"}},
	})
	a.CreationTimestamp, a.DeletionTimestamp = at(0), pointer(at(time.Minute))
	b := job(
		"b",
		JobSpec{
			Lease: &metav1.MicroTime{},
			Marks: map[string]*metav1.Time{"begun": nil, "ended": pointer(at(0))},
		},
	)
	b.CreationTimestamp = at(time.Second)
	jobs.Set(a)
	jobs.Set(b)
	one, ok := jobs.ByLease(noon)
	wantOne(t, "ByLease", one, ok, "a")
	one, ok = jobs.ByLease(time.Time{})
	wantOne(t, "ByLease of no time", one, ok, "")
	one, ok = jobs.ByClock(noon)
	wantOne(t, "ByClock", one, ok, "a")
	want(t, "ByClockFrom", jobs.ByClockFrom(time.Time{}), "a")
	want(t, "ByCreatedFrom", jobs.ByCreatedFrom(noon), "a", "b")
	want(t, "ByDeleted", jobs.ByDeleted(noon.Add(time.Minute)), "a")
	want(t, "ByBegun", jobs.ByBegun(noon), "a")
	want(t, "ByDoneFrom", jobs.ByDoneFrom(time.Time{}), "a")
	want(t, "ByStep", jobs.ByStep("one", noon, resource.MustParse("0.5")), "a")
	want(t, "ByStep that is not done", jobs.ByStep("two", time.Time{}, resource.Quantity{}))
}

// TestQuantities finds a number however it is written, and orders by size, also
// where 64 bits are not enough.
func TestQuantities(t *testing.T) {
	huge := resource.MustParse("9223372036854775807")
	huge.Add(huge)
	jobs := NewJobIndexer()
	jobs.Set(job("half", JobSpec{Memory: resource.MustParse("500m"), Queue: "q", Start: at(0)}))
	jobs.Set(
		job(
			"one",
			JobSpec{
				Memory: resource.MustParse("1.0"),
				Queue:  "q",
				Start:  at(0),
				Disk:   pointer(resource.MustParse("1Ki")),
			},
		),
	)
	jobs.Set(
		job(
			"two",
			JobSpec{
				Memory: resource.MustParse("2"),
				Sizes:  []resource.Quantity{resource.MustParse("1k"), resource.MustParse("1000")},
			},
		),
	)
	jobs.Set(job("max", JobSpec{Memory: resource.MustParse("9223372036854775807")}))
	jobs.Set(
		job(
			"huge",
			JobSpec{Memory: huge, Limits: map[string]resource.Quantity{"cpu": resource.MustParse("100m")}},
		),
	)
	jobs.Set(
		job(
			"zero",
			JobSpec{Quotas: map[string]*resource.Quantity{"a": nil, "b": pointer(resource.MustParse("0.1"))}},
		),
	)
	want(t, "ByMemory", jobs.ByMemory(resource.MustParse("1000m")), "one")
	want(t, "ByMemory of zero", jobs.ByMemory(resource.MustParse("0m")), "zero")
	want(t, "ByMemoryFrom", jobs.ByMemoryFrom(resource.MustParse("0.3")), "half", "one", "two", "max", "huge")
	want(
		t,
		"ByMemoryRange",
		jobs.ByMemoryRange(resource.MustParse("500m"), resource.MustParse("2000m")),
		"half",
		"one",
	)
	one, ok := jobs.MaxMemory()
	wantOne(t, "MaxMemory", one, ok, "huge")
	one, ok = jobs.ByDisk(resource.MustParse("1024"))
	wantOne(t, "ByDisk", one, ok, "one")
	one, ok = jobs.MinDisk()
	wantOne(t, "MinDisk", one, ok, "one")
	want(t, "BySize", jobs.BySize(resource.MustParse("1e3")), "two")
	want(t, "ByCPUFrom", jobs.ByCPUFrom(resource.Quantity{}), "huge")
	want(t, "ByLimit", jobs.ByLimit(resource.MustParse("0.1")), "huge")
	want(t, "ByQuota", jobs.ByQuota(resource.MustParse("100m")), "zero")
	one, ok = jobs.ByTwice(resource.MustParse("1"))
	wantOne(t, "ByTwice", one, ok, "half")
	one, ok = jobs.ByQueueMemory("q", resource.MustParse("1"), noon)
	wantOne(t, "ByQueueMemory", one, ok, "one")
	want(
		t,
		"ByQueueMemoryFrom",
		jobs.ByQueueMemoryFrom(
			JobQueueMemoryKey{Queue: "q", Memory: canonical.QuantityOf(resource.MustParse("0.4"))},
		),
		"half",
		"one",
	)

	jobs.Set(job("also", JobSpec{Disk: pointer(resource.MustParse("1024000m"))}))
	one, ok = jobs.ByDisk(resource.MustParse("1Ki"))
	wantOne(t, "ByDisk of two", one, ok, "also")
	for value, n := range jobs.ByDiskConflicts() {
		if value.String() != "1024" && value.Compare(canonical.QuantityOf(resource.MustParse("1Ki"))) != 0 ||
			n != 2 {
			t.Errorf("conflict %v, %d", value, n)
		}
	}
}

// client is a typed client whose lists have pointers.
type client struct{ list *JobList }

func (c client) List(context.Context, metav1.ListOptions) (*JobList, error) { return c.list, nil }

func (c client) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return watch.NewFake(), nil
}

func (c client) IsWatchListSemanticsUnSupported() bool { return true }

// TestSource fills an informer from a list of pointers.
func TestSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := &JobList{
			ListMeta: metav1.ListMeta{ResourceVersion: "5"},
			Items:    []*Job{job("a", JobSpec{Start: at(0)}), nil},
		}
		informer := NewJobInformer(NewJobSource(client{list}))
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = informer.Run(ctx)
		}()
		if err := informer.WaitForSync(t.Context()); err != nil {
			t.Error(err)
		}
		want(t, "ByStart", informer.Lister().ByStart(noon), "a")
		if _, ok := informer.Lister().Lookup(types.NamespacedName{Namespace: "ns", Name: "a"}); !ok {
			t.Error("the object is not there")
		}
		stop()
		<-done
	})
}
