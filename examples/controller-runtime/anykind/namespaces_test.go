// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package anykind

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/prometheus"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// jobServer answers lists of Jobs by path. Its watches send nothing.
type jobServer map[string]JobList

// RoundTrip implements http.RoundTripper.
func (s jobServer) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Request: r}
	if r.URL.Query().Has("watch") {
		body, writer := io.Pipe()
		context.AfterFunc(r.Context(), func() { _ = writer.CloseWithError(r.Context().Err()) })
		answer.Body = body
		return answer, nil
	}
	text, err := json.Marshal(s[r.URL.Path])
	answer.Body = io.NopCloser(bytes.NewReader(text))
	return answer, err
}

func keys(jobs iter.Seq[*Job]) string {
	var out []string
	for j := range jobs {
		out = append(out, j.Namespace+"/"+j.Name)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// TestCacheOfNamespaces reads the cache of a manager that watches two namespaces. Emitted informers run beside it, and
// one registry has the metrics of both.
func TestCacheOfNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		version := JobsResource.GroupVersion()
		server, beside := jobServer{}, runtimetest.NewServer[*Job]()
		for _, namespace := range []string{"a", "b", "c"} {
			list := JobList{
				TypeMeta: metav1.TypeMeta{APIVersion: version.String(), Kind: "JobList"},
				ListMeta: metav1.ListMeta{ResourceVersion: "1"},
			}
			for name, phase := range map[string]string{"done": "Succeeded", "running": "Running"} {
				j := job(name, phase)
				j.Namespace = namespace
				list.Items = append(list.Items, *j)
				beside.Set(j)
			}
			server["/apis/"+version.String()+"/namespaces/"+namespace+"/jobs"] = list
		}
		scheme, mapper := runtime.NewScheme(), meta.NewDefaultRESTMapper(nil)
		scheme.AddKnownTypes(version, &Job{}, &JobList{})
		metav1.AddToGroupVersion(scheme, version)
		mapper.Add(version.WithKind("Job"), meta.RESTScopeNamespace)
		c, err := ctrlruntime.NewCache(&rest.Config{Host: "http://server"}, cache.Options{
			HTTPClient: &http.Client{Transport: server}, Scheme: scheme, Mapper: mapper,
			DefaultNamespaces: map[string]cache.Config{"a": {}, "b": {}}, DefaultEnableWatchBookmarks: new(false),
		})
		if err != nil {
			t.Fatal(err)
		}
		s, err := ctrlruntime.StoreOf[*Job](t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		jobs, informers := NewJobLister(s), NewInformers(InformerSources{Jobs: beside.Source()})
		informers.Jobs()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = c.Start(ctx) }()
		informers.Start(ctx)
		synctest.Wait()

		for _, test := range []struct {
			query string
			got   iter.Seq[*Job]
			want  string
		}{
			{"a state", jobs.Unfinished(), "a/running b/running"},
			{"a namespace", jobs.Namespace("b").All(), "b/done b/running"},
			{"several values", jobs.ByOwner("", "Running"), "a/running b/running"},
			{"a reference in a", jobs.ByTarget(deployment, types.NamespacedName{Namespace: "a", Name: "web"}), "a/done a/running"},
			{"a reference in c", jobs.ByTarget(deployment, types.NamespacedName{Namespace: "c", Name: "web"}), ""},
		} {
			if got := keys(test.got); got != test.want {
				t.Errorf("%s: %s; want %s", test.query, got, test.want)
			}
		}

		metrics.Registry.MustRegister(
			prometheus.NewCollector(ctrlruntime.Stats(c)), prometheus.NewCollector(informers.Stats))
		families, err := metrics.Registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		objects := map[string]float64{}
		for _, f := range families {
			if f.GetName() != "indexergen_informer_objects" {
				continue
			}
			for _, m := range f.Metric {
				for _, l := range m.Label {
					if l.GetName() == "informer" {
						objects[l.GetValue()] = m.GetGauge().GetValue()
					}
				}
			}
		}
		if len(objects) != 2 || objects["structured"] != 4 || objects[""] != 6 {
			t.Errorf("objects by informer: %v", objects)
		}
	})
}
