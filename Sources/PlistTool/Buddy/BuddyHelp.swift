#if CommandLineTool
/// What PlistBuddy says of itself, in words of our own.
enum BuddyHelp {
  static let usage = """
    Usage: PlistBuddy [-cxlh] <file.plist>
        -c "<command>" run this command; with none the commands are asked for
        -x print values as XML property lists
        -l do not follow symbolic links in the path of the file
        -h show what commands there are

    """

  static let text = """
    Commands, in upper or lower case:
        Help                           show this
        Exit                           end; changes that are not saved are lost
        Save                           write the file
        Revert                         read the file again; changes are lost
        Clear [<Type>]                 begin anew with an empty value, or a dict
        Print [<Entry>]                show an entry, or everything
        Set <Entry> <Value>            give an entry another value of its type
        Add <Entry> <Type> [<Value>]   make an entry, and the dicts that it is in
        Copy <Entry> <NewEntry>        make an entry of another's value
        Delete <Entry>                 remove an entry
        Merge <file.plist> [<Entry>]   add what a file has to a dict or an array; in
                                       a dict, keys that are there are skipped
        Import <Entry> <file>          make an entry of the bytes of a file, as data

    Entries are keys and positions in arrays, counted from 0, each behind a colon:
        :CFBundleShortVersionString
        :CFBundleDocumentTypes:2:CFBundleTypeExtensions
    A colon at the end is the place behind an array's last element. Quotation marks
    are for names with spaces; a backslash takes a colon or a mark into a name.

    Types:
        string array dict bool real integer date data

    Dates are written as they are shown, "Fri Nov 21 14:30:00 UTC 2025", or as in
    XML, 2025-11-21T14:30:00Z.

    Examples:
        Set :CFBundleIdentifier com.example.app
        Add :CFBundleGetInfoString string "App version 1.0.1"
        Add :CFBundleDocumentTypes: dict
        Add :CFBundleDocumentTypes:0 dict
        Delete :CFBundleDocumentTypes:0

    """
}
#endif
