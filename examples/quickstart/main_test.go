// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/mutation"
)

func init() { mutation.Detect() } // writes to cached objects fail the tests

// TestRun runs the whole example and reads what it prints.
func TestRun(t *testing.T) { runs(t, false) }

func TestRunOnAPIServer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds an API server")
	}
	runs(t, true)
}

func runs(t *testing.T, onAPIServer bool) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // the server may have to be built
	defer cancel()
	var out bytes.Buffer
	if err := run(ctx, &out, onAPIServer); err != nil {
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
