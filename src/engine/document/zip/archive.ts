import { Inflate } from 'fflate'
import { compressedBytes, type Entry, normalPath, readDirectory, truncated } from './zip-directory.ts'
import { boundless, type Budget } from '../converter.ts'
import { refuse } from '../refuse.ts'

export type ZipLimits = {
  /** Maximum bytes of one part after inflation. */
  maxEntryBytes: number
  /** Maximum bytes of all requested parts. */
  maxTotalBytes: number
  /** Maximum ratio of inflated to compressed bytes, checked once a part has produced some megabytes. */
  maxRatio: number
}
const defaultLimits: ZipLimits = { maxEntryBytes: 100_000_000, maxTotalBytes: 200_000_000, maxRatio: 400 }
const ratioFromBytes = 8_000_000
/** The budget is checked before each chunk of this size. */
const pieceBytes = 65_536
/** Bytes inflated at a time. Deflate expands a byte to at most 1032 bytes, so each push produces at most 8.5 MB. */
const pushBytes = 8192

export type Archive = {
  /** Paths from the root, with forward slashes, in their original case. */
  names: readonly string[]
  has(name: string): boolean
  /**
   * Inflates while being read, so stopping early saves the rest. Yields nothing for a missing name, and stops once the
   * budget is used up.
   */
  chunks(name: string): Generator<Uint8Array>
}

/**
 * Opens a zip file without inflating anything; parts are inflated on request, names are case-insensitive. Throws
 * SCRAPE_UNSUPPORTED_FILE_ERROR, here if the file is not a complete zip file, later for a part that is encrypted,
 * damaged or beyond the limits.
 */
export function openArchive(bytes: Uint8Array, budget: Budget = boundless, limits: Partial<ZipLimits> = {}): Archive {
  const caps = { ...defaultLimits, ...limits }
  const entries = new Map(readDirectory(bytes).map((entry) => [entry.name.toLowerCase(), entry]))
  const find = (name: string) => entries.get(normalPath(name).toLowerCase())
  let total = 0

  function* chunks(name: string): Generator<Uint8Array> {
    const entry = find(name)
    if (!entry) return
    let size = 0
    for (const chunk of inflated(entry, compressedBytes(bytes, entry))) {
      size += chunk.data.length
      total += chunk.data.length
      if (size > caps.maxEntryBytes || total > caps.maxTotalBytes) tooLarge()
      if (size > ratioFromBytes && size > chunk.consumed * caps.maxRatio) tooLarge()
      for (let at = 0; at < chunk.data.length; at += pieceBytes) {
        if (budget.isSpent()) return
        yield chunk.data.subarray(at, at + pieceBytes)
      }
    }
  }

  return {
    names: [...entries.values()].map(({ name }) => name),
    has: (name) => find(name) !== undefined,
    chunks,
  }
}

function tooLarge(): never {
  return refuse('The file is too large once decompressed.', { hint: 'Use a smaller file.' })
}

function* inflated({ method }: Entry, compressed: Uint8Array): Generator<{ data: Uint8Array; consumed: number }> {
  if (method !== 0 && method !== 8) refuse('The file uses an unknown method of compression.')
  const stored = method === 0
  let data: Uint8Array[] = []
  const inflate = new Inflate((chunk) => data.push(chunk))
  const step = stored ? 1_000_000 : pushBytes
  for (let at = 0; at < compressed.length; at += step) {
    const piece = compressed.subarray(at, at + step)
    const consumed = at + piece.length
    if (stored) yield { data: piece, consumed }
    else push(inflate, piece, consumed === compressed.length)
    for (const chunk of data) yield { data: chunk, consumed }
    data = []
  }
}

function push(inflate: Inflate, piece: Uint8Array, isLast: boolean): void {
  try {
    // Copies the chunk, because the library retains parts of its input, which here is a view of the whole file.
    inflate.push(piece.slice(), isLast)
  } catch (cause) {
    truncated(cause)
  }
}
