// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index_test

import (
	"strings"
	"testing"
)

// TestTexts refuses texts that no object has.
func TestTexts(t *testing.T) {
	const fields = "Phase Phase ~json:\"phase\"~\nMaybe *Phase ~json:\"maybe\"~\nKind Kind ~json:\"kind\"~\n" +
		"// +kubebuilder:validation:Enum=\"Fast\";\"Slow\"\nMode string ~json:\"mode\"~\n" +
		"// +kubebuilder:validation:Enum={301,302}\nCode int32 ~json:\"code\"~\n" +
		"// +kubebuilder:validation:items:Enum=Read;Write\nVerbs []string ~json:\"verbs\"~\n" +
		"// +kubebuilder:validation:Enum=Read;Write\nByName map[string]Phase ~json:\"byName\"~\n" +
		"Items []struct { Phase Phase ~json:\"phase\"~ } ~json:\"items\"~\n" +
		"Ref struct {\nName string ~json:\"name\"~\n// +kubebuilder:validation:Enum=Secret;ConfigMap\nKind string ~json:\"kind\"~\n" +
		"// +kubebuilder:validation:Enum=\"\";example.org\nAPIGroup string ~json:\"apiGroup\"~\n} ~json:\"ref\"~\n" +
		"Owner struct {\nName string ~json:\"name\"~\nKind string ~json:\"kind\"~\n" +
		"// +kubebuilder:validation:Enum=v1;apps/v1;apps/v1beta1\nAPIVersion string ~json:\"apiVersion\"~\n} ~json:\"owner\"~"
	const more = "// +kubebuilder:validation:Enum=Overdue;Done\ntype Phase string\n\nconst (\nOdd Phase = \"Odd\"\nObsolete Phase = \"Obsolete\"\n)\n\n" +
		"type Kind string\n\nconst (\nOpaque Kind = \"Opaque\"\nTLS Kind = \"kubernetes.io/tls\"\nHTTP Kind = \"HTTP\"\nIPv4 Kind = \"IPv4\"\n)\n"
	phase := func(path string) string { return path + ` is Phase, and the Enum has no "Overdeu"; write "Overdue"` }
	opaque := func(text string) string {
		return `.spec.kind is Kind, and there is a constant "Opaque"; write that or, if "` + text + `" is another value, declare a ` +
			"constant of type Kind"
	}
	for options, want := range map[string]string{
		`if=.spec.phase=="Overdue"`:             "",
		`if=.spec.phase==""`:                    "",
		`if=.spec.phase!="Overdeu"`:             phase(".spec.phase"),
		`if=.spec.maybe=="Overdeu"`:             phase(".spec.maybe"),
		`if=.spec.byName['a']=="Overdeu"`:       phase(".spec.byName['a']"),
		`if=.spec.phase=="Odd"`:                 `.spec.phase is Phase, and the Enum has no "Odd"; write "Overdue" or "Done"`,
		`if=.spec.items[?(@.phase=="Overdeu")]`: `the field phase is Phase, and the Enum has no "Overdeu"; write "Overdue"`,
		`path=.spec.items[?(@.phase=="Overdeu")].phase`: `the field phase is Phase, and the Enum has no "Overdeu"; ` +
			`write "Overdue"`,
		`if=.spec.mode=="Fats"`:            `.spec.mode is string, and the Enum has no "Fats"; write "Fast"`,
		`if=.spec.code==301`:               "",
		`if=.spec.code==303`:               `.spec.code is int32, and the Enum has no 303; write 301`,
		`if=.spec.kind=="Opaque"`:          "",
		`if=.spec.kind=="opaque"`:          opaque("opaque"),
		`if=.spec.kind=="Opqaeu"`:          opaque("Opqaeu"),
		`if=.spec.kind=="Opaqu"`:           opaque("Opaqu"),
		`if=.spec.kind=="example.org/key"`: "",
		`if=.spec.kind=="HTTPS"`:           "",
		`if=.spec.kind=="IPv6"`:            "",
		`path=.spec.phase,else="Unset"`:    "",
		`path=.spec.phase,else="Obsotele"`: "",
		`path=.spec.phase,else="Overdeu"`:  `and the Enum has "Overdue"; write that`,
		`path=.spec.verbs,else="Reed"`:     `and the Enum has "Read"; write that`,
		`path=.spec.ref,to=Secret`:         "",
		`path=.spec.ref,to=Service`:        `to=Service: of the kind, the Enum has no "Service"; write "Secret" or "ConfigMap"`,
		`path=.spec.ref,to=ConfigMap.example.net`: `of the group, the Enum has no "example.net"; write ` +
			`"example.org"`,
		`path=.spec.owner,to=Deployment.apps`: "",
		`path=.spec.owner,to=Secret`:          "",
		`path=.spec.owner,to=Job.batch`:       `of the group, the Enum has no "batch"; write "" or "apps"`,
	} {
		marker := "// +index:name=A," + options
		if strings.Contains(options, "to=") {
			marker = "// +index:ref:name=A,scope=Namespaced," + options
		}
		_, bad := build(t, marker, fields, more)
		if text := strings.Join(bad, "\n"); !strings.HasSuffix(text, want) || want == "" && text != "" {
			t.Errorf("%s: %s\nwant %s", options, text, want)
		}
	}
}

