#!/usr/bin/env bash
# Runs the store and the informer beside client-go's and prints a table. Without
# arguments it also writes hack/bench/results.txt and hack/bench/results.svg.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if [ $# -eq 0 ]; then
	GOWORK=off go run ./bench -svg bench/results.svg | tee bench/results.txt
	exit
fi
GOWORK=off exec go run ./bench "$@"
