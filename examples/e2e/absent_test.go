// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

var (
	absentRounds = flag.Int("absent.rounds", 3, "rounds of TestTypesThatComeAndGo; a round takes some seconds")
	absentSeed   = flag.Uint64("absent.seed", 0, "seed of TestTypesThatComeAndGo; 0 chooses one")
)

const (
	optionalGroup = "optional.example.dev"
	atRest        = 15 * time.Second // by then an informer has followed its type
	crds          = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
)

// cluster is a server whose types come and go.
type cluster struct {
	t *testing.T
	*apiserver.Server
	client *http.Client
	served map[string]string // version, by type
	random *rand.Rand
}

func (c *cluster) do(method, path, body string) (int, []byte) {
	c.t.Helper()
	for {
		request, err := http.NewRequestWithContext(c.t.Context(), method, c.URL+path, strings.NewReader(body))
		if err != nil {
			c.t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		answer, err := c.client.Do(request)
		if err != nil {
			continue // cut
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err == nil && answer.StatusCode != http.StatusServiceUnavailable && answer.StatusCode != http.StatusTooManyRequests {
			return answer.StatusCode, text
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (c *cluster) path(name, version string) string {
	return "/apis/" + optionalGroup + "/" + version + "/" + name
}

func (c *cluster) install(name, version string) {
	kind := strings.ToUpper(name[:1]) + name[1:len(name)-1]
	manifest := fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{"name":"%[1]s.%[2]s"},"spec":{"group":"%[2]s","scope":"Namespaced","names":{"plural":"%[1]s","kind":"%[3]s"},
"versions":[{"name":"%[4]s","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`,
		name, optionalGroup, kind, version)
	if err := c.ApplyCRDBytes(c.t.Context(), []byte(manifest)); err != nil {
		c.t.Fatal(err)
	}
	c.served[name] = version
}

func (c *cluster) remove(name string) {
	c.do(http.MethodDelete, crds+name+"."+optionalGroup, "")
	for _, path := range []string{crds + name + "." + optionalGroup, c.path(name, c.served[name])} {
		for code := 0; code != http.StatusNotFound; code, _ = c.do(http.MethodGet, path, "") {
			time.Sleep(20 * time.Millisecond)
		}
	}
	delete(c.served, name)
}

// write creates or deletes an object of a type that is served.
func (c *cluster) write(name string) {
	version, namespace, object := c.served[name], "n", fmt.Sprint("o", c.random.IntN(6))
	in := "/apis/" + optionalGroup + "/" + version + "/namespaces/" + namespace + "/" + name
	if c.random.IntN(3) == 0 {
		c.do(http.MethodDelete, in+"/"+object, "")
		return
	}
	kind := strings.ToUpper(name[:1]) + name[1:len(name)-1]
	c.do(http.MethodPost, in, fmt.Sprintf(`{"apiVersion":"%s/%s","kind":%q,"metadata":{"name":%q}}`,
		optionalGroup, version, kind, object))
}

// list returns the UIDs and versions of all objects of v1, none if it is not served.
func (c *cluster) list(name string) map[string]string {
	all := map[string]string{}
	if c.served[name] != "v1" {
		return all
	}
	code, text := c.do(http.MethodGet, c.path(name, "v1"), "")
	var list metav1.PartialObjectMetadataList
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&list); err != nil || code != http.StatusOK {
		c.t.Fatalf("list of %s: %d %v %s", name, code, err, text)
	}
	for _, o := range list.Items {
		all[o.Namespace+"/"+o.Name] = string(o.UID) + " " + o.ResourceVersion
	}
	return all
}

// follower is an informer of one type, and what its handler was notified of.
type follower struct {
	kind    string // of the informer
	name    string // of the type
	present func() (bool, <-chan struct{})
	objects func() map[string]string

	mu      sync.Mutex
	known   map[string]string
	left    int // times that it became absent
	strange []string
}

func (f *follower) note(call string, o metav1.Object) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key, state := o.GetNamespace()+"/"+o.GetName(), string(o.GetUID())+" "+o.GetResourceVersion()
	_, known := f.known[key]
	if known == (call == "add") {
		f.strange = append(f.strange, call+" "+key)
	}
	if call == "delete" {
		delete(f.known, key)
	} else {
		f.known[key] = state
	}
}

func (f *follower) follow(ctx context.Context) {
	for was := false; ; {
		present, changed := f.present()
		if was && !present {
			f.mu.Lock()
			f.left++
			f.mu.Unlock()
		}
		was = present
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// TestTypesThatComeAndGo installs and removes CustomResourceDefinitions at random, while a server is restarted and
// cut, under informers that began when there were none.
func TestTypesThatComeAndGo(t *testing.T) {
	seed := *absentSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-absent.seed=%d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	own, err := apiserver.Start(t.Context(), apiserver.Options{Progress: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	c := &cluster{t: t, Server: own, client: own.HTTPClient(), served: map[string]string{}, random: random}
	defer c.client.CloseIdleConnections()
	names := []string{"alphas", "betas", "gammas"}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer func() { cancel(); running.Wait() }()
	followers := followAll(ctx, t, own, names, &running)
	removed := map[string]bool{}
	for round := range *absentRounds {
		var did []string
		before := map[*follower]int{}
		for _, f := range followers {
			f.mu.Lock()
			before[f] = f.left
			f.mu.Unlock()
		}
		clear(removed)
		for range 1 + random.IntN(3) {
			name := names[random.IntN(len(names))]
			version, installed := c.served[name]
			op := random.IntN(6)
			switch {
			case op == 0:
				did = append(did, "restart")
				if err := own.RestartServer(t.Context()); err != nil {
					t.Fatal(err)
				}
			case op == 1:
				did = append(did, "cut")
				if _, err := own.CutConnections(t.Context()); err != nil {
					t.Fatal(err)
				}
			case !installed:
				version = []string{"v1", "v1", "v2"}[random.IntN(3)]
				did = append(did, "install "+name+" "+version)
				c.install(name, version)
			case op == 2 || op == 3:
				did = append(did, "remove "+name)
				c.remove(name)
				removed[name] = true
			case op == 4:
				did = append(did, "renew "+name)
				c.remove(name)
				c.install(name, version)
				removed[name] = true
			}
			for _, name := range slices.Sorted(maps.Keys(c.served)) {
				for range random.IntN(5) {
					c.write(name)
				}
			}
		}
		began := time.Now()
		for _, f := range followers {
			for {
				problem := f.check(c)
				if problem == "" {
					break
				}
				if time.Since(began) > atRest {
					t.Fatalf("round %d %v: %v after its change, the %s informer of %s: %s", round, did, time.Since(began),
						f.kind, f.name, problem)
				}
				time.Sleep(50 * time.Millisecond)
			}
			f.mu.Lock()
			if f.left > before[f] && !removed[f.name] {
				t.Errorf("round %d %v: the %s informer of %s became absent", round, did, f.kind, f.name)
			}
			if f.strange != nil {
				t.Errorf("round %d %v: calls of the handler of %s that do not follow: %v", round, did, f.name, f.strange)
				f.strange = nil
			}
			f.mu.Unlock()
		}
		t.Logf("round %d %v: at rest after %v", round, did, time.Since(began).Round(time.Millisecond))
	}
}

// check says how the informer differs from the server.
func (f *follower) check(c *cluster) string {
	want := c.list(f.name)
	if present, _ := f.present(); present != (c.served[f.name] == "v1") {
		return fmt.Sprintf("Present is %v", present)
	}
	if got := f.objects(); !maps.Equal(got, want) {
		return fmt.Sprintf("it has %v, the server %v", got, want)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !maps.Equal(f.known, want) {
		return fmt.Sprintf("its handler knows %v, the server has %v", slices.Collect(maps.Keys(f.known)), want)
	}
	return ""
}

// followAll runs informers of package informer and of package clientgo, which sync without any of the types.
func followAll(
	ctx context.Context, t *testing.T, own *apiserver.Server, names []string, running *sync.WaitGroup,
) (all []*follower) {
	client := own.HTTPClient()
	t.Cleanup(client.CloseIdleConnections)
	conn := wire.Conn{Client: client, BaseURL: own.URL}.MayBeAbsent()
	config := restconfig.New(own.Endpoint)
	config.QPS = -1
	through, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(through.CloseIdleConnections)
	dynamics, err := dynamic.NewForConfigAndClient(config, through)
	if err != nil {
		t.Fatal(err)
	}
	discoverer, err := discovery.NewDiscoveryClientForConfigAndClient(config, through)
	if err != nil {
		t.Fatal(err)
	}
	prober, err := clientgo.Prober(discoverer)
	if err != nil {
		t.Fatal(err)
	}
	type object = metav1.PartialObjectMetadata
	synced, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	for _, name := range names {
		gvr := schema.GroupVersionResource{Group: optionalGroup, Version: "v1", Resource: name}
		native := informer.New(gvr, wire.Source[*object](conn, gvr), store.ForObjects[*object]())
		f := &follower{kind: "native", name: name, present: native.Present, known: map[string]string{}}
		f.objects = func() map[string]string {
			held := map[string]string{}
			for key, o := range natively(native) {
				held[key] = string(o.UID) + " " + o.ResourceVersion
			}
			return held
		}
		native.AddEventHandler(informer.HandlerFuncs[*object]{
			AddFunc:    func(o *object, _ bool) { f.note("add", o) },
			UpdateFunc: func(_, o *object) { f.note("update", o) },
			DeleteFunc: func(d informer.Tombstone[*object]) { f.note("delete", d.Object) },
		})
		running.Go(func() { _ = native.Run(ctx) })

		lw := clientgo.MayBeAbsent(clientgo.ListWatch(dynamics.Resource(gvr), nil), prober, gvr)
		shared := clientgo.NewSharedIndexInformer(lw, &unstructured.Unstructured{}, 0, nil)
		g := &follower{kind: "client-go", name: name, known: map[string]string{}}
		g.present = func() (bool, <-chan struct{}) { return clientgo.Present(shared) }
		g.objects = func() map[string]string {
			held := map[string]string{}
			for _, o := range shared.GetStore().List() {
				o := o.(metav1.Object)
				held[o.GetNamespace()+"/"+o.GetName()] = string(o.GetUID()) + " " + o.GetResourceVersion()
			}
			return held
		}
		if _, err := shared.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(o any) { g.note("add", o.(metav1.Object)) },
			UpdateFunc: func(_, o any) { g.note("update", o.(metav1.Object)) },
			DeleteFunc: func(o any) {
				if lost, ok := o.(cache.DeletedFinalStateUnknown); ok {
					o = lost.Obj
				}
				g.note("delete", o.(metav1.Object))
			},
		}); err != nil {
			t.Fatal(err)
		}
		running.Go(func() { shared.RunWithContext(ctx) })
		for _, one := range []*follower{f, g} {
			running.Go(func() { one.follow(ctx) })
		}
		if err := native.WaitForSync(synced); err != nil {
			t.Fatal(err)
		}
		if err := clientgo.WaitForSync(synced, shared); err != nil {
			t.Fatal(err)
		}
		all = append(all, f, g)
	}
	return all
}

func natively(i *informer.Informer[*metav1.PartialObjectMetadata]) map[string]*metav1.PartialObjectMetadata {
	held := map[string]*metav1.PartialObjectMetadata{}
	for o := range i.Store().Reader().All() {
		held[types.NamespacedName{Namespace: o.Namespace, Name: o.Name}.String()] = o
	}
	return held
}
