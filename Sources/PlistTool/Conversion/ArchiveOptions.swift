#if CommandLineTool
import ArgumentParser
import Plist
import PlistArchives

struct ArchiveOptions: ParsableArguments {
  @Flag(
    name: .long,
    help: """
      Read a keyed archive (from NSKeyedArchiver) as the objects it holds. An object of a class with no property list \
      equivalent becomes a dictionary of its fields, with the name of the class under the key $class.
      """)
  var archive = false

  /// Returns an archive's value in a form for people to read, even if an object contains itself.
  static func description(of document: PlistDocument) throws(PlistError) -> PropertyList {
    try KeyedArchive(document).description()
  }

  static func value(of document: PlistDocument) throws(PlistError) -> PropertyList {
    try KeyedArchive(document).propertyList(keepsClassNames: true)
  }
}
#endif
