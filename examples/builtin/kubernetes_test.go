// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	"github.com/indexer-gen/indexer-gen/examples/builtin"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

type namespaceReader = store.Reader[types.NamespacedName, *corev1.Namespace]

// kubeCluster is a whole API server. It runs no controllers: the tests write what
// controllers would write.
type kubeCluster struct {
	*apiserver.Server
	clientset kubernetes.Interface // of the administrator
}

// TestKubernetes asks its questions of a real server, over both kinds of sources.
func TestKubernetes(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("this test needs kube-apiserver: run hack/test-kubernetes.sh, or set KUBEBUILDER_ASSETS")
	}
	server, err := apiserver.Start(t.Context(), apiserver.Options{
		Kubernetes: true, Users: []apiserver.User{{Name: "jane"}}, Progress: t.Output(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	c := kubeCluster{Server: server, clientset: clientset(t, server.Endpoint)}
	for name, test := range map[string]func(*testing.T, kubeCluster){
		"objects":           testObjects,
		"every field":       testEveryField,
		"forbidden":         testForbidden,
		"namespace":         testNamespace,
		"finalizer":         testFinalizer,
		"server-side apply": testServerSideApply,
	} {
		t.Run(name, func(t *testing.T) { test(t, c) })
	}
	// The others do not expect its objects.
	t.Run("encodings", func(t *testing.T) { testEncodings(t, c) })
}

// clientset returns client-go's client, which asks for protobuf.
func clientset(t *testing.T, e apiserver.Endpoint) kubernetes.Interface {
	t.Helper()
	config := restconfig.New(e)
	config.WarningHandler = rest.NoWarnings{} // of deprecated fields
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	set, err := kubernetes.NewForConfigAndClient(config, client)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// over runs a test with informers over each kind of sources.
func (c kubeCluster) over(t *testing.T, e apiserver.Endpoint, test func(*testing.T, *builtin.Informers)) {
	t.Helper()
	client := e.HTTPClient()
	t.Cleanup(client.CloseIdleConnections)
	for name, sources := range map[string]builtin.InformerSources{
		"clientset": sources(clientset(t, e)),
		"HTTP":      overHTTP(wire.Conn{Client: client, BaseURL: e.URL}),
	} {
		t.Run(name, func(t *testing.T) {
			informers := builtin.NewInformers(sources, informer.WithErrorHandler(func(err error) { t.Log(err) }))
			t.Cleanup(informers.Shutdown)
			test(t, informers)
		})
	}
}

// minute bounds what a test waits for.
func minute(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// run starts informers and waits until they have synced.
func run(t *testing.T, informers *builtin.Informers) {
	t.Helper()
	informers.Start(t.Context())
	if err := informers.WaitForSync(minute(t)); err != nil {
		t.Fatal(err)
	}
}

// done returns what a write returned, which must have succeeded.
func done[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// namespace creates a namespace whose name begins with prefix.
func (c kubeCluster) namespace(t *testing.T, prefix string) string {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: prefix + "-"}}
	return done[*corev1.Namespace](t)(c.clientset.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{})).Name
}

// pod is the smallest Pod.
func pod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "app:1"}}},
	}
}

func expect(t *testing.T, question string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s yields %v, want %v", question, got, want)
	}
}

