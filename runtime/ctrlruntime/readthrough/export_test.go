// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package readthrough

// Held returns how many bodies are held, and how many bytes more may be.
func (c *Cache[M, T]) Held() (n int, left int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.bodies.byKey), c.bodies.maxBytes - c.bodies.bytes
}
