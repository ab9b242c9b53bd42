#if CommandLineTool
/// The help texts of `buddy`, written for this tool rather than copied from Apple's.
enum BuddyHelp {
  static let usage = """
    Usage: PlistBuddy [-cxlh] <file.plist>
        -c "<command>" run this command; without -c, read commands from a prompt
        -x print values as XML property lists
        -l do not follow symbolic links in the path of the file
        -h show the commands

    """

  static let text = """
    Commands, in upper or lower case:
        Help                           show this help
        Exit                           quit; without -c, unsaved changes are lost
        Save                           write the file
        Revert                         reread the file and discard changes
        Clear [<Type>]                 start over with an empty value or dict
        Print [<Entry>]                show an entry, or everything
        Set <Entry> <Value>            change the value of an entry
        Add <Entry> <Type> [<Value>]   add an entry, and the dicts that contain it
        Copy <Entry> <NewEntry>        copy the value of an entry to a new one
        Delete <Entry>                 remove an entry
        Merge <file.plist> [<Entry>]   add the entries of a file to a dict or array;
                                       keys that the dict already has are skipped
        Import <Entry> <file>          set a data entry to the bytes of a file

    Entries are keys and array indices from 0, each after a colon:
        :CFBundleShortVersionString
        :CFBundleDocumentTypes:2:CFBundleTypeExtensions
    A trailing colon stands for the index after an array's last element.
    Names with spaces need quotes. In a name, a colon or quote needs a backslash.

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