// testObjects follows a Job's Pod from its creation until it serves, as its
// controllers would write it.
func testObjects(t *testing.T, c kubeCluster) {
	c.over(t, c.Endpoint, func(t *testing.T, informers *builtin.Informers) {
		ls := all(informers)
		run(t, informers)
		ns := c.namespace(t, "objects")
		ctx := minute(t)
		core, create := c.clientset.CoreV1(), metav1.CreateOptions{}

		node := done[*corev1.Node](t)(core.Nodes().Create(ctx, &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: ns, Labels: map[string]string{corev1.LabelTopologyZone: ns}},
			Spec:       corev1.NodeSpec{ProviderID: "cloud://" + ns},
		}, create))
		node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		node.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "192.0.2.1"}}
		node = done[*corev1.Node](t)(core.Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{}))

		secret := done[*corev1.Secret](t)(core.Secrets(ns).Create(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: "tls"}, Type: corev1.SecretTypeOpaque, Data: map[string][]byte{"key": {0, 0xff}},
		}, create))
		template := corev1.PodTemplateSpec{Spec: pod("").Spec}
		template.Spec.RestartPolicy = corev1.RestartPolicyNever
		cron := done[*batchv1.CronJob](t)(c.clientset.BatchV1().CronJobs(ns).Create(ctx, &batchv1.CronJob{
			ObjectMeta: metav1.ObjectMeta{Name: "nightly"},
			Spec:       batchv1.CronJobSpec{Schedule: "@daily", JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template}}},
		}, create))
		job := done[*batchv1.Job](t)(c.clientset.BatchV1().Jobs(ns).Create(ctx, &batchv1.Job{
			ObjectMeta: metav1.ObjectMeta{Name: "nightly-1", OwnerReferences: []metav1.OwnerReference{
				*metav1.NewControllerRef(cron, batchv1.SchemeGroupVersion.WithKind("CronJob")),
			}},
			Spec: batchv1.JobSpec{Template: template},
		}, create))
		web := pod("web")
		web.Labels = map[string]string{"app": ns}
		web.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(job, batchv1.SchemeGroupVersion.WithKind("Job"))}
		web.Spec.Volumes = []corev1.Volume{{Name: "tls", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: secret.Name}}}}
		web = done[*corev1.Pod](t)(core.Pods(ns).Create(ctx, web, create))

		if err := ls.pods.WaitFor(ctx, web.ResourceVersion); err != nil {
			t.Fatal(err)
		}
		expect(t, "pods.ByNodePhase", named(ls.pods.ByNodePhase("", corev1.PodPending)), "web")
		expect(t, "pods.ByController", named(ls.pods.ByController(job.UID)), "web")
		expect(t, "pods.BySecret", named(ls.pods.BySecret(in(ns, "tls"))), "web")
		expect(t, "pods.ByLabel", named(ls.pods.ByLabel("app", ns)), "web")

		binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Target: corev1.ObjectReference{Kind: "Node", Name: node.Name}}
		if err := core.Pods(ns).Bind(ctx, binding, create); err != nil {
			t.Fatal(err)
		}
		web = done[*corev1.Pod](t)(core.Pods(ns).Get(ctx, "web", metav1.GetOptions{}))
		web.Status.Phase = corev1.PodRunning
		web.Status.PodIPs = []corev1.PodIP{{IP: "10.0.0.1"}, {IP: "fd00::1"}}
		web.Status.PodIP = "10.0.0.1"
		web = done[*corev1.Pod](t)(core.Pods(ns).UpdateStatus(ctx, web, metav1.UpdateOptions{}))
		event := done[*corev1.Event](t)(core.Events(ns).Create(ctx, &corev1.Event{
			ObjectMeta: metav1.ObjectMeta{Name: "web.1"}, Reason: "Pulled", Type: corev1.EventTypeNormal, LastTimestamp: metav1.NewTime(noon),
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: ns, Name: "web", UID: web.UID},
		}, create))
		slice := done[*discoveryv1.EndpointSlice](t)(c.clientset.DiscoveryV1().EndpointSlices(ns).Create(ctx, &discoveryv1.EndpointSlice{
			ObjectMeta:  metav1.ObjectMeta{Name: "web-abc", Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
			AddressType: discoveryv1.AddressTypeIPv4,
			Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"}, NodeName: &node.Name, TargetRef: &corev1.ObjectReference{
				Kind: "Pod", Namespace: ns, Name: "web", UID: web.UID,
			}}},
		}, create))

		if err := errors.Join(
			ls.nodes.WaitFor(ctx, node.ResourceVersion), ls.secrets.WaitFor(ctx, secret.ResourceVersion),
			ls.jobs.WaitFor(ctx, job.ResourceVersion), ls.pods.WaitFor(ctx, web.ResourceVersion),
			ls.events.WaitFor(ctx, event.ResourceVersion), ls.endpointSlices.WaitFor(ctx, slice.ResourceVersion),
		); err != nil {
			t.Fatal(err)
		}
		expect(t, "pods.ByNodePhase", named(ls.pods.ByNodePhase(node.Name, corev1.PodRunning)), "web")
		expect(t, "pods.ByNodePhase of the past", named(ls.pods.ByNodePhase("", corev1.PodPending)))
		expect(t, "nodes.ByZone", named(ls.nodes.ByZone(ns)), node.Name)
		expect(t, "nodes.ByProviderID", named(ls.nodes.ByProviderID("cloud://"+ns)), node.Name)
		expect(t, "jobs.ByController", named(ls.jobs.ByController(cron.UID)), "nightly-1")
		expect(t, "events.ByInvolvedUID", named(ls.events.ByInvolvedUID(web.UID)), "web.1")
		expect(t, "endpointSlices.ByService", named(ls.endpointSlices.ByService(in(ns, "web"))), "web-abc")
		expect(t, "endpointSlices.ByTargetUID", named(ls.endpointSlices.ByTargetUID(web.UID)), "web-abc")
		if got, err := ls.secrets.Get(ns, "tls"); err != nil || !slices.Equal(got.Data["key"], []byte{0, 0xff}) {
			t.Errorf("the Secret is %v, %v", got, err)
		}
	})
}

