// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/gentype"
	"k8s.io/client-go/rest"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// clients makes the clients of one informer. They share no connection with those
// of others.
type clients struct {
	endpoint apiserver.Endpoint
	agent    string  // the User-Agent
	qps      float32 // of client-go: 0 is its default, negative is no limit
	meter    *meter
	made     []*http.Client
}

// clientOptions say how a client of package wire talks.
type clientOptions struct {
	plain bool // HTTP/1.1 without TLS, rather than HTTP/2
	gzip  bool // accepts compressed answers
}

// conn returns a connection for package wire.
func (c *clients) conn(o clientOptions) wire.Conn {
	url := c.endpoint.URL
	if o.plain {
		url = c.endpoint.PlainURL
	}
	transport := &http.Transport{
		TLSClientConfig: c.endpoint.TLSConfig(), ForceAttemptHTTP2: true, DisableCompression: !o.gzip,
	}
	client := &http.Client{Transport: authorized{c.endpoint.Token, c.meter.transport(transport)}}
	c.made = append(c.made, client)
	return wire.Conn{Client: client, BaseURL: url, UserAgent: c.agent}
}

// rest returns client-go's configuration in its defaults but for qps, and its HTTP
// client.
func (c *clients) rest() (*rest.Config, *http.Client, error) {
	config := restconfig.New(c.endpoint)
	config.QPS = c.qps
	config.UserAgent = c.agent
	config.WrapTransport = c.meter.transport
	config.Dial = new(net.Dialer).DialContext // without a dialer of its own, it shares connections with others
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, nil, err
	}
	c.made = append(c.made, client)
	return config, client, nil
}

// deviceClient is a client of devices as client-gen writes it.
type deviceClient = *gentype.ClientWithList[*fleet.Device, *fleet.DeviceList]

// typed returns a client of the devices in a namespace, or of all if it is "".
func (c *clients) typed(namespace string) (deviceClient, error) {
	scheme := runtime.NewScheme()
	if err := fleet.AddToScheme(scheme); err != nil {
		return nil, err
	}
	config, httpClient, err := c.rest()
	if err != nil {
		return nil, err
	}
	config.GroupVersion = &fleet.GroupVersion
	config.APIPath = "/apis"
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.RESTClientForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, err
	}
	return gentype.NewClientWithList("devices", client, runtime.NewParameterCodec(scheme), namespace,
		func() *fleet.Device { return &fleet.Device{} },
		func() *fleet.DeviceList { return &fleet.DeviceList{} }), nil
}

// closeIdle closes the connections that no request uses.
func (c *clients) closeIdle() {
	for _, client := range c.made {
		client.CloseIdleConnections()
	}
}

// authorized adds a bearer token to requests, wherever they go.
type authorized struct {
	token string
	next  http.RoundTripper
}

func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+a.token)
	return a.next.RoundTrip(r)
}

// CloseIdleConnections is what http.Client.CloseIdleConnections calls.
func (a authorized) CloseIdleConnections() {
	a.next.(interface{ CloseIdleConnections() }).CloseIdleConnections()
}
