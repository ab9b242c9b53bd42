// The privacy manifest of `Plist`: it looks at the times and sizes of files, to replace them safely and to notice changes.
//
// The manifest is a module of its own, on which `Plist` depends only on Apple platforms. A resource of `Plist` itself
// would add code that needs all of Foundation to every program on Linux.
