// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package kubeconn_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	// serviceAccount is where a Pod finds its credentials.
	serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount"
	caInPod        = "KUBECONN_TEST_CA"
	notPermitted   = 77
)

// TestInCluster runs this program again like in a Pod: with the address of the server in its environment
// and the credentials at their usual path, in a private file system.
func TestInCluster(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer of the pod" {
			t.Errorf("Authorization is %q", got)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"items":[]}`))
	}))
	defer server.Close()
	host, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pod := exec.CommandContext(t.Context(), program)
	pod.Env = []string{role + "=pod", "KUBERNETES_SERVICE_HOST=" + host, "KUBERNETES_SERVICE_PORT=" + port, caInPod + "=" + string(caOf(server)), "HOME=/nobody"}
	pod.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	var said bytes.Buffer
	pod.Stdout, pod.Stderr = &said, &said
	err = pod.Run()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENOSPC), errors.As(err, &exit) && exit.ExitCode() == notPermitted:
		t.Skipf("this machine does not let a test have a file system of its own: %v %s", err, said.Bytes())
	case err != nil:
		t.Errorf("%v: %s", err, said.Bytes())
	}
}

// inPod is what runs in the Pod.
func inPod() int {
	for _, err := range []error{
		syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, ""),
		syscall.Mount("tmpfs", "/var/run/", "tmpfs", 0, ""),
		os.MkdirAll(serviceAccount, 0o700),
	} {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return notPermitted
		}
	}
	err := errors.Join(
		os.WriteFile(filepath.Join(serviceAccount, "ca.crt"), []byte(os.Getenv(caInPod)), 0o600),
		os.WriteFile(filepath.Join(serviceAccount, "token"), []byte("of the pod"), 0o600),
	)
	if err == nil {
		err = listInPod()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func listInPod() error {
	conn, err := kubeconn.Load("")
	if err != nil {
		return err
	}
	src := wire.Source[*unstructured.Unstructured](conn, gadgets)
	_, err = src.List(context.Background(), metav1.ListOptions{}, func(source.Delta[*unstructured.Unstructured], error) error { return nil })
	return err
}
