// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import "testing"

func TestLowerFirst(t *testing.T) {
	for name, want := range map[string]string{
		"NodeName": "nodeName", "A": "a", "name": "name", "": "", "ÄÖÜ": "äöü", "XReason": "xReason", "ISCSI": "iscsi",
		"ID": "id", "URLPath": "urlPath", "APIVersion": "apiVersion", "HTTPRoute": "httpRoute", "HTTPRoutes": "httpRoutes",
		"IDs": "ids", "URLs": "urls", "PVCs": "pvcs", "IDsAllowed": "idsAllowed", "PodIPs": "podIPs",
		"URLIsSet": "urlIsSet", "Is": "is", "IsSet": "isSet", "As": "as",
		"HTTP2Port": "http2Port", "S3Bucket": "s3Bucket", "K8sVersion": "k8sVersion", "X509": "x509",
		"IPv4": "ipv4", "IPv6Address": "ipv6Address", "IPvlan": "iPvlan", "OAuth2Client": "oauth2Client", "OAuth": "oauth",
		"GCEPersistentDisk": "gcePersistentDisk", "VSphereVolume": "vSphereVolume",
	} {
		if got := lowerFirst(name); got != want {
			t.Errorf("lowerFirst(%s) = %s, want %s", name, got, want)
		}
	}
}

func TestCamel(t *testing.T) {
	for key, want := range map[string]string{
		"app": "App", "app.kubernetes.io/name": "AppKubernetesIoName", "1a": "Key1a", "--": "Key", "": "Key",
		"cpu": "CPU", "instance-id": "InstanceID", "node_uid": "NodeUID", "idle": "Idle", "ephemeral-storage": "EphemeralStorage",
		"fooBar": "FooBar", "a-1": "A1", "1-a": "Key1A",
		"日本": "Key日本", "a-日本": "A日本", "ß-x": "KeyßX", "ä": "Ä", "日": "Key日", "ǆ": "Ǆ",
	} {
		if got := exportedCamelCase(key); got != want {
			t.Errorf("camel(%s) = %s, want %s", key, got, want)
		}
	}
}
