// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import "k8s.io/client-go/tools/cache"

// The types below are client-go's own.
type (
	Controller                        = cache.Controller
	DeletedFinalStateUnknown          = cache.DeletedFinalStateUnknown
	Delta                             = cache.Delta
	Deltas                            = cache.Deltas
	HandlerOptions                    = cache.HandlerOptions
	IndexFunc                         = cache.IndexFunc
	Indexer                           = cache.Indexer
	Indexers                          = cache.Indexers
	Indices                           = cache.Indices
	KeyError                          = cache.KeyError
	KeyFunc                           = cache.KeyFunc
	KeyListerGetter                   = cache.KeyListerGetter
	ListWatch                         = cache.ListWatch
	ListerWatcher                     = cache.ListerWatcher
	ResourceEventHandlerDetailedFuncs = cache.ResourceEventHandlerDetailedFuncs
	ResourceEventHandlerFuncs         = cache.ResourceEventHandlerFuncs
	ResourceEventHandlerRegistration  = cache.ResourceEventHandlerRegistration
	SharedInformer                    = cache.SharedInformer
	SharedIndexInformer               = cache.SharedIndexInformer
	Store                             = cache.Store
	errorReflector                    = cache.Reflector // of a watch error handler
	ThreadSafeStoreTransaction        = cache.ThreadSafeStoreTransaction
	Transaction                       = cache.Transaction
	TransactionError                  = cache.TransactionError
	TransactionStore                  = cache.TransactionStore
	TransformFunc                     = cache.TransformFunc
)

// The functions below are client-go's own. They hold no objects.
var (
	DeletionHandlingMetaNamespaceKeyFunc = cache.DeletionHandlingMetaNamespaceKeyFunc
	ListAll                              = cache.ListAll
	MetaNamespaceKeyFunc                 = cache.MetaNamespaceKeyFunc
	ShutDownEventHandler                 = cache.ShutDownEventHandler
	WaitFor                              = cache.WaitFor
	WaitForCacheSync                     = cache.WaitForCacheSync
)

// The types of deltas are client-go's own.
const (
	Added                 = cache.Added
	TransactionTypeAdd    = cache.TransactionTypeAdd
	Updated               = cache.Updated
	Deleted               = cache.Deleted
	Replaced              = cache.Replaced
	Sync                  = cache.Sync
	TransactionTypeUpdate = cache.TransactionTypeUpdate
	Bookmark              = cache.Bookmark
)
