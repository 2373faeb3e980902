// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package targets

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	clientcache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// words that collide if values are only joined, and that selectors and keys could mistake.
var texts = []string{"", "a", "a/b", "b", "a%2Fb", "%", "=", "a=b", "a,b", "a b", "é", "\\", "ns1/a"}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// gadget returns a random object.
func gadget(r *rand.Rand, i int) *Gadget {
	g := &Gadget{ObjectMeta: metav1.ObjectMeta{
		Namespace: pick(r, "ns1", "ns2"), Name: fmt.Sprintf("g%d", i), ResourceVersion: "1",
		UID:         types.UID(fmt.Sprint(i)),
		Labels:      map[string]string{pick(r, "app", "example.com/app", "a"): pick(r, "x", "y", "")},
		Annotations: map[string]string{pick(r, "example.com/team", "other"): pick(r, texts...)},
	}}
	for range r.IntN(3) {
		controls := r.IntN(2) == 0 && metav1.GetControllerOf(g) == nil
		g.OwnerReferences = append(g.OwnerReferences, metav1.OwnerReference{
			APIVersion: "v1", Kind: "Owner", Name: "o", UID: pick(r, types.UID("u1"), "u2"), Controller: &controls})
	}
	g.Spec = GadgetSpec{
		Site: pick(r, texts...), Serial: pick(r, texts...), Level: pick[int32](r, -1, 0, 1),
		Size:  resource.MustParse(pick(r, "1", "1000m", "1Ki", "1024", "1500m", "0")),
		Every: metav1.Duration{Duration: pick[time.Duration](r, 0, 1, time.Hour)},
		Zone:  pick(r, texts...), Rack: pick(r, texts...),
	}
	if r.IntN(2) == 0 {
		spare := r.IntN(2) == 0
		g.Spec.Spare = &spare
		g.Spec.Since = &metav1.Time{Time: time.Unix(int64(r.IntN(3)), 0).In(time.FixedZone("", r.IntN(2)*3600))}
	}
	for range r.IntN(3) {
		g.Spec.Tags = append(g.Spec.Tags, pick(r, texts...))
		g.Spec.Secrets = append(g.Spec.Secrets,
			SecretRef{Namespace: pick(r, "", "ns1", "ns3"), Name: pick(r, "", "s1", "s2")})
	}
	g.Status.Phase = pick(r, Phase(""), "b", "b/b", "%")
	if r.IntN(2) == 0 {
		g.Status.Conditions = []metav1.Condition{{Type: pick(r, "Ready", "Synced"), Status: pick(r, metav1.ConditionTrue, "False")}}
	}
	return g
}

