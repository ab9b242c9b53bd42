#!/usr/bin/env python3
"""Compiles random models with `@PlistCodable`, and compares their coding with `Codable`.

    Fuzz/check-models.py
    Fuzz/check-models.py --models 50 --documents 10 --seed 7 --release

The script writes a package to --folder, with the same models in two modules, in one of them with the macro. It prints
how long each takes to compile.

The package's program then decodes random documents, half of them with one mistake. It compares the values or errors of
both ways, and the XML and binary documents they encode. Errors must have the same type, message, position and key path.
The script fails if anything differs.
"""

import argparse
import datetime
import pathlib
import plistlib
import random
import subprocess
import sys
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXTS = ["", "a", "text", "longer than fifteen bytes", "Größe", "日本語", "<&>", "💡 two\nlines", "true", "12"]
# Each scalar's Swift type, and a function that returns a random value.
SCALARS = {
    "String": lambda r: r.choice(TEXTS),
    "Bool": lambda r: r.random() < 0.5,
    "Int": lambda r: r.choice([0, -1, 1 << 40, r.randrange(1 << 20)]),
    "Int8": lambda r: r.randrange(-128, 128),
    "UInt16": lambda r: r.randrange(1 << 16),
    "UInt64": lambda r: r.choice([0, (1 << 64) - 1, r.randrange(1 << 30)]),
    "Double": lambda r: r.choice([0.5, -1e100, 3.0, r.random()]),
    "Float": lambda r: r.choice([0.5, -2.0, 3.0]),
    "Date": lambda r: datetime.datetime(2001, 1, 1) + datetime.timedelta(seconds=r.randrange(1 << 30)),
    "Data": lambda r: bytes(r.randrange(256) for _ in range(r.randrange(20))),
    "UUID": lambda r: str(uuid.UUID(int=r.getrandbits(128), version=4)).upper(),
    "URL": lambda r: {"relative": "https://example.org/" + str(r.randrange(100))},
    "PropertyList": lambda r: r.choice(["a", 1, [True, 0.5], {"b": b"c"}]),
    "OnlyCodable": lambda r: {"name": r.choice(TEXTS), "value": r.randrange(100)},
}
WORDS = ["name", "size", "url", "default", "self", "class", "items", "isOn", "date", "value", "key", "decoder",
         "encoder", "result", "count", "root", "host", "port", "mode", "tags"]
KEYWORDS = {"default", "self", "class"}
ONLY_CODABLE = "package struct OnlyCodable: Codable {\n  var name: String\n  var value: Int\n}\n"


class Missing(Exception):
    """An optional value that is left out of its dictionary."""


