// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import rt "github.com/indexer-gen/indexer-gen/runtime"

// Requires runtime generation 4. If this line fails to compile, upgrade the module runtime/wire to the version of
// the module runtime.
const _ = rt.GenVersion4