// testForbidden checks that a wait says which permission is missing, and ends
// when it is granted.
func testForbidden(t *testing.T, c kubeCluster) {
	jane, err := c.As("jane")
	if err != nil {
		t.Fatal(err)
	}
	c.over(t, jane, func(t *testing.T, informers *builtin.Informers) {
		c.awaitDenied(t, jane) // the server may still allow what another test was allowed
		informers.Pods()
		informers.Start(t.Context())
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		err := informers.WaitForSync(ctx)
		if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), `User "jane" cannot`) ||
			!strings.Contains(err.Error(), "grant the verbs list and watch") {
			t.Fatalf("without permission: %v", err)
		}

		rbac := c.clientset.RbacV1()
		role := done[*rbacv1.ClusterRole](t)(rbac.ClusterRoles().Create(t.Context(), &rbacv1.ClusterRole{
			ObjectMeta: metav1.ObjectMeta{GenerateName: "pods-"},
			Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"list", "watch"}}},
		}, metav1.CreateOptions{}))
		binding := done[*rbacv1.ClusterRoleBinding](t)(rbac.ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{GenerateName: "pods-"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "jane"}},
		}, metav1.CreateOptions{}))
		defer func() {
			if err := rbac.ClusterRoleBindings().Delete(context.WithoutCancel(t.Context()), binding.Name, metav1.DeleteOptions{}); err != nil {
				t.Error(err)
			}
		}()
		if err := informers.WaitForSync(minute(t)); err != nil {
			t.Errorf("with permission: %v", err)
		}
	})
}

// awaitDenied waits until the server refuses that the user lists Pods.
func (c kubeCluster) awaitDenied(t *testing.T, user apiserver.Endpoint) {
	t.Helper()
	reviews := clientset(t, user).AuthorizationV1().SelfSubjectAccessReviews()
	ctx, attributes := minute(t), authorizationv1.ResourceAttributes{Verb: "list", Resource: "pods"}
	for allowed := true; allowed; {
		review := &authorizationv1.SelfSubjectAccessReview{
			Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &attributes},
		}
		answer, err := reviews.Create(ctx, review, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		allowed = answer.Status.Allowed
	}
}

// testNamespace deletes a namespace, and its Pod as its controller would.
func testNamespace(t *testing.T, c kubeCluster) {
	c.over(t, c.Endpoint, func(t *testing.T, informers *builtin.Informers) {
		ctx, core := minute(t), c.clientset.CoreV1()
		ns := c.namespace(t, "leaving")
		done[*corev1.Pod](t)(core.Pods(ns).Create(ctx, pod("last"), metav1.CreateOptions{}))
		namespaces, pods := informers.Namespaces().Lister(), informers.Pods().Lister()
		run(t, informers)

		if err := core.Namespaces().Delete(ctx, ns, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		going := done[*corev1.Namespace](t)(core.Namespaces().Get(ctx, ns, metav1.GetOptions{}))
		if err := namespaces.WaitFor(ctx, going.ResourceVersion); err != nil {
			t.Fatal(err)
		}
		expect(t, "namespaces.ByPhase", named(namespaces.ByPhase(corev1.NamespaceTerminating)), ns)
		if _, err := core.Pods(ns).Create(ctx, pod("late"), metav1.CreateOptions{}); !apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
			t.Errorf("creating a Pod meanwhile: %v", err)
		}
		now := int64(0)
		if err := core.Pods(ns).Delete(ctx, "last", metav1.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
			t.Fatal(err)
		}
		going.Spec.Finalizers = nil
		done[*corev1.Namespace](t)(core.Namespaces().Finalize(ctx, going, metav1.UpdateOptions{}))
		if err := pods.Reader().WaitUntil(ctx, func(r podReader) bool { _, ok := r.Get(in(ns, "last")); return !ok }); err != nil {
			t.Errorf("the Pod stays: %v", err)
		}
		if err := namespaces.Reader().WaitUntil(ctx, func(namespaceReader) bool {
			return len(named(namespaces.ByPhase(corev1.NamespaceTerminating))) == 0
		}); err != nil {
			t.Errorf("the namespace stays: %v", err)
		}
	})
}

