import type { Converted, Source } from '../converter.ts'
import { refuse } from '../zip/refuse.ts'
import { metadataFrom } from './metadata.ts'
import { readRtfContent } from './rtf-reader.ts'

/** Reads a Rich Text Format file (RTF 1.9.1). */
export function readRtf({ bytes }: Source): Converted {
  const start = String.fromCharCode(...bytes.subarray(0, 200))
  if (!/^(?:\u00EF\u00BB\u00BF)?\s*\{\\rtf/.test(start)) refuse('The file is no RTF document.')
  const { html, facts } = readRtfContent(bytes)
  // Some writers add who saved the file last as one more author.
  const author = facts.find(([name]) => name === 'dc:creator')
  return { html, metadata: metadataFrom(facts.filter((fact) => fact[0] !== 'dc:creator' || fact === author)) }
}
