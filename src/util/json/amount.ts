/** What JSON may hold. Values are what commas set apart. */
export type JsonAmount = { depth: number; containers: number; keys: number; values: number }

/** Far more than a request that means well. */
const usualAmount: JsonAmount = { depth: 64, containers: 10_000, keys: 10_000, values: 30_000 }
/** The same with one long list of texts, which parses as fast as they are read. */
export const longListAmount: JsonAmount = { ...usualAmount, values: 130_000 }

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openMap, closeMap] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * What is too much in a JSON text; undefined when nothing is. To be asked before it is parsed: a megabyte of empty objects
 * takes a hundred times as long to parse as a megabyte of text, and thirty times its memory. The text need not be valid.
 */
export function jsonExcess(bytes: Uint8Array, most: JsonAmount = usualAmount): string | undefined {
  const { depth, containers, keys, values } = amountOf(bytes)
  if (depth > most.depth) return `nested more than ${most.depth} levels deep`
  if (containers > most.containers) return `more than ${most.containers} objects and lists`
  if (keys > most.keys) return `more than ${most.keys} fields`
  return values > most.values ? `more than ${most.values} values` : undefined
}

function amountOf(bytes: Uint8Array): JsonAmount {
  const counts = new Uint32Array(256)
  let [depth, most] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    counts[byte]! += 1
    if (byte === quote) at = stringEnd(bytes, at + 1)
    else if (byte === openList || byte === openMap) most = Math.max(most, (depth += 1))
    else if (byte === closeList || byte === closeMap) depth -= 1
  }
  const of = (byte: number) => counts[byte] ?? 0
  return { depth: most, containers: of(openList) + of(openMap), keys: of(colon), values: of(comma) }
}

/** The position of the quote that ends the string, or the end of the text. */
function stringEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}
