// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package proxy

import (
	"encoding/json"
	"net/http"
)

// status has the fields of a Kubernetes Status that the proxy fills in.
type status struct {
	Kind       string   `json:"kind"`
	APIVersion string   `json:"apiVersion"`
	Metadata   struct{} `json:"metadata"`
	Status     string   `json:"status"`
	Message    string   `json:"message"`
	Reason     string   `json:"reason"`
	Code       int      `json:"code"`
}

// writeStatus answers as a Kubernetes API server does when it refuses.
func writeStatus(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	// A failure to write means that the client has gone.
	_ = json.NewEncoder(w).Encode(status{
		Kind: "Status", APIVersion: "v1", Status: "Failure",
		Message: message, Reason: reason, Code: code,
	})
}
