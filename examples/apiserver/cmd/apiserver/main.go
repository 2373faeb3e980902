// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command apiserver runs a real Kubernetes API server on loopback until it is
// interrupted. It applies the custom resource definitions in the files and
// directories that it is given, and writes a kubeconfig for kubectl and other
// clients:
//
//	go run ./apiserver/cmd/apiserver quickstart/config/crd
//	go run ./apiserver/cmd/apiserver -kubernetes quickstart/config/crd
//
// Without -kubernetes it serves custom resources only, which builds faster. See
// package apiserver for what each server can do.
//
// With -assets it builds kube-apiserver, etcd and kubectl, prints the directory
// that they are in, and exits. The envtest package of controller-runtime runs
// them:
//
//	export KUBEBUILDER_ASSETS=$(go run ./apiserver/cmd/apiserver -assets)
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
}

// run is main with its surroundings as arguments. It returns nil when ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	fs := flag.NewFlagSet("apiserver", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, "Usage: apiserver [flags] [files and directories of CRDs]")
		fs.PrintDefaults()
	}
	kubernetes := fs.Bool("kubernetes", false, "run a whole kube-apiserver, with built-in types and RBAC")
	kubeconfig := fs.String("kubeconfig", "kubeconfig", "`file` to write, which is removed in the end")
	assets := fs.Bool("assets", false, "build kube-apiserver, etcd and kubectl, print their directory, and exit")
	verbose := fs.Bool("v", false, "print the logs of etcd and the API server, which report errors when they are stopped")
	if err := fs.Parse(args); err != nil {
		return err
	}
	for _, path := range fs.Args() {
		if strings.HasPrefix(path, "-") {
			return fmt.Errorf("%s comes after a path; put flags before paths", path)
		}
	}
	if *assets && (*kubernetes || fs.NArg() > 0) {
		return errors.New("-assets only builds; leave out -kubernetes and paths")
	}
	if *assets {
		dir, err := apiserver.BuildAssets(ctx, stderr)
		if err == nil {
			_, err = fmt.Fprintln(stdout, dir)
		}
		return err
	}

	options := apiserver.Options{Kubernetes: *kubernetes, CRDs: fs.Args(), Progress: stderr}
	if *verbose {
		options.Log = stderr
	}
	// The file is for this server alone: never overwrite that of a cluster.
	path, err := filepath.Abs(*kubeconfig)
	if err != nil {
		return fmt.Errorf("locating the kubeconfig: %w", err)
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("the kubeconfig %s exists; remove it, or choose another file with -kubeconfig", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".kubeconfig-")
	if err != nil {
		return fmt.Errorf("writing the kubeconfig: %w; choose another file with -kubeconfig", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	server, err := apiserver.Start(ctx, options)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	_, err = f.Write(server.Kubeconfig())
	if err == nil {
		err = os.Link(f.Name(), path) // complete, and never over another file
	}
	if err != nil {
		return fmt.Errorf("writing the kubeconfig: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(path)) }()
	if err := explain(stdout, server, path, *kubernetes); err != nil {
		return err
	}
	<-server.Done() // it ends with ctx
	return nil
}

// explain says what to do next.
func explain(w io.Writer, server *apiserver.Server, kubeconfig string, kubernetes bool) error {
	what := "An API server for custom resources"
	try := "kubectl get crds"
	if kubernetes {
		what = "A kube-apiserver without controllers"
		try = "kubectl get namespaces"
	}
	_, err := fmt.Fprintf(w, `%s runs at %s

In another terminal:
	export KUBECONFIG=%s
	kubectl api-resources
	%s

Without TLS, to look at the wire: curl -H "Authorization: Bearer %s" %s/apis
Press Ctrl-C to stop it. Its data go with it.
`, what, server.URL, kubeconfig, try, server.Token, server.PlainURL)
	return err
}
