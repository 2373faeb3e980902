// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"

	"github.com/spf13/pflag"
	"go.opentelemetry.io/otel/trace/noop"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	"k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	utilopenapi "k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/selfsigned"
)

// serverOptions are the options of an API server that stands alone. It
// authenticates and authorizes clients itself, has no admission plug-ins (all of
// them need built-in types) and listens on l.
func serverOptions(etcd string, flags []string, l net.Listener, pair selfsigned.Pair) (*options.CustomResourceDefinitionsServerOptions, error) {
	o := options.NewCustomResourceDefinitionsServerOptions(io.Discard, io.Discard)
	r := o.RecommendedOptions
	r.Etcd.StorageConfig.Transport.ServerList = []string{etcd}
	r.Authentication = nil
	r.Authorization = nil
	r.Admission = nil
	r.CoreAPI = nil
	r.Features.EnablePriorityAndFairness = false
	// With a period, watches end as soon as the server stops. Without, the server
	// waits a minute for their clients.
	o.ServerRunOptions.ShutdownWatchTerminationGracePeriod = stopGrace

	// Flags come after our own choices, and before what belongs to this run.
	fs := pflag.NewFlagSet("apiserver", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o.AddFlags(fs)
	if err := fs.Parse(flags); err != nil {
		return nil, fmt.Errorf("flags of the API server %q: %w", flags, err)
	}
	if err := o.ServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return nil, fmt.Errorf("feature gates of the API server %q: %w", flags, err)
	}

	var err error
	r.SecureServing.Listener = l
	r.SecureServing.BindAddress = net.IPv4(127, 0, 0, 1)
	r.SecureServing.BindPort = l.Addr().(*net.TCPAddr).Port
	r.SecureServing.ServerCert.GeneratedCert, err = dynamiccertificates.NewStaticCertKeyContent("loopback", pair.Certificate, pair.Key)
	if err != nil {
		return nil, fmt.Errorf("loading the certificate of the API server: %w", err)
	}
	if err := o.Complete(); err != nil {
		return nil, fmt.Errorf("completing the options of the API server: %w", err)
	}
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("options of the API server: %w", err)
	}
	return o, nil
}

// newServer makes an API server that is not running. Config of the options
// would insist on a core API to talk to, so its parts are put together here.
func newServer(o *options.CustomResourceDefinitionsServerOptions, users accounts) (*genericapiserver.GenericAPIServer, error) {
	generic := genericapiserver.NewRecommendedConfig(apiserver.Codecs)
	if err := errors.Join(
		o.ServerRunOptions.ApplyTo(&generic.Config),
		o.RecommendedOptions.ApplyTo(generic),
		o.APIEnablement.ApplyTo(&generic.Config, apiserver.DefaultAPIResourceConfigSource(), apiserver.Scheme),
	); err != nil {
		return nil, fmt.Errorf("configuring the API server: %w", err)
	}
	generic.Authentication.Authenticator = users.authenticator()
	generic.Authorization.Authorizer = authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup)
	// Without version 2, the server publishes no schemas of custom resources in
	// version 3 either.
	definitions := utilopenapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(openapi.GetOpenAPIDefinitions)
	names := openapinamer.NewDefinitionNamer(apiserver.Scheme, scheme.Scheme)
	generic.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(definitions, names)
	generic.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(definitions, names)

	config := &apiserver.Config{
		GenericConfig: generic,
		ExtraConfig: apiserver.ExtraConfig{
			CRDRESTOptionsGetter: options.NewCRDRESTOptionsGetter(*o.RecommendedOptions.Etcd, generic.ResourceTransformers, generic.StorageObjectCountTracker),
			ServiceResolver:      noServices{},
			AuthResolverWrapper:  webhook.NewDefaultAuthenticationInfoResolverWrapper(nil, nil, generic.LoopbackClientConfig, noop.NewTracerProvider()),
		},
	}
	server, err := config.Complete().New(genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, fmt.Errorf("making the API server: %w", err)
	}
	serveDiscovery(server.GenericAPIServer)
	return server.GenericAPIServer, nil
}

// noServices resolves no service, as the server knows none.
type noServices struct{}

func (noServices) ResolveEndpoint(namespace, name string, _ int32) (*url.URL, error) {
	return nil, fmt.Errorf("service %s/%s: the example API server has no services: give the webhook a URL", namespace, name)
}
