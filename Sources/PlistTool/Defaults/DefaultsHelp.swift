#if CommandLineTool
/// What defaults says of itself, in words of our own.
enum DefaultsHelp {
  static let text = """
    Reads and writes user defaults.

    Verbs:
      read                                  show all domains
      read <domain> [<key>]                 show a domain, or the value of a key
      read-type <domain> <key>              show the type of a value
      write <domain> <contents>             give a domain these contents alone
      write <domain> <key> <value>          set the value of a key
      rename <domain> <key> <new key>       give a value another key
      delete <domain> [<key>]               delete a domain, or a key
      import <domain> <file>                set the keys that a property list has;
                                            - is standard input
      export <domain> <file>                write a domain as a binary property
                                            list; to - as XML
      domains                               list the domains
      find <word>                           show the entries with a word in their
                                            domain, key or value
      help                                  show this

    <domain> is a name, -app <application>, -g, -globalDomain or NSGlobalDomain for
    the global domain, or the path of a file, of which .plist may be left out.

    <value> is one of:
      <text>                                a string, or a property list if it
                                            begins with one of { ( < "
      -string <text>                        -date <date>
      -int[eger] <number>                   -data <hexadecimal digits>
      -float <number>                       -bool[ean] (true | false | yes | no)
      -array <value> ...                    -array-add <value> ...
      -dict <key> <value> ...               -dict-add <key> <value> ...

    """
}
#endif
