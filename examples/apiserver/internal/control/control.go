// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package control is the protocol between the example API server in a child
// process and the parent that started it: JSON-RPC on the standard input and
// output of the child. The end of its input tells the child that the parent has
// gone, however it went.
package control

import "io"

// Service is the name under which the child registers its methods.
const Service = "Control"

// Methods of the child, with what they take and what they return.
const (
	Start             = Service + ".Start"             // StartArgs, StartReply
	StopServer        = Service + ".StopServer"        // None, None
	StartServer       = Service + ".StartServer"       // None, None
	RestartServer     = Service + ".RestartServer"     // None, None
	SaveData          = Service + ".SaveData"          // None, None
	RestoreData       = Service + ".RestoreData"       // None, None
	CutConnections    = Service + ".CutConnections"    // None, int
	RefuseConnections = Service + ".RefuseConnections" // bool, None
	CompactData       = Service + ".CompactData"       // None, None
	Inflict           = Service + ".Inflict"           // InflictArgs, None
)

// None is an argument or a reply without content.
type None struct{}

// StartArgs say how to start the server.
type StartArgs struct {
	Dir           string   // directory for its data
	Flags         []string // flags of the API server
	Users         []User   // beside the administrator
	KubeAPIServer string   // path of kube-apiserver; empty for custom resources only
}

// User is a user of the server.
type User struct {
	Name   string
	Groups []string
}

// StartReply says where clients find the server.
type StartReply struct {
	URL      string
	PlainURL string
	Token    string
	CA       []byte
	Tokens   map[string]string
}

// InflictArgs say which fault which clients suffer from.
type InflictArgs struct {
	Kind       string
	URL        string
	Renew      bool
	UserAgents []string
}

// Stream joins the two halves of a connection.
type Stream struct {
	In  io.Reader
	Out io.WriteCloser
}

// Read reads from the incoming half.
func (s Stream) Read(p []byte) (int, error) { return s.In.Read(p) }

// Write writes to the outgoing half.
func (s Stream) Write(p []byte) (int, error) { return s.Out.Write(p) }

// Close closes the outgoing half; the other side answers by closing the
// incoming one.
func (s Stream) Close() error { return s.Out.Close() }