func keysOf(all iter.Seq[*Gadget]) []string {
	keys := []string{}
	for g := range all {
		keys = append(keys, g.Namespace+"/"+g.Name)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// answers asks every query of the three targets with the values of g. The keys of the result are
// methods, and each value has the answers of native, client-go, and one reader after the other.
type answers struct {
	t       *testing.T
	native  GadgetLister
	cached  GadgetCacheLister
	readers []GadgetReader
}

func (a answers) compare(
	method string, native iter.Seq[*Gadget], cached []*Gadget, read func(GadgetReader) ([]*Gadget, error),
) (found int) {
	a.t.Helper()
	want := keysOf(native)
	if got := keysOf(slices.Values(cached)); !slices.Equal(got, want) {
		a.t.Errorf("%s: client-go has %q, native %q", method, got, want)
	}
	for i, reader := range a.readers {
		list, err := read(reader)
		if got := keysOf(slices.Values(list)); err != nil || !slices.Equal(got, want) {
			a.t.Errorf("%s: controller-runtime's reader %d has %q, %v; native %q", method, i, got, err, want)
		}
	}
	return len(want)
}

func (a answers) all(ctx context.Context, g *Gadget) (found int) {
	n, c, s := a.native, a.cached, g.Spec
	type list = []*Gadget
	check := func(method string, native iter.Seq[*Gadget], cached list, read func(GadgetReader) (list, error)) {
		a.t.Helper()
		found += a.compare(method, native, cached, read)
	}
	for k, v := range g.Labels {
		check("ByLabel", n.ByLabel(k, v), c.ByLabel(k, v), func(r GadgetReader) (list, error) { return r.ByLabel(ctx, k, v) })
	}
	for _, o := range g.OwnerReferences {
		check("ByOwner", n.ByOwner(o.UID), c.ByOwner(o.UID), func(r GadgetReader) (list, error) { return r.ByOwner(ctx, o.UID) })
		check("ByController", n.ByController(o.UID), c.ByController(o.UID),
			func(r GadgetReader) (list, error) { return r.ByController(ctx, o.UID) })
	}
	phase := g.Status.Phase
	check("BySitePhase", n.BySitePhase(s.Site, phase), c.BySitePhase(s.Site, phase),
		func(r GadgetReader) (list, error) { return r.BySitePhase(ctx, s.Site, phase) })
	place := GadgetPlaceKey{s.Site, s.Zone, s.Rack}
	check("ByPlace", n.ByPlace(place), c.ByPlace(GadgetPlaceCacheKey(place)),
		func(r GadgetReader) (list, error) { return r.ByPlace(ctx, GadgetPlaceFieldKey(place)) })
	team := g.Annotations["example.com/team"]
	check("ByTeam", n.ByTeam(team), c.ByTeam(team), func(r GadgetReader) (list, error) { return r.ByTeam(ctx, team) })
	for _, ready := range []metav1.ConditionStatus{"True", "False"} {
		check("ByReady", n.ByReady(ready), c.ByReady(ready), func(r GadgetReader) (list, error) { return r.ByReady(ctx, ready) })
	}
	for _, ref := range s.Secrets {
		key := types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}
		if key.Namespace == "" {
			key.Namespace = g.Namespace
		}
		check("BySecret", n.BySecret(key), c.BySecret(key), func(r GadgetReader) (list, error) { return r.BySecret(ctx, key) })
		backup := types.NamespacedName{Namespace: "backup", Name: ref.Name}
		check("ByBackup", n.ByBackup(backup), c.ByBackup(backup), func(r GadgetReader) (list, error) { return r.ByBackup(ctx, backup) })
	}
	check("BySite", n.BySite(s.Site), c.BySite(s.Site), func(r GadgetReader) (list, error) { return r.BySite(ctx, s.Site) })
	check("BySerialAll", n.BySerialAll(s.Serial), c.BySerialAll(s.Serial),
		func(r GadgetReader) (list, error) { return r.BySerialAll(ctx, s.Serial) })
	first := func(g *Gadget, ok bool) list {
		if !ok {
			return nil
		}
		return list{g}
	}
	check("BySerial", slices.Values(first(n.BySerial(s.Serial))), first(c.BySerial(s.Serial)),
		func(r GadgetReader) (list, error) {
			g, ok, err := r.BySerial(ctx, s.Serial)
			return first(g, ok), err
		})
	check("ByLevel", n.ByLevel(s.Level), c.ByLevel(s.Level), func(r GadgetReader) (list, error) { return r.ByLevel(ctx, s.Level) })
	for _, spare := range []bool{true, false} {
		check("BySpare", n.BySpare(spare), c.BySpare(spare), func(r GadgetReader) (list, error) { return r.BySpare(ctx, spare) })
	}
	check("BySize", n.BySize(s.Size), c.BySize(s.Size), func(r GadgetReader) (list, error) { return r.BySize(ctx, s.Size) })
	if s.Since != nil {
		at := s.Since.UTC()
		check("BySince", n.BySince(at), c.BySince(at), func(r GadgetReader) (list, error) { return r.BySince(ctx, at) })
	}
	every := s.Every.Duration
	check("ByEvery", n.ByEvery(every), c.ByEvery(every), func(r GadgetReader) (list, error) { return r.ByEvery(ctx, every) })
	for _, text := range texts {
		check("ByTags", n.ByTags(text), c.ByTags(text), func(r GadgetReader) (list, error) { return r.ByTags(ctx, text) })
		check("ByWord", n.ByWord(text), c.ByWord(text), func(r GadgetReader) (list, error) { return r.ByWord(ctx, text) })
	}
	check("ByRack", n.ByRack(s.Rack), c.ByRack(s.Rack), func(r GadgetReader) (list, error) { return r.ByRack(ctx, s.Rack) })
	return found
}

// TestTargetsAgree asks random objects through native, client-go's cache, controller-runtime's cache and
// its fake client, and compares the answers.
func TestTargetsAgree(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			var objs []*Gadget
			for i := range 40 {
				objs = append(objs, gadget(r, i))
			}
			// These would have one key if the parts of a key were only joined.
			objs[0].Spec.Site, objs[0].Status.Phase = "a/b", "b"
			objs[1].Spec.Site, objs[1].Status.Phase = "a", "b/b"
			a := answers{t: t, native: nativeOf(objs), cached: cachedOf(t, objs),
				readers: []GadgetReader{fakeOf(t, objs), managedOf(t, objs, AddGadgetIndexes)}}
			found := 0
			for _, g := range objs {
				found += a.all(t.Context(), g)
			}
			if found < 20*len(objs) {
				t.Errorf("all queries found %d objects: they compare too little", found)
			}
			inOne, err := a.readers[1].BySite(t.Context(), "a", client.InNamespace("ns1"))
			if err != nil || slices.ContainsFunc(inOne, func(g *Gadget) bool { return g.Namespace != "ns1" }) {
				t.Errorf("BySite in ns1: %v, %v", inOne, err)
			}
		})
	}
}

func nativeOf(objs []*Gadget) GadgetLister {
	indexer := NewGadgetIndexer()
	for _, g := range objs {
		indexer.Set(g)
	}
	return indexer.GadgetLister
}

