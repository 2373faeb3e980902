// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"context"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/watchlist"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// podClient is a typed client that records the selectors of its requests.
type podClient struct{ selectors []string }

func (c *podClient) List(_ context.Context, opts metav1.ListOptions) (*corev1.PodList, error) {
	c.selectors = append(c.selectors, "list "+opts.LabelSelector)
	return &corev1.PodList{}, nil
}

func (c *podClient) Watch(_ context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	c.selectors = append(c.selectors, "watch "+opts.LabelSelector)
	return watch.NewEmptyWatch(), nil
}

// fakePodClient has the method by which the fake clients of client-gen are known.
type fakePodClient struct{ podClient }

func (*fakePodClient) ClearActions() {}

func TestListWatch(t *testing.T) {
	for tweaked, selector := range map[bool]string{false: "", true: "app=web"} {
		var tweak func(*metav1.ListOptions)
		if tweaked {
			tweak = func(opts *metav1.ListOptions) { opts.LabelSelector = "app=web" }
		}
		client := &podClient{}
		lw := cache.ToListerWatcherWithContext(clientgo.ListWatch(client, tweak))
		_, listed := lw.ListWithContext(t.Context(), metav1.ListOptions{})
		_, watched := lw.WatchWithContext(t.Context(), metav1.ListOptions{})
		noError(t, listed, watched)
		if want := []string{"list " + selector, "watch " + selector}; !slices.Equal(client.selectors, want) {
			t.Errorf("requests %q, want %q", client.selectors, want)
		}
	}
	if watchlist.DoesClientNotSupportWatchListSemantics(clientgo.ListWatch(&podClient{}, nil)) {
		t.Error("a client is taken for a fake")
	}
	if !watchlist.DoesClientNotSupportWatchListSemantics(clientgo.ListWatch(&fakePodClient{}, nil)) {
		t.Error("a fake client is not recognized")
	}
}
