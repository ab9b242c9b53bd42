#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encoding that is under way; what the containers and encoders that are handed out refer to.
///
/// **Directly.** Values are written to the output as they come. That works as long as containers are used one inside the
/// other, which is so wherever `encode(to:)` asks for one container and encodes values in it. Each call of `encode(to:)`
/// is a frame; its container ends when the call returns.
///
/// **Recorded.** Once a type asks for a container within its container, or for the encoder of its superclass, the order
/// in which these are used is open. From there to the end of its `encode(to:)` everything is recorded, and then written
/// in the order of the containers. All is recorded where keys are sorted.
///
/// A value that throws takes back what it has written, so that whoever catches the error can go on.
///
/// What is written is in ``EncodingCore``; here is what calls the types that are encoded, which then use the core again.
/// Each call of an encoder has a state of its own.
///
/// The core is accessed for single steps, none of which calls a value's `encode(to:)`.
///
/// Unchecked, since states go from one thread to another in an ``EncodingPool``: each is in use by one encoding at a time.
final class EncodingState: @unchecked Sendable {
  let box: UncheckedBox<EncodingCore>

  init(_ core: consuming EncodingCore) { box = UncheckedBox(core) }

  deinit {
    core.output.deallocate()
    box.deallocate()
  }

  var core: EncodingCore {
    @inline(__always) _read { yield box.value }
    @inline(__always) _modify { yield &box.value }
  }
}

extension EncodingState {
  /// Encodes the outermost value; errors show `reported` in its place.
  ///
  /// Generic in what errors show, since a value of a type that is not known would be a copy in a box.
  func encodeRoot<Root: Encodable, Reported>(_ root: Root, reporting reported: Reported) throws {
    defer { core.containers.rest(self) }
    do {
      let place = core.sortsKeys ? core.startRecording() : core.top.place
      let kind = core.types.kind(of: Root.self)
      if kind == .ordinary || kind == .container {
        try encode(root, kind, in: place)
      } else {
        try encodeSingle(root, at: place)
      }
      try core.finish()
    } catch let error as EncodingError {
      throw error
    } catch let fault as EncodingFault {
      throw fault.error(for: reported, at: [], format: core.format)
    } catch {
      throw EncodingError.invalidValue(
        reported,
        EncodingError.Context(
          codingPath: core.errorPath, debugDescription: "the value could not be encoded: \(error)",
          underlyingError: error))
    }
    guard core.top.kind != .nothing else {
      throw EncodingError.invalidValue(
        reported,
        EncodingError.Context(
          codingPath: [], debugDescription: "the top-level \(type(of: reported)) did not encode any values"))
    }
  }

  /// Takes the document, once `root` has been encoded.
  func data<Root>(for root: Root) throws -> Data {
    if let name = core.top.kind.fragmentName {
      throw EncodingError.invalidValue(
        root,
        EncodingError.Context(
          codingPath: [],
          debugDescription: "the top-level \(type(of: root)) was encoded as a \(name), which is no property list"))
    }
    do { return try core.output.takeData() } catch {
      throw EncodingFault(error).error(for: root, at: [], format: core.format)
    }
  }

  /// Takes the value that was encoded, where no document is made.
  func propertyList() -> PropertyList { core.output.takePropertyList() }

}

extension UncheckedBox<EncodingCore> {
  /// The name that `key` has in the property list.
  @inline(__always)
  func name(of key: some CodingKey, at place: EncodingPlace) -> String {
    value.keepsKeys ? key.stringValue : convertedName(of: key, at: place)
  }

  @inline(never)
  private func convertedName(of key: some CodingKey, at place: EncodingPlace) -> String {
    switch value.keyStrategy {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase: value.snakeCase(of: key.stringValue)
    case .custom(let convert): convert(value.codingPath(of: place) + [key]).stringValue
    }
  }
}
