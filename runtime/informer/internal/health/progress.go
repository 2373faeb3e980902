// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package health

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// Progress describes how far the lists of sources have got: "12500 objects so far" or, if there are no
// objects and there was no error, "listing". It is "" if no source is read.
func Progress(all []reflector.Progress, failed bool) (text string) {
	objects := 0
	for _, p := range all {
		objects += p.Objects
		switch p.Doing {
		case reflector.EventListing, reflector.EventWaiting:
			text = string(p.Doing)
		}
	}
	switch {
	case objects > 0:
		return fmt.Sprintf("%d objects so far", objects)
	case failed:
		return ""
	}
	return text
}
