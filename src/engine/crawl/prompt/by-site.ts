import { decoded } from '../scope/encoding.ts'
import type { Reading } from './by-rules.ts'
import { reason } from './draft.ts'
import type { Section } from './known-pages.ts'
import { escaped, maxPaths } from './paths.ts'

/** Takes words that no rule knows for parts of the site where the site has folders of that name. Pure. */
export function sharpenBySite(reading: Reading, sections: readonly Section[]): Reading {
  const { options, reasons, leftover } = reading
  // Beside a part that was understood, such a word rather says what is looked for there.
  if (options.includePaths || options.crawlEntireDomain) return reading
  const wanted = new Map(leftover.map((word) => [named(word), word]))
  const found = sections.flatMap(({ path }) => {
    const word = wanted.get(named((decoded(path) ?? path).slice(1)))
    return word !== undefined && isFirst(path) ? [{ path, word }] : []
  })
  if (found.length === 0) return reading
  const used = new Set(found.map(({ word }) => word))
  const includePaths = found.map(({ path }) => `^${escaped(path)}(?:/|$)`)
  return {
    ...reading,
    options: { ...options, includePaths: [...new Set(includePaths)].slice(0, maxPaths) },
    reasons: { ...reasons, includePaths: reason('site', [...used]) },
    leftover: leftover.filter((word) => !used.has(word)),
  }
}

const isFirst = (path: string) => path.lastIndexOf('/') === 0

/** Singular and plural are one name. */
const named = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/(?<=\p{L}{3})s$/u, '')
