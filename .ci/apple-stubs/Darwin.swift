// What ObservableDefaults uses of Darwin and Glibc lacks.
@_exported import Glibc
public import Dispatch

public var O_EVTONLY: Int32 { 0x8000 }

public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol {
  var data: DispatchSource.FileSystemEvent { get }
}

extension DispatchSource {
  public class func makeFileSystemObjectSource(
    fileDescriptor: Int32, eventMask: FileSystemEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceFileSystemObject { fatalError("a stand-in") }
}
