package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/slim"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

type slimPod struct {
	slim.Meta `json:"metadata"`
	Spec      struct {
		NodeName string `json:"nodeName"`
	} `json:"spec"`
	Status struct {
		Phase corev1.PodPhase `json:"phase"`
	} `json:"status"`
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

type job struct {
	Cfg  map[string]string
	Mode string
	N    int
}

func cpu() time.Duration {
	var u syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func hwm() string {
	b, _ := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(b), "VmHWM:")
	line, _, _ := strings.Cut(after, "kB")
	n, _ := strconv.Atoi(strings.TrimSpace(line))
	return fmt.Sprintf("%d MB", n/1000)
}

func serverCPU() float64 {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	total := 0.0
	for _, d := range dirs {
		c, _ := os.ReadFile(d + "/comm")
		if strings.HasPrefix(string(c), "kube-apiserver") {
			s, _ := os.ReadFile(d + "/stat")
			f := strings.Fields(string(s)[strings.LastIndex(string(s), ")")+2:])
			u, _ := strconv.Atoi(f[11])
			k, _ := strconv.Atoi(f[12])
			total += float64(u+k) / 100
		}
	}
	return total
}

func config() *rest.Config {
	return &rest.Config{Host: os.Getenv("B_URL"), BearerToken: os.Getenv("B_TOKEN"), TLSClientConfig: rest.TLSClientConfig{CAData: []byte(os.Getenv("B_CA"))}, QPS: -1, DisableCompression: os.Getenv("B_GZ") == ""}
}

func client(mode string, n int) {
	ctx := context.Background()
	s0 := serverCPU()
	t0, c0 := time.Now(), cpu()
	if p := os.Getenv("B_PROF"); p != "" {
		f, _ := os.Create(p + mode)
		must(pprof.StartCPUProfile(f))
	}
	var keep any
	var length func() int
	if mode == "cg" {
		cs := kubernetes.NewForConfigOrDie(config())
		f := informers.NewSharedInformerFactory(cs, 0)
		i := f.Core().V1().Pods().Informer()
		must(i.AddIndexers(cache.Indexers{"node": func(obj any) ([]string, error) { return []string{obj.(*corev1.Pod).Spec.NodeName}, nil }}))
		f.Start(ctx.Done())
		for !i.HasSynced() {
			time.Sleep(10 * time.Millisecond)
		}
		keep, length = f, func() int { return len(i.GetStore().ListKeys()) }
	} else {
		hc, err := rest.HTTPClientFor(config())
		must(err)
		if strings.Contains(mode, "json") {
			hc = &http.Client{Transport: onlyJSON{hc.Transport}}
		}
		conn := wire.Conn{BaseURL: os.Getenv("B_URL"), Client: hc}
		if strings.Contains(mode, "nomanaged") {
			conn = conn.With(wire.WithoutManagedFields())
		}
		if strings.Contains(mode, "maps") {
			conn = conn.With(wire.ShareMaps())
		}
		list := informer.WithWatchList(!strings.Contains(mode, "list"))
		gvr := corev1.SchemeGroupVersion.WithResource("pods")
		errs := informer.WithErrorHandler(func(err error) { fmt.Fprintln(os.Stderr, err) })
		if strings.Contains(mode, "slim") {
			st := store.ForObjects[*slimPod]()
			store.AddIndex(st, "ns", func(dst []string, p *slimPod) []string { return append(dst, p.Namespace) })
			store.AddIndex(st, "node", func(dst []string, p *slimPod) []string { return append(dst, p.Spec.NodeName) })
			i := informer.New(gvr, wire.Source[slimPod](conn, gvr, "", wire.PartOf[corev1.Pod]()), st, list, errs)
			go func() { must(i.Run(ctx)) }()
			must(i.WaitForSync(ctx))
			keep, length = i, func() int { return st.Reader().Len() }
		} else {
			st := store.ForObjects[*corev1.Pod]()
			store.AddIndex(st, "ns", func(dst []string, p *corev1.Pod) []string { return append(dst, p.Namespace) })
			store.AddIndex(st, "node", func(dst []string, p *corev1.Pod) []string { return append(dst, p.Spec.NodeName) })
			i := informer.New(gvr, wire.Source[corev1.Pod](conn, gvr, ""), st, list, errs)
			go func() { must(i.Run(ctx)) }()
			must(i.WaitForSync(ctx))
			keep, length = i, func() int { return st.Reader().Len() }
		}
	}
	wall, used := time.Since(t0), cpu()-c0
	pprof.StopCPUProfile()
	peak := hwm()
	if length() != n {
		fmt.Println("objects", length())
	}
	sc := serverCPU() - s0
	runtime.GC()
	runtime.GC()
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	fmt.Printf("%-22s cpu %.2f wall %.2f server %.2f peak %s live/obj %d\n", mode, used.Seconds(), wall.Seconds(), sc, peak, int(ms.HeapAlloc)/n)
	runtime.KeepAlive(keep)
}

type onlyJSON struct{ next http.RoundTripper }

func (o onlyJSON) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Accept", "application/json")
	return o.next.RoundTrip(r)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	if len(os.Args) > 2 && os.Args[2] == "client" {
		client(os.Args[3], n)
		return
	}
	ctx := context.Background()
	server, err := apiserver.Start(ctx, apiserver.Options{Kubernetes: true, Progress: os.Stderr, Flags: []string{"--disable-admission-plugins=ServiceAccount"}})
	must(err)
	defer server.Close()
	cfg := restconfig.New(server.Endpoint)
	cfg.QPS = -1
	cs := kubernetes.NewForConfigOrDie(cfg)
	for i := range 20 {
		_, err := cs.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("ns-%d", i)}}, metav1.CreateOptions{})
		must(err)
	}
	began := time.Now()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				p := pod(i)
				p.ManagedFields, p.ResourceVersion = nil, ""
				status := p.Status
				made, err := cs.CoreV1().Pods(p.Namespace).Create(ctx, &p, metav1.CreateOptions{FieldManager: "kube-controller-manager"})
				must(err)
				made.Status = status
				_, err = cs.CoreV1().Pods(p.Namespace).UpdateStatus(ctx, made, metav1.UpdateOptions{FieldManager: "kubelet"})
				must(err)
			}
		})
	}
	wg.Wait()
	one, err := cs.CoreV1().Pods("ns-1").List(ctx, metav1.ListOptions{Limit: 1})
	must(err)
	text, _ := json.Marshal(one.Items[0])
	fmt.Println("created in", time.Since(began), "JSON bytes", len(text))
	for range 3 {
		for _, mode := range os.Args[2:] {
			c := exec.Command(os.Args[0], os.Args[1], "client", mode)
			c.Env = append(os.Environ(), "B_URL="+server.URL, "B_TOKEN="+server.Token, "B_CA="+string(server.CA))
			if mode == "cglist" {
				c.Args[3] = "cg"
				c.Env = append(c.Env, "KUBE_FEATURE_WatchListClient=false")
			}
			c.Stdout, c.Stderr = os.Stdout, os.Stderr
			must(c.Run())
		}
	}
}