func cachedOf(t *testing.T, objs []*Gadget) GadgetCacheLister {
	t.Helper()
	x := clientcache.NewIndexer(clientcache.MetaNamespaceKeyFunc, clientcache.Indexers{})
	if _, err := NewGadgetCacheLister(x); err == nil {
		t.Error("no error for an Indexer without indexes")
	}
	if err := x.AddIndexers(GadgetIndexers()); err != nil {
		t.Fatal(err)
	}
	for _, g := range objs {
		if err := x.Add(g); err != nil {
			t.Fatal(err)
		}
	}
	lister, err := NewGadgetCacheLister(x)
	if err != nil {
		t.Fatal(err)
	}
	return lister
}

func scheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	if err := AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	metav1.AddToGroupVersion(s, GroupVersion)
	return s
}

func fakeOf(t *testing.T, objs []*Gadget) GadgetReader {
	t.Helper()
	builder := WithGadgetIndexes(fake.NewClientBuilder().WithScheme(scheme(t)))
	for _, g := range objs {
		builder = builder.WithObjects(g.DeepCopy())
	}
	return NewGadgetReader(builder.Build())
}

// Errors of missing indexes name the index, and the function that adds it.
func TestMissingIndexes(t *testing.T) {
	const remedy = "; if the cache lacks the index, call AddGadgetIndexes before the manager starts"
	for of, test := range map[string]struct {
		reader GadgetReader
		why    string
	}{
		"a manager's cache": {
			managedOf(t, nil, func(context.Context, client.FieldIndexer) error { return nil }),
			"Index with name field:spec.site does not exist",
		},
		"a fake client": {
			NewGadgetReader(fake.NewClientBuilder().WithScheme(scheme(t)).Build()),
			"List on GroupVersionKind targets.example.com/v1, Kind=Gadget specifies selector on field spec.site, " +
				"but no index with name spec.site has been registered for GroupVersionKind " +
				"targets.example.com/v1, Kind=Gadget",
		},
	} {
		objs, err := test.reader.BySite(t.Context(), "a")
		if want := "list Gadgets by spec.site: " + test.why + remedy; err == nil || err.Error() != want || objs != nil {
			t.Errorf("%s: %v, %v; want %q", of, objs, err, want)
		}
		if _, again := test.reader.CountSite(t.Context(), "a"); again == nil || err == nil || again.Error() != err.Error() {
			t.Errorf("%s: CountSite returns %v", of, again)
		}
	}
	indexes := GadgetIndexers()
	delete(indexes, GadgetBySiteIndex)
	_, err := NewGadgetCacheLister(clientcache.NewIndexer(clientcache.MetaNamespaceKeyFunc, indexes))
	want := "the Indexer lacks the index spec.site; add the generated index functions with AddIndexers: " +
		"Index with name spec.site does not exist"
	if err == nil || err.Error() != want {
		t.Errorf("client-go's cache: %v, want %q", err, want)
	}
}

// managedOf returns a reader of controller-runtime's informer cache with the indexes that add adds.
func managedOf(t *testing.T, objs []*Gadget, add func(context.Context, client.FieldIndexer) error) GadgetReader {
	t.Helper()
	s := scheme(t)
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(GroupVersion.WithKind("Gadget"), meta.RESTScopeNamespace)
	list := func(metav1.ListOptions) (runtime.Object, error) {
		out := &GadgetList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}
		for _, g := range objs {
			out.Items = append(out.Items, *g.DeepCopy())
		}
		return out, nil
	}
	c, err := cache.New(&rest.Config{}, cache.Options{
		Scheme: s, Mapper: mapper, HTTPClient: http.DefaultClient,
		NewInformer: func(
			_ clientcache.ListerWatcher, example runtime.Object, resync time.Duration, indexers clientcache.Indexers,
		) clientcache.SharedIndexInformer {
			return clientcache.NewSharedIndexInformer(clientcache.ToListWatcherWithWatchListSemantics(
				&clientcache.ListWatch{ListFunc: list, WatchFunc: func(metav1.ListOptions) (watch.Interface, error) {
					return watch.NewFake(), nil
				}}, noWatchList{}), example, resync, indexers)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := add(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- c.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
	if !c.WaitForCacheSync(ctx) {
		t.Fatal("the cache does not sync")
	}
	return NewGadgetReader(c)
}

// noWatchList keeps the reflector from streaming lists.
type noWatchList struct{}

func (noWatchList) IsWatchListSemanticsUnSupported() bool { return true }

// A query finds what its index and the options of its caller select.
func TestQueryWithFieldsOfTheCaller(t *testing.T) {
	objs := []*Gadget{{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}}, {ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "b"}}}
	for i, g := range objs {
		g.Spec.Site, g.Spec.Level = "x", int32(i)
	}
	for _, reader := range []GadgetReader{fakeOf(t, objs), managedOf(t, objs, AddGadgetIndexes)} {
		opts := []client.ListOption{client.InNamespace("ns"), client.MatchingFields{"spec.level": "1"}}
		got, err := reader.BySite(t.Context(), "x", opts...)
		if err != nil || len(got) != 1 || got[0].Name != "b" {
			t.Errorf("Gadgets of site x with level 1: %v, %v", got, err)
		}
	}
}
