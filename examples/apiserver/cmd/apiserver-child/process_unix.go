// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix && !linux && !race

package main

import "syscall"

func processAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
