print("plist-tool")
