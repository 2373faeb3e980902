// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// User is a client that the server knows by a token of its own.
type User struct {
	// Name is the user name, as RBAC subjects and error messages have it.
	Name string
	// Groups are the user's groups. The server adds system:authenticated.
	Groups []string
}

// As returns the endpoint with the token of a user of [Options.Users].
func (e Endpoint) As(user string) (Endpoint, error) {
	token, ok := e.Tokens[user]
	if !ok {
		return Endpoint{}, fmt.Errorf("the example API server has no user %q, only %s: add it to Users", user,
			strings.Join(slices.Sorted(maps.Keys(e.Tokens)), ", "))
	}
	e.Token = token
	return e, nil
}
