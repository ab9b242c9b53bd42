#!/usr/bin/env python3
"""Makes plist-tool.1 from what the tool says about itself.

Usage: make-manual.py PATH/TO/plist-tool > Documentation/plist-tool.1
"""

import json
import subprocess
import sys


def escape(text):
    """Returns text that roff takes literally, on one line."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def paragraphs(text):
    """Returns lines of roff for help text: paragraphs are filled, indented lines stay as they are."""
    lines = []
    literal = False
    for line in text.split("\n"):
        if line.startswith("  "):
            if not literal:
                lines.append(".Bd -literal")
            literal = True
            lines.append(escape(line[2:]))
            continue
        if literal:
            if not line:
                # Only the next line shows whether an empty line belongs to the literal block.
                lines.append("")
                continue
            while lines[-1] == "":
                lines.pop()
            lines.append(".Ed")
            literal = False
        if line == "EXAMPLES":
            lines += [".Pp", "Examples:"]
        elif line:
            lines += [".Pp", escape(line)]
    while literal and lines[-1] == "":
        lines.pop()
    return lines + ([".Ed"] if literal else [])


def spelled(name):
    return ("\\-\\-" if name["kind"] == "long" else "\\-") + escape(name["name"])


def option(argument):
    """Returns how an option is written, and what it is for."""
    value = escape(argument.get("valueName", ""))
    if argument["kind"] == "positional":
        head = f".It Ar {value}" + (" ..." if argument["isRepeating"] else "")
    else:
        head = ".It Sy " + " , ".join(spelled(name) for name in argument["names"])
        if argument["kind"] == "option":
            head += f" Ar {value}"
    text = argument.get("abstract", "")
    values = argument.get("allValues") or []
    if values and not all(value in text for value in values):
        text += f" One of {', '.join(values)}."
    if argument.get("defaultValue") and "default" not in text:
        text += f" The default is {argument['defaultValue']}."
    return [head, escape(text)]


def arguments(command):
    shown = [one for one in command.get("arguments", []) if one["shouldDisplay"]]
    # Arguments that all commands have are described once, for the tool itself.
    return [one for one in shown if not is_common(one)]


def is_common(argument):
    return {name["name"] for name in argument.get("names", [])} & {"help", "version"}


def synopsis(path, command):
    parts = [f".Nm {escape(path)}"]
    if any(one["kind"] != "positional" for one in arguments(command)):
        parts.append(".Op Ar options")
    for one in arguments(command):
        if one["kind"] == "positional":
            name = escape(one["valueName"]) + (" ..." if one["isRepeating"] else "")
            parts.append(f".Op Ar {name}" if one["isOptional"] else f".Ar {name}")
        elif not one["isOptional"]:
            parts.append(f".Sy {spelled(one['preferredName'])} Ar {escape(one['valueName'])}")
    return parts


def commands(command, path):
    """Yields every command below this one, with its full name."""
    for one in command.get("subcommands", []):
        if one["commandName"] == "help" or not one.get("shouldDisplay", True):
            continue
        name = f"{path} {one['commandName']}"
        yield name, one
        yield from commands(one, name)


def manual(tool):
    text = subprocess.run([tool, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    root = json.loads(text)["command"]
    name = root["commandName"]
    lines = [
        '.\\" Made by make-manual.py; do not edit.',
        f".Dd November 2026\n.Dt {name.upper()} 1\n.Os\n.Sh NAME\n.Nm {name}",
        f".Nd {escape(root['abstract'].rstrip('.').lower())}\n.Sh SYNOPSIS",
        f".Nm {name}\n.Ar command\n.Op Ar options\n.Op Ar arguments\n.Sh DESCRIPTION",
    ]
    lines += paragraphs(root["discussion"])
    lines += [".Sh OPTIONS", ".Bl -tag -width indent"]
    for one in root["arguments"]:
        lines += option(one)
    lines += [".It Sy \\-\\-generate\\-completion\\-script Ar shell", "Prints completions for zsh, bash or fish.", ".El"]
    lines.append(".Sh COMMANDS")
    for path, command in commands(root, name):
        lines += [f".Ss {escape(path[len(name) + 1:])}", escape(command["abstract"]), ".Bd -ragged -offset indent"]
        lines += synopsis(path, command) + [".Ed"]
        lines += paragraphs(command.get("discussion", ""))
        if arguments(command):
            lines += [".Bl -tag -width indent"]
            for one in arguments(command):
                lines += option(one)
            lines.append(".El")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(manual(sys.argv[1]))
