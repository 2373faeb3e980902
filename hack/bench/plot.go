// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"html"
	"io"
	"math"
)

const (
	barHeight = 22
	textWidth = 330
	plotWidth = 900
)

// writeSVG draws how many times better ours is, on a logarithmic scale, with a
// line where both are the same and a tick at each row's target.
func writeSVG(w io.Writer, results []result) error {
	height := barHeight*len(results) + 60
	most := 10.0
	for _, r := range results {
		most = max(most, r.Ratio)
	}
	const least = 0.5
	x := func(ratio float64) float64 {
		return textWidth + (plotWidth-textWidth-70)*math.Log(max(ratio, least)/least)/math.Log(most/least)
	}
	p := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	p(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" font-family="sans-serif" font-size="12"`+
		` viewBox="-30 0 %[1]d %[2]d">`, plotWidth+30, height)
	p(`<rect x="-30" width="100%%" height="100%%" fill="white"/>`)
	objects := 0
	if len(results) > 0 {
		objects = results[0].Objects
	}
	p(`<text x="10" y="20" font-size="14">How many times better than client-go, %d Pods `+
		`(logarithmic; the red tick is the aim)</text>`, objects)
	for decade := 1.0; decade <= most; decade *= 10 {
		p(`<line x1="%.1f" x2="%.1f" y1="30" y2="%d" stroke="#ccc"/>`, x(decade), x(decade), height-20)
		p(`<text x="%.1f" y="%d" text-anchor="middle" fill="#666">%g×</text>`, x(decade), height-6, decade)
	}
	for i, r := range results {
		y := 36 + i*barHeight
		p(`<text x="%d" y="%d" text-anchor="end">%s</text>`, textWidth-8, y+14, html.EscapeString(r.Name))
		left, right := x(min(1, r.Ratio)), x(max(1, r.Ratio))
		color := "#4a7ebb"
		if r.Ratio < 1 {
			color = "#c0504d"
		}
		p(`<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`, left, y+2, max(right-left, 1), barHeight-6, color)
		p(`<text x="%.1f" y="%d">%s×</text>`, right+6, y+14, short(r.Ratio))
		if r.Target > 0 {
			p(`<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#d00" stroke-width="2"/>`,
				x(r.Target), x(r.Target), y, y+barHeight-2)
		}
	}
	_, err := io.WriteString(w, "</svg>\n")
	return err
}

// short formats a ratio with at most three digits that mean something.
func short(ratio float64) string {
	if ratio >= 1000 {
		return fmt.Sprintf("%.0f", math.Round(ratio/10)*10)
	}
	return fmt.Sprintf("%.3g", ratio)
}
