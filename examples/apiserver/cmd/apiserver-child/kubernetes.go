// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/loopback"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/tail"
)

// startKubernetes starts kube-apiserver in a process of its own.
func (s *apiServer) startKubernetes(context.Context) (*backend, error) {
	dir := filepath.Join(s.dir, "kube-apiserver")
	if err := s.writeIdentity(dir); err != nil {
		return nil, fmt.Errorf("writing the files of kube-apiserver: %w", err)
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(s.kubeAPIServer, append(kubernetesFlags(dir, s.database.url, address.Port), s.flags...)...)
	log := &tail.Writer{Next: os.Stderr}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.WaitDelay = time.Second
	wait, err := startProcess(cmd)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", s.kubeAPIServer, err)
	}
	b := &backend{
		token: s.Token,
		// An error of either means that the process has ended, or that this
		// system has no such signal; then kill does it.
		end:  func() { _ = cmd.Process.Signal(syscall.SIGTERM) },
		kill: func() { _ = cmd.Process.Kill() },
		done: make(chan struct{}),
	}
	b.connect(address.String(), s.identity.Certificate)
	go func() {
		defer close(b.done)
		b.err = fmt.Errorf("%w%s", ended(wait()), log.Last())
	}()
	return b, nil
}

func ended(err error) error {
	if err == nil {
		err = errors.New("exit status 0")
	}
	return fmt.Errorf("kube-apiserver has ended: %w", err)
}

// kubernetesFlags returns the flags of a kube-apiserver that stands alone. No
// controller makes ServiceAccounts and tokens for Pods, so their admission
// plug-in would refuse every Pod.
func kubernetesFlags(dir, etcd string, port int) []string {
	return []string{
		"--etcd-servers=" + etcd,
		"--cert-dir=" + dir,
		"--tls-cert-file=" + filepath.Join(dir, certificateFile),
		"--tls-private-key-file=" + filepath.Join(dir, keyFile),
		"--bind-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(port),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + filepath.Join(dir, certificateFile),
		"--service-account-signing-key-file=" + filepath.Join(dir, keyFile),
		"--service-cluster-ip-range=10.0.0.0/24",
		"--endpoint-reconciler-type=none", // it refuses loopback addresses
		"--authorization-mode=RBAC",
		"--token-auth-file=" + filepath.Join(dir, tokenFile),
		"--disable-admission-plugins=ServiceAccount",
		"--allow-privileged",
		"--shutdown-watch-termination-grace-period=" + stopGrace.String(),
	}
}

const (
	certificateFile = "tls.crt"
	keyFile         = "tls.key"
	tokenFile       = "tokens.csv"
)

// writeIdentity writes the certificate, the key and the tokens of the server.
func (s *apiServer) writeIdentity(dir string) error {
	tokens, err := s.accounts.file()
	if err != nil {
		return err
	}
	write := func(name string, data []byte) error { return os.WriteFile(filepath.Join(dir, name), data, 0o600) }
	return errors.Join(
		os.MkdirAll(dir, 0o700),
		write(certificateFile, s.identity.Certificate),
		write(keyFile, s.identity.Key),
		write(tokenFile, tokens),
	)
}

// freeAddress returns an unused address. kube-apiserver does not accept a
// listener.
func freeAddress() (*net.TCPAddr, error) {
	l, err := loopback.Listen()
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr), nil
}
