import type { Line } from './lines.ts'

export type Changes = { text: string; count: number }

/** What of a page became different, at most so many characters: `+` new, `-` gone, `~` another state or name. */
export function changesBetween(before: readonly Line[], after: readonly Line[], maxCharacters: number): Changes {
  const beforeByRef = new Map(before.flatMap((line) => (line.ref === undefined ? [] : [[line.ref, line.text]])))
  const afterRefs = new Set(after.flatMap(({ ref }) => ref ?? []))
  const old = counted(before)
  const fresh = after.flatMap((line): string[] => {
    if (taken(old, line.text)) return []
    const was = line.ref === undefined ? undefined : beforeByRef.get(line.ref)
    return [was === undefined ? `+ ${line.text}` : `~ ${line.text}`]
  })
  const left = counted(after)
  const gone = before.flatMap((line) => {
    const stays = taken(left, line.text) || (line.ref !== undefined && afterRefs.has(line.ref))
    return stays ? [] : [`- ${line.text.length > 60 ? `${line.text.slice(0, 59)}…` : line.text}`]
  })
  const all = [...fresh, ...gone]
  return { text: within(all, maxCharacters), count: all.length }
}

function within(lines: readonly string[], most: number): string {
  const all = lines.join('\n')
  if (all.length <= most) return all
  const short = lines.map((line) => (line.length > 120 ? `${line.slice(0, 119)}…` : line))
  let size = 0
  const fits = short.findIndex((line) => (size += line.length + 1) > most - 40)
  const count = fits < 0 ? short.length : fits
  return `${short.slice(0, count).join('\n')}${count < short.length ? `\n… ${short.length - count} more changes` : ''}`
}

function counted(lines: readonly Line[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of lines) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function taken(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0
  if (count > 0) counts.set(text, count - 1)
  return count > 0
}