class Models:
    def __init__(self, count, seed):
        self.random = random.Random(seed)
        self.names, self.fields, self.kinds, self.sources = [], {}, {}, []
        # How many values a model usually has, to limit the size of those that contain it.
        self.sizes = {}
        for number in range(count):
            self.add(f"Model{number}")

    def type(self, depth=0):
        r = self.random
        choice = r.random()
        if depth < 3 and choice < 0.12:
            return ("array", self.type(depth + 1))
        if depth < 3 and choice < 0.2:
            return ("dictionary", self.type(depth + 1))
        if depth < 3 and choice < 0.35:
            return ("optional", self.type(depth + 1))
        small = [name for name in self.names if self.sizes[name] <= 100]
        if small and choice < 0.55:
            return ("model", r.choice(small[-20:]))
        return ("scalar", r.choice(list(SCALARS)))

    def add(self, name):
        r = self.random
        kind = r.choices(["struct", "final class", "enum", "raw"], [6, 1, 2, 1])[0]
        lines = []
        if kind == "raw":
            cases = r.sample([word for word in WORDS if word != "self"], 3)
            self.fields[name] = cases
            head = f"enum {name}: String, Codable"
            lines = [f"  case {self.written(case)}" for case in cases]
        elif kind == "enum":
            self.fields[name] = []
            for case in r.sample([word for word in WORDS if word != "self"], r.randrange(1, 4)):
                parameters = []
                for index in range(r.randrange(4)):
                    label = r.choice(["", f"{r.choice(['first', 'other', 'decoder'])}{index}"])
                    parameters.append((label or f"_{index}", label, self.type()))
                self.fields[name].append((case, [(key, type) for key, _, type in parameters]))
                listed = ", ".join((f"{label}: " if label else "") + self.swift(type) for _, label, type in parameters)
                lines.append(f"  case {self.written(case)}" + (f"({listed})" if parameters else ""))
            head = f"indirect enum {name}: Codable"
        else:
            words = r.sample(WORDS, r.randrange(1, 12))
            keys = {word: r.choice([word, word, word.upper(), f"{word} é"]) for word in words}
            fields = [(word, keys[word], self.type()) for word in words]
            self.fields[name] = [(key, type) for _, key, type in fields]
            lines = [f"  {r.choice(['var', 'let'])} {self.written(word)}: {self.swift(type)}"
                     for word, _, type in fields]
            if any(word != key for word, key in keys.items()):
                lines += ["", "  enum CodingKeys: String, CodingKey {"]
                lines += [f"    case {self.written(word)}" + (f' = "{key}"' if word != key else "")
                          for word, key in keys.items()]
                lines.append("  }")
            head = f"{kind} {name}: Codable"
        self.kinds[name] = kind
        self.sizes[name] = len(plistlib.dumps(self.model(name))) // 50
        self.names.append(name)
        self.sources.append("package " + head + " {\n" + "\n".join(lines) + "\n}\n")

    @staticmethod
    def written(name):
        return f"`{name}`" if name in KEYWORDS else name

    def swift(self, type):
        kind, inner = type
        if kind in ("scalar", "model"):
            return inner
        text = self.swift(inner)
        return {"array": f"[{text}]", "dictionary": f"[String: {text}]", "optional": f"{text}?"}[kind]

    def value(self, type):
        """Returns a random value as plistlib represents it; raises Missing for nil."""
        r, (kind, inner) = self.random, type
        if kind == "scalar":
            return SCALARS[inner](r)
        if kind == "array":
            return [self.element(inner) for _ in range(r.randrange(4))]
        if kind == "dictionary":
            return {key: self.element(inner) for key in r.sample(TEXTS, r.randrange(3))}
        if kind == "optional":
            if r.random() < 0.4:
                raise Missing
            return self.value(inner)
        return self.model(inner)

    def element(self, type):
        try:
            return self.value(type)
        except Missing:
            return "$null"

    def model(self, name):
        kind, fields = self.kinds[name], self.fields[name]
        if kind == "raw":
            return self.random.choice(fields)
        if kind == "enum":
            case, parameters = self.random.choice(fields)
            return {case: self.pairs(parameters)}
        return self.pairs(fields)

    def pairs(self, fields):
        pairs = {}
        for key, type in self.random.sample(fields, len(fields)):
            try:
                pairs[key] = self.value(type)
            except Missing:
                pass
        if self.random.random() < 0.2:
            pairs["unread"] = [1]
        return pairs

    def damage(self, value):
        """Returns the value with one mistake, or for some types with none."""
        r = self.random
        if isinstance(value, (dict, list)) and value and r.random() < 0.8:
            keys = list(value) if isinstance(value, dict) else range(len(value))
            key = r.choice(keys)
            copy = value.copy()
            choice = r.random()
            if isinstance(value, dict) and choice < 0.2:
                del copy[key]
            elif isinstance(value, dict) and choice < 0.3:
                copy = {(f"{name}x" if name == key else name): item for name, item in value.items()}
            else:
                copy[key] = self.damage(value[key])
            return copy
        return r.choice(["wrong", 5, -1, 1e300, True, b"x", [], {}, {"a": 1}, datetime.datetime(2020, 1, 1), "$null"])


def sources(models, has_macros):
    imports = "import Foundation\n" + ("import Plist\nimport PlistMacros\n" if has_macros else "import Plist\n")
    mark = "@PlistCodable\n" if has_macros else ""
    return imports + "\n" + ONLY_CODABLE + "\n" + "\n".join(mark + source for source in models.sources)


