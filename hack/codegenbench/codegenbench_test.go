// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The packages are those for which client-go has clients.
func TestClients(t *testing.T) {
	api, err := goCommand(".", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api")
	if err != nil {
		t.Fatal(err)
	}
	found, err := clients(api)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 56 {
		t.Errorf("%d packages have clients: %v", len(found), found)
	}
}

func TestTable(t *testing.T) {
	second := time.Second
	var out bytes.Buffer
	table(&out, []row{
		{
			"theirs",
			median(
				[]cost{
					{9 * second, 8 * second, 600 << 20},
					{10 * second, 7 * second, 500 << 20},
					{90 * second, 9 * second, 700 << 20},
				},
			),
		},
		{"ours", cost{wall: second, cpu: 2 * second, memory: 150 << 20}},
	})
	const want = "" +
		"                                      wall   ratio       CPU   ratio    memory   ratio\n" +
		"theirs                             10.00 s    1.00    8.00 s    1.00   600 MiB    1.00\n" +
		"ours                                1.00 s    0.10    2.00 s    0.25   150 MiB    0.25\n"
	if out.String() != want {
		t.Errorf("table:\n%s\nwant:\n%s", out.String(), want)
	}
}

func TestPromised(t *testing.T) {
	second := time.Second
	base := row{"theirs", cost{wall: 9 * second, cpu: 8 * second, memory: 3 << 30}}
	for _, c := range []struct {
		cost cost
		want string
	}{
		{cost{wall: 9 * second, cpu: 2 * second, memory: 1<<30 - 1}, ""},
		{cost{cpu: 2*second + 1}, "ours: CPU 2.00 s is more than a quarter of 8.00 s"},
		{cost{memory: 1 << 30}, "ours: 1024 MiB of memory are not less than 1 GiB"},
	} {
		got := ""
		if err := promised([]row{base, {"ours", c.cost}}); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("of %+v it is said: %q, want %q", c.cost, got, c.want)
		}
	}
}

// A file that is written again is noticed, also if its content is the same.
func TestUnchanged(t *testing.T) {
	s := &scratch{dir: t.TempDir()}
	name := filepath.Join(s.dir, "ours", "v1", "file.go")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	before, err := s.written()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.unchanged(before); err != nil {
		t.Error(err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(name, later, later); err != nil {
		t.Fatal(err)
	}
	if err := s.unchanged(before); err == nil {
		t.Error("a file that was written again was not noticed")
	}
}
