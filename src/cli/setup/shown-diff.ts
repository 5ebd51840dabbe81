import { structuredPatch } from 'diff'
import { harmless, type Style } from '../terminal.ts'

/** Lines around a change; few, since other entries may hold keys. */
const context = 2

/** What is about to change, as people know it from version control. */
export function shownDiff(before: string, after: string, style: Style): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context })
  const lines = hunks.flatMap((hunk) => [
    style('cyan', `@@ line ${Math.max(hunk.newStart, 1)} @@`),
    ...hunk.lines.filter((line) => !line.startsWith('\\')).map((line) => coloured(line.trimEnd(), style)),
  ])
  return lines.map((line) => `${line}\n`).join('')
}

function coloured(line: string, style: Style): string {
  const text = harmless(line)
  if (text.startsWith('+')) return style('green', text)
  return text.startsWith('-') ? style('red', text) : text
}
