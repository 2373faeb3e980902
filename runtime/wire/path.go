// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
)

// parsePath reads a path such as .spec.containers[*].env or .data['a.b'].
func parsePath(path string) ([]decode.Step, error) {
	var steps []decode.Step
	rest := path
	for rest != "" {
		var step decode.Step
		ok := false
		switch {
		case rest[0] == '.':
			end := strings.IndexAny(rest[1:], ".['\"]* ") + 1
			if end == 0 {
				end = len(rest)
			}
			step.Name, rest, ok = rest[1:end], rest[end:], end > 1
		case strings.HasPrefix(rest, "[*]"):
			step.Any, rest, ok = true, rest[len("[*]"):], true
		case strings.HasPrefix(rest, "['"):
			step.Name, rest, ok = strings.Cut(rest[len("['"):], "']")
			ok = ok && step.Name != ""
		}
		if !ok {
			return nil, fmt.Errorf("the path %q cannot be read from %q; write it like .spec.template, .spec.containers[*].env or .metadata.annotations['a.b/c']", path, rest)
		}
		steps = append(steps, step)
	}
	switch {
	case len(steps) == 0:
		return nil, fmt.Errorf("the path is empty")
	case steps[len(steps)-1].Any:
		return nil, fmt.Errorf("the path %q ends with [*]; name what is in there, or leave all of it out by the path before", path)
	}
	return steps, nil
}
