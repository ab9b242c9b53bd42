import Foundation

guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[2]) else {
  print("usage: RecordReader FILE COUNT    writes COUNT purchases to FILE, and reads them again one by one")
  exit(64)
}
do {
  let file = URL(filePath: CommandLine.arguments[1])
  let purchases = (0..<count).lazy.map { number in
    Purchase(id: number, customer: "customer \(number)", cents: number % 10_000, date: Date(), articles: ["tea"])
  }
  try write(purchases, to: file)
  let summary = try PurchaseSummary(of: file)
  print("\(summary.count) purchases, \(summary.cents) cents, \(summary.articles)")
} catch {
  print(error)
  exit(1)
}
