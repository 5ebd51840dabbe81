import type { Line } from './lines.ts'
import type { Told } from './told.ts'

export type States = { before: readonly Line[]; after: readonly Line[] }
/** `isMost`: more than half of what is there is new. */
type Changes = { text: string; count: number; isCut: boolean; isMost: boolean }

/**
 * The difference between two states of a page, in at most so many characters: `+` new, `-` gone, `~` changed state or name. New
 * texts that have been told already only count.
 */
export function changesBetween({ before, after }: States, { most, told }: { most: number; told: Told }): Changes {
  const beforeByRef = new Map(before.flatMap((line) => (line.ref === undefined ? [] : [[line.ref, line.text]])))
  const afterRefs = new Set(after.flatMap(({ ref }) => ref ?? []))
  const old = countTexts(before)
  const fresh = after.filter((line) => !takeOne(old, line.text))
  const untold = fresh.filter((line) => line.ref !== undefined || !told.has(line.text))
  const left = countTexts(after)
  const gone = before.flatMap((line) => {
    const stays = takeOne(left, line.text) || (line.ref !== undefined && afterRefs.has(line.ref))
    return stays ? [] : [`- ${line.text.length > 60 ? `${line.text.slice(0, 59)}…` : line.text}`]
  })
  const isKnown = ({ ref }: Line) => ref !== undefined && beforeByRef.has(ref)
  const all = [...untold.map((line) => `${isKnown(line) ? '~' : '+'} ${line.text}`), ...gone]
  const text = shortenTo(all, most)
  const isCut = all.join('\n').length > text.length
  return { text, count: fresh.length + gone.length, isCut, isMost: fresh.length > after.length / 2 }
}

function shortenTo(lines: readonly string[], most: number): string {
  const all = lines.join('\n')
  if (all.length <= most) return all
  const short = lines.map((line) => (line.length > 120 ? `${line.slice(0, 119)}…` : line))
  let size = 0
  const fits = short.findIndex((line) => (size += line.length + 1) > most - 40)
  const count = fits < 0 ? short.length : fits
  return `${short.slice(0, count).join('\n')}${count < short.length ? `\n… ${short.length - count} more changes` : ''}`
}

function countTexts(lines: readonly Line[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of lines) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function takeOne(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0
  if (count > 0) counts.set(text, count - 1)
  return count > 0
}
