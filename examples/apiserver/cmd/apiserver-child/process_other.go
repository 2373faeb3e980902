// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !unix && !race

package main

import "syscall"

func processAttributes() *syscall.SysProcAttr { return nil }
