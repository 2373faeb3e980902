// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package absence installs and removes types of an API server at random, restarts the server and cuts its
// connections, under informers that began when there were none. After each round it waits until every [Informer]
// agrees with the server. Tests of package e2e run it over informers of package informer and of package clientgo,
// and tests of a manager over its cache.
package absence
