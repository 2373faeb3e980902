// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/discovery/aggregated"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

// serveDiscovery serves the list of API groups at /apis. In a cluster the
// aggregator serves it, which we do not have.
func serveDiscovery(server *genericapiserver.GenericAPIServer) {
	groups := server.AggregatedDiscoveryGroupManager
	list := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { writeGroups(w, r, groups) })
	service := aggregated.WrapAggregatedDiscoveryToHandler(list, groups, nil).GenerateWebService("/apis", metav1.APIGroupList{})
	server.Handler.GoRestfulContainer.Add(service)
}

// writeGroups answers clients without aggregated discovery.
func writeGroups(w http.ResponseWriter, r *http.Request, groups http.Handler) {
	r = r.Clone(r.Context())
	r.Header = http.Header{"Accept": {"application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"}}
	answer := buffer{header: http.Header{}}
	groups.ServeHTTP(&answer, r)
	var discovered apidiscovery.APIGroupDiscoveryList
	if err := json.Unmarshal(answer.body.Bytes(), &discovered); err != nil {
		http.Error(w, fmt.Sprintf("listing API groups: %v", err), http.StatusInternalServerError)
		return
	}
	list := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: []metav1.APIGroup{}}
	for _, d := range discovered.Items {
		group := metav1.APIGroup{Name: d.Name}
		for _, v := range d.Versions {
			version := schema.GroupVersion{Group: d.Name, Version: v.Version}
			group.Versions = append(group.Versions,
				metav1.GroupVersionForDiscovery{GroupVersion: version.String(), Version: v.Version})
		}
		if len(group.Versions) > 0 {
			group.PreferredVersion = group.Versions[0] // the manager sorts them
			list.Groups = append(list.Groups, group)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	// A failure to write means that the client has gone.
	_ = json.NewEncoder(w).Encode(list)
}

// buffer keeps a response.
type buffer struct {
	header http.Header
	body   bytes.Buffer
}

func (b *buffer) Header() http.Header         { return b.header }
func (b *buffer) Write(p []byte) (int, error) { return b.body.Write(p) }
func (b *buffer) WriteHeader(int)             {}
