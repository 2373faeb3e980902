// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package kubeconn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/wire"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// FromConfig returns a Conn with the address, TLS, credentials, impersonation, proxy, dialer,
// WrapTransport and UserAgent of config. It ignores Timeout, which would end watches. It also ignores
// QPS, Burst and RateLimiter, because lists and watches are few requests. Content types and the
// WarningHandler have no effect: package wire has its own content types and drops warnings.
func FromConfig(config *rest.Config) (wire.Conn, error) {
	config = rest.CopyConfig(config)
	config.Timeout = 0
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return wire.Conn{}, err
	}
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil && mayHoldCredentials(config.Host) {
		err = errors.New("the address of the server is neither a URL nor host:port (not shown, " +
			"because it may contain a password or token); escape special characters")
	}
	if err != nil {
		return wire.Conn{}, err
	}
	return wire.Conn{Client: client, BaseURL: base.String(), UserAgent: config.UserAgent}, nil
}

// Load returns a Conn to the cluster of the kubeconfig at path. If path is "", Load reads
// $KUBECONFIG, then ~/.kube/config, then the service account of the Pod. If none names a cluster, the
// error lists what is wrong with each.
func Load(path string) (wire.Conn, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = path
	rules.WarnIfAllMissing = false // klog would warn; the error has the same
	files := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil)
	config, err := files.ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return wire.Conn{}, noCluster(rules.GetLoadingPrecedence())
	}
	if err != nil {
		return wire.Conn{}, fmt.Errorf("no cluster to connect to: %w", hideProxy(files, err))
	}
	return FromConfig(config)
}

// mayHoldCredentials reports whether address may have user information, a query or a
// fragment. It need not be a URL.
func mayHoldCredentials(address string) bool { return strings.ContainsAny(address, "@?#") }

// hideProxy returns err, or an error without the proxy's address if err shows one that may contain
// credentials.
func hideProxy(files clientcmd.ClientConfig, err error) error {
	config, unread := files.RawConfig()
	if unread != nil {
		return err
	}
	text := err.Error()
	for name, cluster := range config.Clusters {
		proxy := cluster.ProxyURL
		shown := strings.Contains(text, strconv.Quote(proxy)) || strings.Contains(text, proxy)
		if shown && mayHoldCredentials(proxy) {
			return fmt.Errorf("invalid 'proxy-url' of cluster %q (not shown, because it may contain a password): "+
				"it must begin with http://, https:// or socks5://, and special characters must be escaped", name)
		}
	}
	return err
}

// noCluster returns the error if neither the kubeconfigs at paths nor the Pod name a cluster.
func noCluster(paths []string) error {
	var text strings.Builder
	for _, path := range paths {
		why := "names no cluster to use"
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			why = "does not exist"
		} else if err != nil {
			why = err.Error()
		}
		fmt.Fprintf(&text, "%s %s; ", path, why)
	}
	_, err := rest.InClusterConfig()
	return fmt.Errorf("no cluster to connect to: %sin a Pod: %w", text.String(), err)
}