MAIN = """
import CodableModels
import Foundation
import Plist

struct ThroughCodable<Value: Codable>: Codable {
  let value: Value

  init(_ value: Value) { self.value = value }
  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

func text(_ error: any Error) -> String {
  guard let error = error as? DecodingError, let position = error.plistError else { return "\\(error)" }
  // The code that Swift generates for an enum words a wrong number of keys differently from the macro.
  if case .typeMismatch(let type, _) = error,
    "\\(error)".contains("Invalid number of keys") || "\\(error)".contains("exactly one of the keys")
  {
    return "number of keys of \\(type) \\(position.offset) \\(position.path?.description ?? "")"
  }
  return "\\(error)\\n\\(position)"
}

/// Encodes `direct` directly and `codable` through `Codable`, and returns the difference.
func difference(_ direct: some PlistEncodable, codable: some Encodable, _ encoder: PlistEncoder) -> [String] {
  let documents = (Result { try encoder.encode([direct]) }, Result { try encoder.encode([codable]) })
  switch documents {
  case (.success(let a), .success(let b)): return a == b ? [] : ["\\(encoder.outputFormat): different documents"]
  case (.failure(let a), .failure(let b)): return "\\(a)" == "\\(b)" ? [] : ["\\(encoder.outputFormat): \\(a)\\n\\(b)"]
  default: return ["\\(encoder.outputFormat): one way fails to encode"]
  }
}

/// Decodes a type with the macro and the same type without it, and encodes both values. Returns the differences, and
/// whether the document was decoded.
func compare<Direct: Codable & PlistCodable, Plain: Codable>(
  _ direct: Direct.Type, _ plain: Plain.Type, _ data: Data
) -> (differences: [String], isValid: Bool) {
  let decoder = PlistDecoder()
  let direct = Result { try decoder.decode(direct, from: data) }
  let codable = Result { try decoder.decode(plain, from: data) }
  switch (direct, codable) {
  case (.success(let direct), .success(let codable)):
    var differences: [String] = []
    for format in [PlistFormat.xml, .binary] {
      differences += difference(direct, codable: ThroughCodable(direct), PlistEncoder(outputFormat: format))
      // Equal dictionaries can have different orders, so documents of two values need sorted keys.
      let sorted = PlistWriteOptions(sortedKeys: true)
      differences += difference(direct, codable: codable, PlistEncoder(outputFormat: format, options: sorted))
    }
    return (differences, true)
  case (.failure(let direct), .failure(let codable)):
    let (direct, codable) = (text(direct), text(codable))
    return (direct == codable ? [] : ["direct:  \\(direct)\\ncodable: \\(codable)"], false)
  case (.success, .failure(let error)): return (["direct accepts, codable: \\(text(error))"], false)
  case (.failure(let error), .success): return (["codable accepts, direct: \\(text(error))"], false)
  }
}

func compare(_ model: Substring, _ data: Data) -> (differences: [String], isValid: Bool) {
  switch model {
@CASES@
  default: fatalError("no model \\(model)")
  }
}

var (valid, invalid, failures) = (0, 0, 0)
for name in try FileManager.default.contentsOfDirectory(atPath: CommandLine.arguments[1]).sorted() {
  let data = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1] + "/" + name))
  let (differences, isValid) = compare(name.prefix { $0 != "-" }, data)
  if isValid { valid += 1 } else { invalid += 1 }
  for difference in differences {
    print("\\(name): \\(difference)")
    failures += 1
  }
}
print("\\(valid) documents decoded, \\(invalid) refused, \\(failures) differences")
exit(failures == 0 && valid > 0 && invalid > 0 ? 0 : 1)
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=200, help="the number of models (200)")
    parser.add_argument("--documents", type=int, default=20, help="the number of documents for each model (20)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the random numbers (1)")
    parser.add_argument("--release", action="store_true", help="compile with optimization")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".build" / "models", help="the package's folder")
    arguments = parser.parse_args()

    models = Models(arguments.models, arguments.seed)
    package = arguments.folder
    for target in ("CodableModels", "MacroModels", "Modules"):
        (package / "Sources" / target).mkdir(parents=True, exist_ok=True)
    product = f'.product(name: "{{}}", package: "{ROOT.name}")'
    (package / "Package.swift").write_text(f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Models", platforms: [.macOS(.v15)],
  dependencies: [.package(path: "{ROOT}", traits: ["Macros"])],
  targets: [
    .target(name: "Modules", dependencies: [{product.format("Plist")}, {product.format("PlistMacros")}]),
    .target(name: "CodableModels", dependencies: [{product.format("Plist")}, {product.format("PlistMacros")}]),
    .executableTarget(
      name: "MacroModels",
      dependencies: ["CodableModels", {product.format("Plist")}, {product.format("PlistMacros")}]),
  ])
""")
    (package / "Sources/CodableModels/Models.swift").write_text(sources(models, has_macros=False))
    (package / "Sources/MacroModels/Models.swift").write_text(sources(models, has_macros=True))
    cases = "\n".join(
        f'  case "{name}": compare({name}.self, CodableModels.{name}.self, data)' for name in models.names)
    program = package / "Sources/MacroModels/main.swift"
    program.write_text("")

    configuration = "release" if arguments.release else "debug"

    def forget(target):
        """Removes the results of earlier builds of a target."""
        folder = package / ".build" / configuration / f"{target}.build"
        for file in folder.glob("*"):
            if file.suffix in (".o", ".priors", ".swiftdeps", ".d"):
                file.unlink()

    def build(*more):
        start = time.monotonic()
        result = subprocess.run(
            ["swift", "build", "--package-path", package, "-c", configuration, *more],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            sys.exit(result.stdout[-4000:])
        return time.monotonic() - start

    # Compiled first, so that only the models are timed.
    (package / "Sources/Modules/Modules.swift").write_text("import Foundation\nimport Plist\nimport PlistMacros\n")
    build("--target", "Modules")
    times = {}
    for target in ("CodableModels", "MacroModels"):
        forget(target)
        times[target] = build("--target", target)
        print(f"{target}: {arguments.models} models compile in {times[target]:.1f} s", flush=True)
    print(f"ratio: {times['MacroModels'] / times['CodableModels']:.2f}", flush=True)

    documents = package / "Documents"
    documents.mkdir(exist_ok=True)
    for old in documents.iterdir():
        old.unlink()
    for name in models.names:
        for number in range(arguments.documents):
            value = models.element(("model", name))
            if number % 2:
                value = models.damage(value)
            form = models.random.choice([plistlib.FMT_XML, plistlib.FMT_BINARY])
            (documents / f"{name}-{number}").write_bytes(plistlib.dumps(value, fmt=form, sort_keys=False))
    program.write_text(MAIN.replace("@CASES@", cases))
    forget("MacroModels")
    build()
    binary = package / ".build" / configuration / "MacroModels"
    sys.exit(subprocess.run([binary, documents]).returncode)


if __name__ == "__main__":
    main()
