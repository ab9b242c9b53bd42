// Carries the privacy manifest of `Plist`, which reads file times and sizes to replace files safely and notice changes.
//
// The manifest has a separate module, which `Plist` depends on only on Apple platforms. As a resource of `Plist`
// itself, it would add code to every program on Linux that needs all of Foundation.