// TestErrors says what is wrong with the values in markers, and what to write instead.
func TestErrors(t *testing.T) {
	const fields = "Text string ~json:\"text\"~\nCount *int32 ~json:\"count\"~\nSmall uint8 ~json:\"small\"~\n" +
		"Zones map[string]struct{ Port int32 ~json:\"port\"~ } ~json:\"zones\"~"
	for marker, want := range map[string]string{
		`// +index:name=A,if=.spec.small=="3"`:    "if=.spec.small==\"3\": .spec.small is uint8; write .spec.small==3",
		`// +index:name=A,if=.spec.small!="3"`:    "if=.spec.small!=\"3\": .spec.small is uint8; write .spec.small!=3",
		`// +index:name=A,if=.spec.small=="1+1"`:  "if=.spec.small==\"1+1\": .spec.small is uint8; compare it with an integer, as in .spec.small==3",
		`// +index:name=A,if=.spec.small=="many"`: "if=.spec.small==\"many\": .spec.small is uint8; compare it with an integer, as in .spec.small==3",
		`// +index:name=A,if=.spec.small=="300"`:  "if=.spec.small==\"300\": .spec.small is uint8; compare it with an integer, as in .spec.small==3",
		`// +index:name=A,if=.spec.small==300`:    "if=.spec.small==300: .spec.small is uint8, and 300 is no value of it",
		`// +index:name=A,if=.spec.zones['a'].port!=0`: "if=.spec.zones['a'].port!=0: .spec.zones['a'].port is int32, and an absent " +
			"key cannot be told from 0; compare it with another value",
		`// +index:name=A,if=.spec.text!=3`: "if=.spec.text!=3: .spec.text is string; write .spec.text!=\"3\"",
		`// +index:name=A,path=.spec.count,else="3"`: "else=\"3\": path .spec.count leads to int32, of which it is no value; " +
			"write one, or a path, as in else=3",
		`// +index:name=A,path=.spec.text,else=3`: "else=3: path .spec.text leads to string, of which it is no value; " +
			"write one, or a path, as in else=\"3\"",
		`// +index:name=A,path=.spec.count,else="x"`: "else=\"x\": path .spec.count leads to int32, of which it is no value; " +
			"write one, or a path",
		`// +index:name=A,path=.spec.text,else="x\"y"`: "else=\"x\\\"y\": strings have no escapes, and so no backslash; " +
			"write one with a double quote in single quotes, as in 'x\"y'",
		`// +index:name=A,path=.spec.text,else=x`: "else=x: it is neither a path nor a literal; write strings in quotes",
	} {
		if _, bad := build(t, marker, fields, ""); len(bad) != 1 || bad[0] != want {
			t.Errorf("%s: %q\nwant %q", marker, bad, want)
		}
	}
}
