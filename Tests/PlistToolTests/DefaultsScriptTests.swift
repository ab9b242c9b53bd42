#if CommandLineTool && os(Linux)
import Foundation
import Testing

@Suite("Scripts of plist-tool defaults")
struct DefaultsScriptTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  private func expect(_ script: String, gives output: String, errors: String = "") async throws {
    let preparation = "mkdir bin; ln -s \"$TOOL\" bin/defaults; PATH=$PWD/bin:$PATH\n"
    let result = try await folder.shell(preparation + script)
    #expect(result == ToolResult(stdout: output, stderr: errors))
  }

  private let noHosts =
    "-currentHost: warning: this system has no per-host defaults; using those of all hosts.\n"

  @Test("Preferences of the system's applications")
  func preferences() async throws {
    let script = #"""
      # General
      defaults write NSGlobalDomain AppleInterfaceStyle -string "Dark"
      defaults write NSGlobalDomain NSTableViewDefaultSizeMode -int 2
      defaults write NSGlobalDomain AppleShowScrollBars -string "Always"
      defaults write NSGlobalDomain NSWindowResizeTime -float 0.25
      defaults write NSGlobalDomain NSNavPanelExpandedStateForSaveMode -bool true
      defaults write NSGlobalDomain NSDocumentSaveNewDocumentsToCloud -bool false
      defaults write NSGlobalDomain NSAutomaticQuoteSubstitutionEnabled -bool NO
      # Keyboard, language, trackpad
      defaults write -g ApplePressAndHoldEnabled -bool false
      defaults write -g KeyRepeat -int 1
      defaults write -globalDomain InitialKeyRepeat -int 10
      defaults write NSGlobalDomain AppleLanguages -array "en" "nl-NL"
      defaults write NSGlobalDomain AppleLocale -string "en_GB@currency=EUR"
      defaults write NSGlobalDomain AppleMetricUnits -bool true
      defaults write NSGlobalDomain com.apple.swipescrolldirection -bool false
      defaults write NSGlobalDomain com.apple.trackpad.scaling 2.5
      defaults -currentHost write NSGlobalDomain com.apple.mouse.tapBehavior -int 1 || echo "status $?"
      # Screen
      defaults write com.apple.screencapture location -string "$HOST/Desktop"
      defaults write com.apple.screencapture type -string "png"
      defaults write com.apple.screencapture disable-shadow -bool true
      # Finder
      defaults write com.apple.finder QuitMenuItem -bool true
      defaults write com.apple.finder DisableAllAnimations -bool true
      defaults write com.apple.finder NewWindowTarget -string "PfDe"
      defaults write com.apple.finder NewWindowTargetPath -string "file://$HOST/Desktop/"
      defaults write com.apple.finder _FXShowPosixPathInTitle -bool true
      defaults write com.apple.finder FXDefaultSearchScope -string "SCcf"
      defaults write com.apple.finder FXPreferredViewStyle -string "Nlsv"
      defaults write com.apple.finder FXInfoPanesExpanded -dict General -bool true OpenWith -bool true Privileges -bool true
      defaults write com.apple.finder "FXArrangeGroupViewBy" Name
      defaults write com.apple.desktopservices DSDontWriteNetworkStores -bool true
      # Dock
      defaults write com.apple.dock tilesize -int 36
      defaults write com.apple.dock mineffect -string "scale"
      defaults write com.apple.dock autohide -bool true
      defaults write com.apple.dock autohide-delay -float 0
      defaults write com.apple.dock autohide-time-modifier -float 0.5
      defaults write com.apple.dock persistent-apps -array
      defaults write com.apple.dock persistent-apps -array-add '<dict><key>tile-type</key><string>spacer-tile</string></dict>'
      defaults write com.apple.dock persistent-others -array-add '{ "tile-data" = { path = "/Applications"; }; "tile-type" = "directory-tile"; }'
      defaults write com.apple.dock wvous-tl-corner -int 2
      defaults write com.apple.dock wvous-tl-modifier -int 0
      # Safari, Mail, Terminal
      defaults write com.apple.Safari HomePage -string "about:blank"
      defaults write com.apple.Safari AutoOpenSafeDownloads -bool false
      defaults write com.apple.Safari NSUserKeyEquivalents -dict-add "Merge All Windows" -string "@m"
      defaults write com.apple.Safari WebKitPreferences.zoom -float 1.5
      defaults write com.apple.mail NSUserKeyEquivalents -dict-add "Send" "@↩"
      defaults write com.apple.terminal StringEncodings -array 4
      defaults write com.apple.terminal "Default Window Settings" -string "Solarized Dark"
      defaults write com.apple.terminal "Default Window Settings" -string "Pro"
      defaults delete com.apple.finder DisableAllAnimations
      defaults delete com.apple.Safari AutoOpenSafeDownloads
      # What is set now
      defaults domains
      defaults read NSGlobalDomain
      defaults read com.apple.finder
      defaults read com.apple.dock
      defaults read com.apple.Safari
      defaults read com.apple.mail NSUserKeyEquivalents
      defaults read com.apple.terminal "Default Window Settings"
      defaults read com.apple.screencapture location; defaults read com.apple.screencapture disable-shadow
      defaults read-type com.apple.dock autohide-delay; defaults read-type com.apple.dock persistent-apps
      defaults read -g com.apple.trackpad.scaling; defaults read-type -g com.apple.trackpad.scaling
      defaults read -g AppleLanguages
      """#
    #expect(script.split(separator: "\n").count >= 60)
    try await expect(
      "HOST=/Users/ada\n" + script,
      gives: #"""
        com.apple.Safari, com.apple.desktopservices, com.apple.dock, com.apple.finder, com.apple.mail, com.apple.screencapture, com.apple.terminal
        {
            AppleInterfaceStyle = Dark;
            AppleLanguages =     (
                en,
                "nl-NL"
            );
            AppleLocale = "en_GB@currency=EUR";
            AppleMetricUnits = 1;
            ApplePressAndHoldEnabled = 0;
            AppleShowScrollBars = Always;
            InitialKeyRepeat = 10;
            KeyRepeat = 1;
            NSAutomaticQuoteSubstitutionEnabled = 0;
            NSDocumentSaveNewDocumentsToCloud = 0;
            NSNavPanelExpandedStateForSaveMode = 1;
            NSTableViewDefaultSizeMode = 2;
            NSWindowResizeTime = "0.25";
            "com.apple.mouse.tapBehavior" = 1;
            "com.apple.swipescrolldirection" = 0;
            "com.apple.trackpad.scaling" = "2.5";
        }
        {
            FXArrangeGroupViewBy = Name;
            FXDefaultSearchScope = SCcf;
            FXInfoPanesExpanded =     {
                General = 1;
                OpenWith = 1;
                Privileges = 1;
            };
            FXPreferredViewStyle = Nlsv;
            NewWindowTarget = PfDe;
            NewWindowTargetPath = "file:///Users/ada/Desktop/";
            QuitMenuItem = 1;
            "_FXShowPosixPathInTitle" = 1;
        }
        {
            autohide = 1;
            "autohide-delay" = 0;
            "autohide-time-modifier" = "0.5";
            mineffect = scale;
            "persistent-apps" =     (
                        {
                    "tile-type" = "spacer-tile";
                }
            );
            "persistent-others" =     (
                        {
                    "tile-data" =             {
                        path = "/Applications";
                    };
                    "tile-type" = "directory-tile";
                }
            );
            tilesize = 36;
            "wvous-tl-corner" = 2;
            "wvous-tl-modifier" = 0;
        }
        {
            HomePage = "about:blank";
            NSUserKeyEquivalents =     {
                "Merge All Windows" = "@m";
            };
            "WebKitPreferences.zoom" = "1.5";
        }
        {
            Send = "@\U21a9";
        }
        Pro
        /Users/ada/Desktop
        1
        Type is float
        Type is array
        2.5
        Type is string
        (
            en,
            "nl-NL"
        )

        """#, errors: noHosts)
  }

  @Test("An application's own settings, moved, copied and looked up")
  func containers() async throws {
    let script = #"""
      # A first start
      APP=com.example.Reader
      defaults read $APP 2> /dev/null || echo "first start"
      defaults write $APP '{ Theme = Light; Sizes = (10, 12, 14); Window = { x = 10; y = 20; }; }'
      defaults read $APP Theme
      defaults read $APP Sizes
      defaults read-type $APP Window
      # Lists
      defaults write $APP Recent -array "One.txt" "Two words.txt" 'quoted "name".txt'
      defaults write $APP Recent -array-add "Three.txt" "Four/Five.txt"
      defaults write $APP Flags -array -bool yes -bool no -int 7 -float 0.5 -string "-dash"
      defaults write $APP Empty -array
      defaults write $APP Nested -array '(a, (b, c))' '{ k = (); }' '<array><integer>1</integer></array>'
      defaults write $APP Blobs -array -data 00ff -date "2025-11-21T14:30:00Z"
      defaults read $APP Recent
      defaults read $APP Flags
      defaults read $APP Empty
      defaults read $APP Nested
      defaults read $APP Blobs
      # Dictionaries
      defaults write $APP Shortcuts -dict Open '@o' Close '@w'
      defaults write $APP Shortcuts -dict-add Close '@$w' 'Save As' '@~s'
      defaults write $APP Limits -dict pages -int 100 ratio -float 1.25 strict -bool true
      defaults write $APP Limits -dict-add names '(a, b)'
      defaults read $APP Shortcuts
      defaults read $APP Limits
      # Lines of a shell
      for size in 1 2 3; do
        defaults write $APP "Column $size" -int $((size * 40))
      done
      if [ "$(defaults read $APP 'Column 2')" = 80 ]; then echo "column set"; fi
      if defaults read $APP Missing > /dev/null 2>&1; then echo "never"; else echo "missing: $?"; fi
      COUNT=$(defaults read $APP Count 2> /dev/null || echo 0)
      defaults write $APP Count -int $((COUNT + 1))
      defaults read $APP Count
      defaults rename $APP Count Starts
      defaults read $APP Starts
      # Other domains
      defaults export $APP copy.plist
      defaults import com.example.Other copy.plist
      defaults delete com.example.Other Window
      defaults read com.example.Other Starts
      defaults domains | tr ',' '\n' | sed 's/^ //'
      defaults find Solarized
      defaults write com.example.Other Theme "Solarized Light"
      defaults find solarized
      defaults -currentHost read com.example.Other Theme
      # Paths
      defaults write "$PWD/settings" Key -string value
      defaults read "$PWD/settings.plist"
      defaults read "$PWD/settings" Key
      # The end
      defaults delete $APP Recent
      defaults read $APP Recent 2>&1 | sed 's/^/error: /'
      defaults delete $APP
      defaults delete com.example.Other
      defaults delete com.example.Other 2>&1
      echo "status $?"
      defaults domains
      ls config
      """#
    #expect(script.split(separator: "\n").count >= 60)
    try await expect(
      script,
      gives: #"""
        first start
        Light
        (
            10,
            12,
            14
        )
        Type is dictionary
        (
            "One.txt",
            "Two words.txt",
            "quoted \"name\".txt",
            "Three.txt",
            "Four/Five.txt"
        )
        (
            1,
            0,
            7,
            "0.5",
            "-dash"
        )
        (
        )
        (
                (
                a,
                        (
                    b,
                    c
                )
            ),
                {
                k =         (
                );
            },
                (
                1
            )
        )
        (
            {length = 2, bytes = 0x00ff},
            "2025-11-21 14:30:00 +0000"
        )
        {
            Close = "@$w";
            Open = "@o";
            "Save As" = "@~s";
        }
        {
            names =     (
                a,
                b
            );
            pages = 100;
            ratio = "1.25";
            strict = 1;
        }
        column set
        missing: 1
        1
        1
        1
        com.example.Other
        com.example.Reader
        No domain, key, nor value containing 'Solarized'
        Found 1 keys in domain 'com.example.Other': {
            Theme = "Solarized Light";
        }
        Solarized Light
        {
            Key = value;
        }
        value
        error: The domain/default pair of (com.example.Reader, Recent) does not exist
        Domain (com.example.Other) not found.
        Defaults have not been changed.
        status 1


        """#, errors: noHosts)
  }
}
#endif