var _ = types.UID("")
var _ = intstr.FromInt32
var _ = resource.MustParse


// pod is much like those of a Deployment in a cluster.
func pod(i int) corev1.Pod {
	app, at := fmt.Sprintf("app-%d", i%50), metav1.NewTime(time.Unix(1767225600+int64(i), 0))
	yes := true
	p := corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: fmt.Sprintf("ns-%d", i%20), Name: fmt.Sprintf("%s-7c9f8d6b5-%05d", app, i), GenerateName: app + "-7c9f8d6b5-",
			UID: types.UID(fmt.Sprintf("6ba7b810-9dad-11d1-80b4-%012d", i)), ResourceVersion: fmt.Sprint(100000 + i), CreationTimestamp: at,
			Labels:      map[string]string{"app": app, "pod-template-hash": "7c9f8d6b5", "tier": "backend"},
			Annotations: map[string]string{"prometheus.io/scrape": "true", "checksum/config": fmt.Sprintf("%064d", i%50)},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet", Name: app + "-7c9f8d6b5",
				UID: types.UID(fmt.Sprintf("16fd2706-8baf-433b-82eb-%012d", i%50)), Controller: &yes, BlockOwnerDeletion: &yes,
			}},
			ManagedFields: []metav1.ManagedFieldsEntry{
				{Manager: "kube-controller-manager", Operation: "Update", APIVersion: "v1", Time: &at, FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(managed)}},
				{Manager: "kubelet", Operation: "Update", APIVersion: "v1", Time: &at, FieldsType: "FieldsV1", Subresource: "status", FieldsV1: &metav1.FieldsV1{Raw: []byte(managedStatus)}},
			},
		},
		Spec: corev1.PodSpec{
			NodeName: fmt.Sprintf("node-%d", i%100), ServiceAccountName: "default", RestartPolicy: "Always", DNSPolicy: "ClusterFirst", SchedulerName: "default-scheduler",
			TerminationGracePeriodSeconds: new(int64(30)), EnableServiceLinks: &yes, Priority: new(int32(0)),
			Volumes: []corev1.Volume{
				{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: app + "-config"}, DefaultMode: new(int32(420))}}},
			},
			Tolerations: []corev1.Toleration{
				{Key: "node.kubernetes.io/not-ready", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: new(int64(300))},
				{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: new(int64(300))},
			},
			Containers: []corev1.Container{{
				Name: "main", Image: "registry.example.com/team/" + app + ":v1.2.3", Args: []string{"--config=/etc/config/app.yaml", "--v=2"},
				Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: "TCP"}},
				Env: []corev1.EnvVar{{Name: "POD_NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.name"}}},
					{Name: "LOG_LEVEL", Value: "info"}, {Name: "DATABASE_HOST", Value: fmt.Sprintf("db-%d.example.com", i%50)}, {Name: "FEATURE_FLAGS", Value: "a=1,b=2,c=3"}, {Name: "JAVA_OPTS", Value: "-Xmx128m -XX:+UseG1GC"}, {Name: "REGION", Value: "eu-central-1"}},
				Resources: corev1.ResourceRequirements{
					Limits:   corev1.ResourceList{"cpu": resource.MustParse("500m"), "memory": resource.MustParse("256Mi")},
					Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("128Mi")},
				},
				VolumeMounts:           []corev1.VolumeMount{{Name: "config", MountPath: "/etc/config"}},
				ReadinessProbe:         &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/ready", Port: intstr.FromInt32(8080), Scheme: "HTTP"}}, TimeoutSeconds: 1, PeriodSeconds: 10, SuccessThreshold: 1, FailureThreshold: 3},
				TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: "File", ImagePullPolicy: "IfNotPresent",
			}},
		},
		Status: corev1.PodStatus{
			Phase: "Running", HostIP: fmt.Sprintf("10.0.0.%d", i%100), PodIP: fmt.Sprintf("10.1.%d.%d", i/250, i%250), StartTime: &at, QOSClass: "Burstable",
			PodIPs: []corev1.PodIP{{IP: fmt.Sprintf("10.1.%d.%d", i/250, i%250)}},
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "main", Ready: true, Started: &yes, Image: "registry.example.com/team/" + app + ":v1.2.3",
				ImageID:     fmt.Sprintf("registry.example.com/team/%s@sha256:%064d", app, i%50),
				ContainerID: fmt.Sprintf("containerd://%064d", i), State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}},
			}},
		},
	}
	for _, kind := range []corev1.PodConditionType{"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: kind, Status: "True", LastTransitionTime: at})
	}
	return p
}

const (
	managed       = `{"f:metadata":{"f:annotations":{".":{},"f:checksum/config":{},"f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{},"f:tier":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"16fd2706-8baf-433b-82eb-8c7fada847da\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{},"f:args":{},"f:env":{".":{},"k:{\"name\":\"LOG_LEVEL\"}":{".":{},"f:name":{},"f:value":{}},"k:{\"name\":\"REGION\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":8080,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{},"f:protocol":{}}},"f:readinessProbe":{".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},"f:periodSeconds":{},"f:successThreshold":{},"f:timeoutSeconds":{}},"f:resources":{".":{},"f:limits":{".":{},"f:cpu":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{},"f:volumeMounts":{".":{},"k:{\"mountPath\":\"/etc/config\"}":{".":{},"f:mountPath":{},"f:name":{}}}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{},"f:volumes":{".":{},"k:{\"name\":\"config\"}":{".":{},"f:configMap":{".":{},"f:defaultMode":{},"f:name":{}},"f:name":{}}}}}`
	managedStatus = `{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.1.0.1\"}":{".":{},"f:ip":{}}},"f:startTime":{}}}`
)
