// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package metrics_test

import (
	"fmt"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
)

// A Timing counts durations; its Distribution answers queries.
func ExampleTiming() {
	var timing metrics.Timing
	for _, ms := range []time.Duration{1, 2, 6} {
		timing.Observe(ms * time.Millisecond)
	}
	d := timing.Distribution()
	fmt.Println(d.Count(), d.Sum)
	// Output: 3 9ms
}