// testFinalizer checks that a deleted object is an update until its finalizer is
// removed.
func testFinalizer(t *testing.T, c kubeCluster) {
	c.over(t, c.Endpoint, func(t *testing.T, informers *builtin.Informers) {
		ctx, core := minute(t), c.clientset.CoreV1()
		ns := c.namespace(t, "finalizer")
		settings := done[*corev1.ConfigMap](t)(core.ConfigMaps(ns).Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: "settings", Finalizers: []string{"example.com/keep"}},
		}, metav1.CreateOptions{}))
		deleted := make(chan *corev1.ConfigMap, 1)
		configMaps := informers.ConfigMaps()
		configMaps.AddEventHandler(informer.HandlerFuncs[*corev1.ConfigMap]{
			DeleteFunc: func(d informer.Tombstone[*corev1.ConfigMap]) {
				if d.Object.Namespace == ns {
					deleted <- d.Object
				}
			},
		})
		run(t, informers)
		if err := core.ConfigMaps(ns).Delete(ctx, settings.Name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		settings = done[*corev1.ConfigMap](t)(core.ConfigMaps(ns).Get(ctx, settings.Name, metav1.GetOptions{}))
		if err := configMaps.Lister().WaitFor(ctx, settings.ResourceVersion); err != nil {
			t.Fatal(err)
		}
		if got, err := configMaps.Lister().Get(ns, settings.Name); err != nil || got.DeletionTimestamp == nil {
			t.Errorf("after the deletion: %v, %v", got, err)
		}
		settings.Finalizers = nil
		done[*corev1.ConfigMap](t)(core.ConfigMaps(ns).Update(ctx, settings, metav1.UpdateOptions{}))
		select {
		case last := <-deleted:
			if last.UID != settings.UID || last.ResourceVersion == settings.ResourceVersion {
				t.Errorf("the last state is %v", last)
			}
		case <-ctx.Done():
			t.Error("no handler is notified of the deletion")
		}
	})
}

// testServerSideApply has two managers own labels of one object.
func testServerSideApply(t *testing.T, c kubeCluster) {
	c.over(t, c.Endpoint, func(t *testing.T, informers *builtin.Informers) {
		configMaps := informers.ConfigMaps().Lister()
		run(t, informers)
		ctx, ns := minute(t), c.namespace(t, "apply")
		apply := func(manager string, labels map[string]string) {
			t.Helper()
			m := applycorev1.ConfigMap("settings", ns).WithLabels(labels)
			got := done[*corev1.ConfigMap](t)(c.clientset.CoreV1().ConfigMaps(ns).Apply(ctx, m, metav1.ApplyOptions{FieldManager: manager}))
			if err := configMaps.WaitFor(ctx, got.ResourceVersion); err != nil {
				t.Fatal(err)
			}
		}
		apply("one", map[string]string{"team": ns})
		apply("two", map[string]string{"tier": ns})
		expect(t, "ByLabel of the first manager", named(configMaps.ByLabel("team", ns)), "settings")
		expect(t, "ByLabel of the second manager", named(configMaps.ByLabel("tier", ns)), "settings")
		apply("one", map[string]string{})
		expect(t, "ByLabel that its manager gave up", named(configMaps.ByLabel("team", ns)))
		expect(t, "ByLabel of the second manager", named(configMaps.ByLabel("tier", ns)), "settings")
	})
}
