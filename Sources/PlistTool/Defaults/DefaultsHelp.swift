#if CommandLineTool
/// The help text of `defaults`, written for this tool rather than copied from Apple's.
enum DefaultsHelp {
  static let text = """
    Reads and writes user defaults.

    Verbs:
      read                                  show all domains
      read <domain> [<key>]                 show a domain, or the value of a key
      read-type <domain> <key>              show the type of a value
      write <domain> <contents>             replace the contents of a domain
      write <domain> <key> <value>          set the value of a key
      rename <domain> <key> <new key>       rename a key
      delete <domain> [<key>]               delete a domain, or a key
      import <domain> <file>                set the keys from a property list;
                                            - is standard input
      export <domain> <file>                write a domain as a binary property
                                            list, or as XML to -
      domains                               list the domains
      find <word>                           show entries with a word in their
                                            domain, key or value
      help                                  show this help

    <domain> is a name, -app <application>, -g, -globalDomain or NSGlobalDomain for
    the global domain, or the path of a file, with or without .plist.

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
