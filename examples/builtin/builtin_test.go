// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin_test

import (
	"context"
	"iter"
	"reflect"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/indexer-gen/indexer-gen/examples/builtin"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sources reads every type through client-go's clientset.
func sources(c kubernetes.Interface) builtin.InformerSources {
	return builtin.InformerSources{
		ClusterRoleBindings:      builtin.NewClusterRoleBindingSource(c.RbacV1().ClusterRoleBindings()),
		ConfigMaps:               builtin.NewConfigMapSource(c.CoreV1().ConfigMaps("")),
		CronJobs:                 builtin.NewCronJobSource(c.BatchV1().CronJobs("")),
		DaemonSets:               builtin.NewDaemonSetSource(c.AppsV1().DaemonSets("")),
		Deployments:              builtin.NewDeploymentSource(c.AppsV1().Deployments("")),
		EndpointSlices:           builtin.NewEndpointSliceSource(c.DiscoveryV1().EndpointSlices("")),
		Events:                   builtin.NewEventSource(c.CoreV1().Events("")),
		HorizontalPodAutoscalers: builtin.NewHorizontalPodAutoscalerSource(c.AutoscalingV2().HorizontalPodAutoscalers("")),
		Ingresses:                builtin.NewIngressSource(c.NetworkingV1().Ingresses("")),
		Jobs:                     builtin.NewJobSource(c.BatchV1().Jobs("")),
		Namespaces:               builtin.NewNamespaceSource(c.CoreV1().Namespaces()),
		Nodes:                    builtin.NewNodeSource(c.CoreV1().Nodes()),
		PersistentVolumeClaims:   builtin.NewPersistentVolumeClaimSource(c.CoreV1().PersistentVolumeClaims("")),
		PersistentVolumes:        builtin.NewPersistentVolumeSource(c.CoreV1().PersistentVolumes()),
		Pods:                     builtin.NewPodSource(c.CoreV1().Pods("")),
		ReplicaSets:              builtin.NewReplicaSetSource(c.AppsV1().ReplicaSets("")),
		RoleBindings:             builtin.NewRoleBindingSource(c.RbacV1().RoleBindings("")),
		Secrets:                  builtin.NewSecretSource(c.CoreV1().Secrets("")),
		ServiceAccounts:          builtin.NewServiceAccountSource(c.CoreV1().ServiceAccounts("")),
		Services:                 builtin.NewServiceSource(c.CoreV1().Services("")),
		StatefulSets:             builtin.NewStatefulSetSource(c.AppsV1().StatefulSets("")),
		VolumeAttachments:        builtin.NewVolumeAttachmentSource(c.StorageV1().VolumeAttachments()),
	}
}

// overHTTP reads all types without client-go.
func overHTTP(conn wire.Conn) builtin.InformerSources {
	return builtin.InformerSources{
		ClusterRoleBindings:      wire.Source[*builtin.ClusterRoleBinding](conn, builtin.ClusterRoleBindingsResource),
		ConfigMaps:               wire.Source[*builtin.ConfigMap](conn, builtin.ConfigMapsResource),
		CronJobs:                 wire.Source[*builtin.CronJob](conn, builtin.CronJobsResource),
		DaemonSets:               wire.Source[*builtin.DaemonSet](conn, builtin.DaemonSetsResource),
		Deployments:              wire.Source[*builtin.Deployment](conn, builtin.DeploymentsResource),
		EndpointSlices:           wire.Source[*builtin.EndpointSlice](conn, builtin.EndpointSlicesResource),
		Events:                   wire.Source[*builtin.Event](conn, builtin.EventsResource),
		HorizontalPodAutoscalers: wire.Source[*builtin.HorizontalPodAutoscaler](conn, builtin.HorizontalPodAutoscalersResource),
		Ingresses:                wire.Source[*builtin.Ingress](conn, builtin.IngressesResource),
		Jobs:                     wire.Source[*builtin.Job](conn, builtin.JobsResource),
		Namespaces:               wire.Source[*builtin.Namespace](conn, builtin.NamespacesResource),
		Nodes:                    wire.Source[*builtin.Node](conn, builtin.NodesResource),
		PersistentVolumes:        wire.Source[*builtin.PersistentVolume](conn, builtin.PersistentVolumesResource),
		PersistentVolumeClaims:   wire.Source[*builtin.PersistentVolumeClaim](conn, builtin.PersistentVolumeClaimsResource),
		Pods:                     wire.Source[*builtin.Pod](conn, builtin.PodsResource),
		ReplicaSets:              wire.Source[*builtin.ReplicaSet](conn, builtin.ReplicaSetsResource),
		RoleBindings:             wire.Source[*builtin.RoleBinding](conn, builtin.RoleBindingsResource),
		Secrets:                  wire.Source[*builtin.Secret](conn, builtin.SecretsResource),
		Services:                 wire.Source[*builtin.Service](conn, builtin.ServicesResource),
		ServiceAccounts:          wire.Source[*builtin.ServiceAccount](conn, builtin.ServiceAccountsResource),
		StatefulSets:             wire.Source[*builtin.StatefulSet](conn, builtin.StatefulSetsResource),
		VolumeAttachments:        wire.Source[*builtin.VolumeAttachment](conn, builtin.VolumeAttachmentsResource),
	}
}

// start runs the informers of what ask calls for, and returns when they have what
// the clientset holds.
func start(t *testing.T, c kubernetes.Interface, ask func(*builtin.Informers)) {
	t.Helper()
	informers := builtin.NewInformers(sources(c))
	t.Cleanup(informers.Shutdown)
	ask(informers)
	informers.Start(t.Context())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := informers.WaitForSync(ctx); err != nil {
		t.Fatal(err)
	}
}

// named lists the names of what a question yields.
func named[T metav1.Object](seq iter.Seq[T]) []string {
	var out []string
	for obj := range seq {
		out = append(out, obj.GetName())
	}
	slices.Sort(out)
	return out
}

// one is the name of what a question returns.
func one[T metav1.Object](obj T, ok bool) []string {
	if !ok {
		return nil
	}
	return []string{obj.GetName()}
}

func in(namespace, name string) types.NamespacedName {
	return types.NamespacedName{Namespace: namespace, Name: name}
}

// No type is left without a source: sources above, and a new type, are compared.
func TestEveryTypeHasAClient(t *testing.T) {
	all := reflect.ValueOf(sources(fake.NewClientset()))
	for i := range all.NumField() {
		if all.Field(i).IsZero() {
			t.Errorf("%s are read from nowhere", all.Type().Field(i).Name)
		}
	}
}

func TestQuestions(t *testing.T) {
	var ls listers
	start(t, fake.NewClientset(objects()...), func(f *builtin.Informers) { ls = all(f) })
	for question, got := range answers(ls) {
		if !slices.Equal(got.got, got.want) {
			t.Errorf("%s yields %v, want %v", question, got.got, got.want)
		}
	}
}

// What changes on the server is found in its new place, and in its old no more.
func TestChanges(t *testing.T) {
	c := fake.NewClientset(objects()...)
	var pods builtin.PodLister
	start(t, c, func(f *builtin.Informers) { pods = f.Pods().Lister() })
	until := func(what string, done func() bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		// The condition is evaluated again after each change of the store.
		if err := pods.Reader().WaitUntil(ctx, func(podReader) bool { return done() }); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}

	web, err := pods.GetCopy("shop", "web-1")
	if err != nil {
		t.Fatal(err)
	}
	web.Spec.NodeName = "node-2"
	web.Spec.Volumes = slices.DeleteFunc(web.Spec.Volumes, func(v corev1.Volume) bool { return v.Secret != nil })
	web.Labels = map[string]string{"app": "other"}
	if _, err := c.CoreV1().Pods("shop").Update(t.Context(), web, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	until("the Pod moves", func() bool { return len(named(pods.ByNode("node-2"))) == 1 })
	for question, got := range map[string][]string{
		"ByNode":      named(pods.ByNode("node-1")),
		"ByNodePhase": named(pods.ByNodePhase("node-1", corev1.PodRunning)),
		"BySecret":    named(pods.BySecret(in("shop", "volume"))),
		"ByLabel":     named(pods.ByLabel("app", "web")),
		"List":        named(pods.List(labels.SelectorFromSet(labels.Set{"app": "web"}))),
	} {
		if len(got) > 0 {
			t.Errorf("%s still yields %v", question, got)
		}
	}
	if got := named(pods.BySecret(in("shop", "env"))); !slices.Equal(got, []string{"web-1"}) {
		t.Errorf("BySecret yields %v for the Secret that is still used", got)
	}

	if err := c.CoreV1().Pods("shop").Delete(t.Context(), "web-1", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	until("the Pod is deleted", func() bool { return len(named(pods.ByNode("node-2"))) == 0 })
	if got := named(pods.BySecret(in("shop", "env"))); len(got) > 0 {
		t.Errorf("BySecret yields %v, which is deleted", got)
	}
}
