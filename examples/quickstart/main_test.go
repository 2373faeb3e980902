// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/mutation"
)

func init() { mutation.Detect() } // writes to cached objects fail the tests

// TestRun runs the whole example and reads what it prints.
func TestRun(t *testing.T) { runs(t, options{}) }

// With -page it runs until it is interrupted. The page has the final numbers then.
func TestPage(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, out, options{page: true})
		ended <- errors.Join(err, out.Close())
	}()
	var address string
	lines := bufio.NewScanner(r)
	for lines.Scan() && !strings.HasSuffix(roads, "\n"+lines.Text()+"\n") { // up to the last line
		if found := regexp.MustCompile(`http://\S+`).FindString(lines.Text()); found != "" {
			address = found
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	for _, want := range []string{"275 objects", "<td>counts<td>synced"} {
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%v: it lacks %s:\n%s", err, want, body)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestRunOnAPIServer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds an API server")
	}
	runs(t, options{onAPIServer: true})
}

func runs(t *testing.T, o options) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // the server may have to be built
	defer cancel()
	var out bytes.Buffer
	if err := run(ctx, &out, o); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	got := regexp.MustCompile(` +`).ReplaceAllString(out.String(), " ")
	for _, want := range []string{
		"devices.Len() 300 275\n",
		"devices.BySite(\"berlin\") 100 93\n",
		"devices.ByPhase(v1alpha1.DeviceOffline) 0 40\n",
		"devices.BySitePhase(\"berlin\", v1alpha1.DeviceOffline) 0 14\n",
		"devices.ByCapability(v1alpha1.Lidar) 60 55\n",
		"devices.ByFirmware(\"1.4.2\") 100 92\n",
		"devices.Namespace(\"team-a\").All() 150 137\n",
		"then devices.ByOwner(site.UID) 200 183\n",
		"300 devices added, 60 updated, 25 deleted\n",
		roads[:strings.Index(roads, "\n")],
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if t.Failed() {
		t.Logf("it says:\n%s", out.Bytes())
	}
}
