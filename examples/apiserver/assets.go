// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// assetsVariable names the directory in which envtest finds its commands.
const assetsVariable = "KUBEBUILDER_ASSETS"

// These are the version of k8s.io/kubernetes in kube/go.mod, with which the
// libraries in the go.mod of the examples belong. Commands know it only if the
// linker tells them.
const (
	kubernetesMajor   = "1"
	kubernetesMinor   = "37"
	kubernetesVersion = "v" + kubernetesMajor + "." + kubernetesMinor + ".2"

	versionVariable = " -X k8s.io/component-base/version.git"
	linkerFlags     = "-ldflags=-s -w" +
		versionVariable + "Version=" + kubernetesVersion +
		versionVariable + "Major=" + kubernetesMajor +
		versionVariable + "Minor=" + kubernetesMinor
)

const kubeAPIServerName = "kube-apiserver"

var (
	kubeAPIServer = command{kubeAPIServerName, "k8s.io/kubernetes/cmd/kube-apiserver"}
	etcd          = command{"etcd", "go.etcd.io/etcd/server/v3"}
	kubectl       = command{"kubectl", "k8s.io/kubernetes/cmd/kubectl"}
)

// kubeRecipe builds commands by the go.mod in the directory kube.
func kubeRecipe(title string, commands ...command) recipe {
	return recipe{
		title:    title,
		duration: "about ten minutes",
		module:   "apiserver/kube",
		output:   "kube",
		flags:    []string{linkerFlags},
		commands: commands,
	}
}

// BuildAssets builds kube-apiserver, etcd and kubectl, unless they are built,
// and returns the directory that they are in. The envtest package of
// controller-runtime runs them if KUBEBUILDER_ASSETS names that directory. The
// first build takes about ten minutes; progress receives lines for a
// person to read, and nil discards them.
func BuildAssets(ctx context.Context, progress io.Writer) (dir string, err error) {
	b, err := build(ctx, progress, kubeRecipe("kube-apiserver, etcd and kubectl", etcd, kubeAPIServer, kubectl))
	if err != nil {
		return "", err
	}
	b.release()
	return b.dir, nil
}

// findKubeAPIServer returns the path of kube-apiserver. No process replaces the
// file until release is called.
func findKubeAPIServer(ctx context.Context, progress io.Writer) (path string, release func(), err error) {
	if dir := os.Getenv(assetsVariable); dir != "" {
		path := filepath.Join(dir, executable(kubeAPIServerName))
		if _, err := os.Stat(path); err != nil {
			return "", nil, fmt.Errorf("%s names a directory without kube-apiserver: %w: "+
				"unset it to have one built", assetsVariable, err)
		}
		return path, func() {}, nil
	}
	b, err := build(ctx, progress, kubeRecipe("kube-apiserver", kubeAPIServer))
	if err != nil {
		return "", nil, err
	}
	return b.path(kubeAPIServerName), b.release, nil
}
