/// Checks that events form a property list, and tracks the path of the current value.
struct PlistEventGrammar {
  struct Container {
    let isDictionary: Bool
    var key: PlistText?
    var count = 0
  }

  private(set) var containers: [Container] = []
  private(set) var isComplete = false

  /// Returns the reason why `event` cannot come next, or nil if it can.
  func fault(of event: PlistEvent) -> String? {
    guard let container = containers.last else {
      switch event {
      case .key, .endArray, .endDictionary:
        return "a key or the end of a container was written, but no container is open"
      default: return isComplete ? "a second root value was written; a property list has only one root value" : nil
      }
    }
    let awaitsValue = !container.isDictionary || container.key != nil
    switch event {
    case .key:
      if awaitsValue {
        return container.isDictionary
          ? "a key was written after a key that has no value yet" : "a key was written in an array"
      }
    case .endDictionary:
      if awaitsValue {
        return container.isDictionary
          ? "the end of a dictionary was written after a key that has no value yet"
          : "the end of a dictionary was written, but the innermost open container is an array"
      }
    case .endArray:
      if container.isDictionary {
        return "the end of an array was written, but the innermost open container is a dictionary"
      }
    default: if !awaitsValue { return "a value was written in a dictionary before its key" }
    }
    return nil
  }

  /// Records `event`, in which ``fault(of:)`` must have found no fault.
  mutating func advance(past event: PlistEvent) {
    switch event {
    case .key(let key): containers[containers.count - 1].key = key
    case .beginDictionary: containers.append(Container(isDictionary: true))
    case .beginArray: containers.append(Container(isDictionary: false))
    case .endDictionary, .endArray:
      containers.removeLast()
      completeValue()
    default: completeValue()
    }
  }

  private mutating func completeValue() {
    guard let last = containers.indices.last else {
      isComplete = true
      return
    }
    containers[last].key = nil
    containers[last].count += 1
  }

  var path: PropertyListPath {
    var components: [String] = []
    for container in containers {
      if let key = container.key {
        components.append(String(key))
      } else if !container.isDictionary {
        components.append(String(container.count))
      }
    }
    return PropertyListPath(components: components)
  }
}
