// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"bytes"
	"crypto/rand"
	"encoding/csv"
	"fmt"
	"strings"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/group"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/token/tokenfile"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

// administrator is the user whose token stands in the Endpoint of a server.
var administrator = apiserver.User{Name: "administrator", Groups: []string{user.SystemPrivilegedGroup}}

// accounts are the users of a server by their tokens, which last as long as it.
type accounts map[string]*user.DefaultInfo

// add adds a user and returns its token.
func (a accounts) add(u apiserver.User) string {
	token := rand.Text()
	a[token] = &user.DefaultInfo{Name: u.Name, UID: u.Name, Groups: u.Groups}
	return token
}

// authenticator authenticates requests in this process.
func (a accounts) authenticator() authenticator.Request {
	return group.NewAuthenticatedGroupAdder(bearertoken.New(tokenfile.New(a)))
}

// file returns the accounts as a token file of kube-apiserver.
func (a accounts) file() ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	for token, u := range a {
		if err := w.Write([]string{token, u.Name, u.UID, strings.Join(u.Groups, ",")}); err != nil {
			return nil, fmt.Errorf("encoding the token of user %s: %w", u.Name, err)
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}
