// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package prometheus

import (
	"bufio"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
)

// contentType is that of the text format.
const contentType = "text/plain; version=0.0.4; charset=utf-8"

// Handler answers each request with the metrics of set as they are then.
func Handler(set *metrics.Set) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		// Who has asked is gone if this fails.
		_ = Write(w, set.Collect())
	})
}

// Write writes samples in the text format. They must be ordered by metric, as Set.Collect
// returns them. The error is that of w.
func Write(w io.Writer, samples []metrics.Sample) error {
	t := text{Writer: bufio.NewWriter(w)}
	for i, s := range samples {
		if i == 0 || samples[i-1].Metric.Name != s.Metric.Name {
			t.head(s.Metric)
		}
		t.sample(s)
	}
	return t.Flush()
}

// text writes; the first error is kept, and told by Flush.
type text struct{ *bufio.Writer }

func (t text) write(parts ...string) {
	for _, part := range parts {
		_, _ = t.WriteString(part)
	}
}

var (
	typeNames = map[metrics.Kind]string{metrics.Counter: "counter", metrics.Gauge: "gauge", metrics.Histogram: "histogram"}

	helpEscapes  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

func (t text) head(m *metrics.Metric) {
	t.write("# HELP ", m.Name, " ", helpEscapes.Replace(m.Help), "\n")
	t.write("# TYPE ", m.Name, " ", typeNames[m.Kind], "\n")
}

func (t text) sample(s metrics.Sample) {
	if s.Metric.Kind != metrics.Histogram {
		t.line(s, "", "", number(s.Value))
		return
	}
	var upTo uint64
	for i, bound := range s.Distribution.Bounds() {
		if i < len(s.Distribution.Counts) {
			upTo += s.Distribution.Counts[i]
		}
		t.line(s, "_bucket", number(bound), strconv.FormatUint(upTo, 10))
	}
	all := strconv.FormatUint(s.Distribution.Count(), 10)
	t.line(s, "_bucket", "+Inf", all)
	t.line(s, "_sum", "", number(s.Distribution.Sum.Seconds()))
	t.line(s, "_count", "", all)
}

// line writes one value. le is the bound of a bucket, "" if it is none.
func (t text) line(s metrics.Sample, suffix, le, value string) {
	t.write(s.Metric.Name, suffix)
	separator := "{"
	for i, name := range s.Metric.Labels {
		t.write(separator, name, `="`, labelEscapes.Replace(s.Values[i]), `"`)
		separator = ","
	}
	if le != "" {
		t.write(separator, `le="`, le, `"`)
		separator = ","
	}
	if separator == "," {
		t.write("}")
	}
	t.write(" ", value, "\n")
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
