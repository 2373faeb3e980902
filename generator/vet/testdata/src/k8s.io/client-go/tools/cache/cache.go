package cache

type Store interface {
	List() []any
	Get(obj any) (item any, exists bool, err error)
	GetByKey(key string) (item any, exists bool, err error)
	Add(obj any) error
}

type Indexer interface {
	Store
	ByIndex(name, value string) ([]any, error)
}

type DeletedFinalStateUnknown struct {
	Key string
	Obj any
}

type ResourceEventHandler interface {
	OnAdd(obj any, isInInitialList bool)
	OnUpdate(old, new any)
	OnDelete(obj any)
}

type ResourceEventHandlerFuncs struct {
	AddFunc    func(obj any)
	UpdateFunc func(old, new any)
	DeleteFunc func(obj any)
}

func (ResourceEventHandlerFuncs) OnAdd(obj any, isInInitialList bool) {}
func (ResourceEventHandlerFuncs) OnUpdate(old, new any)               {}
func (ResourceEventHandlerFuncs) OnDelete(obj any)                    {}

type FilteringResourceEventHandler struct {
	FilterFunc func(obj any) bool
	Handler    ResourceEventHandler
}

type SharedInformer interface{ AddEventHandler(h ResourceEventHandler) }

func DeletionHandlingMetaNamespaceKeyFunc(obj any) (string, error) { return "", nil }

type Object interface {
	comparable
	GetName() string
}

type DeletedObject[T Object] struct {
	OptionalObj       T
	FinalStateUnknown *DeletedFinalStateUnknown
}

type TypedResourceEventHandlerFuncs[T Object] struct {
	AddFunc    func(obj T)
	UpdateFunc func(old, new T)
	DeleteFunc func(obj DeletedObject[T])
}
