// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates_test

import (
	"fmt"
	"go/format"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// A type with one index, whose path follows a pointer: its index function and query.
func ExampleFile() {
	const api = "example.com/api"
	firmware := &model.Part{
		Path: ".spec.firmware.version",
		Type: model.GoType{Ident: model.Ident{Name: "string"}},
		Steps: []*model.Step{
			{Op: model.Field, Name: "Spec"},
			{Op: model.Field, Name: "Firmware", Pointer: true},
			{Op: model.Field, Name: "Version"},
		},
	}
	p := &model.Package{Name: "api", Path: api, API: api, Types: []*model.Type{{
		Kind: "Device", Plural: "Devices", Object: model.Ident{Path: api, Name: "Device"},
		Group: "example.com", Version: "v1", Resource: "devices", Namespaced: true,
		Indexes: []*model.Index{{Name: "Firmware", Parts: []*model.Part{firmware}, Value: firmware.Type}},
	}}}
	model.AssignNames(p, nil, nil)
	source, err := format.Source(templates.File(p, ""))
	if err != nil {
		fmt.Println(err)
		return
	}
	for decl := range strings.SplitSeq(string(source), "\n\n") {
		if strings.Contains(decl, "func IndexDeviceBy") || strings.Contains(decl, ") ByFirmware(") {
			fmt.Println(decl)
		}
	}
	// Output:
	// // IndexDeviceByFirmware appends d's .spec.firmware.version to dst.
	// func IndexDeviceByFirmware(dst []string, d *Device) []string {
	// 	if d.Spec.Firmware == nil {
	// 		return dst
	// 	}
	// 	return append(dst, d.Spec.Firmware.Version)
	// }
	// // ByFirmware yields the Devices whose .spec.firmware.version is firmware.
	// func (l DeviceLister) ByFirmware(firmware string) iter.Seq[*Device] {
	// 	return l.indexes.ByFirmware.Get(l.Reader(), firmware)
	// }
}
