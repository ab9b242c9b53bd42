#if CommandLineTool
import ArgumentParser
import Plist
import PlistArchives

struct ArchiveOptions: ParsableArguments {
  @Flag(
    name: .long,
    help: """
      Read a keyed archive (of NSKeyedArchiver) as the value of its objects. An object of a class without an \
      equivalent property-list value becomes a dictionary of the object's fields, with the name of the class for the \
      key $class.
      """)
  var archive = false

  /// Returns the value for people to read; an object may contain itself.
  static func description(of document: PlistDocument) throws(PlistError) -> PropertyList {
    try KeyedArchive(document).description()
  }

  static func value(of document: PlistDocument) throws(PlistError) -> PropertyList {
    try KeyedArchive(document).propertyList(keepsClassNames: true)
  }
}
#endif
