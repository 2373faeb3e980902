// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package page

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

// Handler returns a handler that shows the statistics that read returns, such as the Stats method of a factory.
// It answers with JSON if the request accepts application/json or has the query format=json. It only reads. A
// request visits every value of every index, so do not let a program ask once a second.
//
// It is safe for concurrent use if read is.
func Handler(read func() []informer.Stats) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the page is read-only", http.StatusMethodNotAllowed)
			return
		}
		views := []view{}
		for _, stats := range read() {
			views = append(views, viewOf(&stats))
		}
		kind, body, err := render(views, r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(body)
	})
}

func render(views []view, r *http.Request) (kind string, body []byte, err error) {
	if r.FormValue("format") == "json" || strings.Contains(r.Header.Get("Accept"), "application/json") {
		body, err = json.MarshalIndent(views, "", "  ")
		return "application/json", body, err
	}
	var out bytes.Buffer
	err = html.Execute(&out, views)
	return "text/html; charset=utf-8", out.Bytes(), err
}

//go:embed page.html
var text string

var html = template.Must(template.New("page").Parse(text))
