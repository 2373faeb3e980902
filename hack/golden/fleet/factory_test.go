// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"slices"
	"testing"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

func at(namespace, name, site string) *Device {
	return &Device{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       DeviceSpec{Site: site},
	}
}

// TestRelease has emitted informers stop with their last user.
func TestRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := runtimetest.NewServer[*Device]()
		informers := NewInformers(InformerSources{Devices: server.Source()})
		informers.Start(t.Context())
		defer informers.Shutdown()
		devices, release := informers.UseDevices()
		again, releaseAgain := informers.UseDevices()
		if devices != again {
			t.Error("two users do not share")
		}
		if err := informers.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		release()
		if err := devices.Lister().WaitFor(t.Context(), server.Set(at("ns", "a", "berlin"))); err != nil {
			t.Error(err)
		}
		releaseAgain()
		synctest.Wait()
		server.Set(at("ns", "b", "berlin"))
		synctest.Wait()
		if devices.Lister().Len() != 1 {
			t.Error("the informer goes on without users")
		}
		kept := informers.Devices()
		if kept == devices {
			t.Error("an informer that was released is given again")
		}
		other, release := informers.UseDevices()
		release()
		synctest.Wait()
		if rv := server.Set(at("ns", "c", "berlin")); other != kept ||
			kept.Lister().WaitFor(t.Context(), rv) != nil {
			t.Error("who keeps the informer has lost it")
		}
	})
}

// TestManySources reads namespaces of one server and a shard of another.
func TestManySources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		east, west := runtimetest.NewServer[*Device](), runtimetest.NewServer[*Device]()
		namespaces := source.NewNamespaces("a")
		first, err := shard.Of(0, 2)
		if err != nil {
			t.Fatal(err)
		}
		clusters := map[string]*Informers{}
		for name, sources := range map[string]InformerSources{
			"east": {Devices: source.ForEach(namespaces, east.In)},
			"west": {Devices: shard.Source[*Device](west.Source(), shard.NewSet(first))},
		} {
			informers := NewInformers(sources)
			informers.Devices()
			clusters[name] = informers
		}
		east.Set(at("a", "in", "berlin"))
		east.Set(at("a", "elsewhere", "lyon"))
		east.Set(at("b", "later", "berlin"))
		var wanted []string
		for _, name := range []string{"1", "2", "3", "4", "5", "6"} {
			d := at("b", name, "berlin")
			if west.Set(d); first.Contains(d) {
				wanted = append(wanted, "west/"+name)
			}
		}
		if n := len(wanted); n == 0 || n == 6 {
			t.Fatalf("the shard has %d of 6 devices, which is no test", n)
		}
		for _, informers := range clusters {
			informers.Start(t.Context())
			defer informers.Shutdown()
			if err := informers.WaitForSync(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		ask := func() (got []string) {
			for cluster, informers := range clusters {
				for d := range informers.Devices().Lister().BySite("berlin") {
					got = append(got, cluster+"/"+d.Name)
				}
			}
			slices.Sort(got)
			return got
		}
		if got, want := ask(), append([]string{"east/in"}, wanted...); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if err := namespaces.Replace(t.Context(), "b"); err != nil {
			t.Fatal(err)
		}
		if got, want := ask(), append([]string{"east/later"}, wanted...); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}
