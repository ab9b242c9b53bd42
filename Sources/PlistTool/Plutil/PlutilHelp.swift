#if CommandLineTool
/// The text of `plutil -help`, written for this tool rather than copied from Apple's.
enum PlutilHelp {
  static let text = """
    plutil: [verb] [options] file...
    Checks, shows, converts and edits property lists. The file - is standard input.

    Verbs (the default is -lint):
      -help                     show this help
      -lint                     check each file, and report the result
      -p                        show each file as a tree, for people
      -convert FORMAT           write each file in a format:
                                xml1, binary1, json, openStep, swift or objc;
                                after objc, -header also writes a header file
      -create FORMAT            write files with an empty dictionary
      -insert PATH TYPE VALUE   add a value at a new key; in an array, before
                                the element at that index or at the end;
                                -append after VALUE adds it to the end of the
                                array at PATH
      -replace PATH TYPE VALUE  add a value, or replace the value at PATH
      -remove PATH              remove a value
      -extract PATH FORMAT      write only the value at PATH: xml1, binary1, json,
                                openStep, swift, objc, or raw, which is text for
                                scripts: keys of a dictionary, the count of an
                                array, dates as in XML, data in base64
      -type PATH                print the type of the value at PATH
      -expect TYPE              after -extract PATH FORMAT or -type PATH: fail if
                                the value has another type

    PATH is keys and array indices joined by dots; \\. is a dot in a key.
    TYPE of a new value: -bool, -integer, -float, -string, -date (as in XML:
    2001-01-01T00:00:00Z), -data (base64), -xml, -json, and without a VALUE
    -dictionary and -array. A VALUE that is not of TYPE is an error, except that
    for -bool, yes and true are true, and any other VALUE is false.
    TYPE to expect: bool, integer, float, string, date, data, dictionary, array.

    Options:
      -o PATH       write to this file, - for standard output; by default the result
                    replaces the file, and raw values and types are printed
      -e EXTENSION  write to a file with this extension, next to the original
      -r            indent JSON and sort its keys
      -n            print raw values and types without a newline
      -s            print nothing for good files
      --            treat all following arguments as files

    Exits with 0 on success, and 1 otherwise.

    """
}
#endif
