// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrltrigger_test

import (
	"context"
	"fmt"
	"iter"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrltrigger"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
)

// An event of a Secret of another cluster requests the ConfigMaps that name it.
func ExampleMapFunc() {
	configMaps := informer.New(corev1.SchemeGroupVersion.WithResource("configmaps"), source.Source[*corev1.ConfigMap]{},
		store.ForObjects[*corev1.ConfigMap]())
	secrets := informer.New(corev1.SchemeGroupVersion.WithResource("secrets"), source.Source[*corev1.Secret]{},
		store.ForObjects[*corev1.Secret]())
	// indexer-gen emits this function and the lister's ByPassword for +index:ref.
	password := func(dst []types.NamespacedName, c *corev1.ConfigMap) []types.NamespacedName {
		return append(dst, types.NamespacedName{Namespace: c.Namespace, Name: c.Annotations["password"]})
	}
	index := store.AddIndex(configMaps.Store(), "password", password)
	byPassword := func(secret types.NamespacedName) iter.Seq[*corev1.ConfigMap] {
		return index.Get(configMaps.Store().Reader(), secret)
	}
	edge := trigger.On(trigger.For(configMaps), secrets, password, byPassword)

	if err := configMaps.Store().Set(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: "mail", Annotations: map[string]string{"password": "token"},
	}}); err != nil {
		fmt.Println(err)
	}
	var event client.Object = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "token"}}
	fmt.Println(ctrltrigger.MapFunc(edge)(context.Background(), event))
	// Output: [shop/mail]
}
