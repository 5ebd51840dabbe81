import type { Style } from '../terminal.ts'

/** Terminals are at least this wide, and a line that is longer is hard to read. */
export const width = 80

/** Lines of at most `room` columns; a word that is longer stands alone. */
export function wrapped(text: string, room = width): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= room) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Two columns: names, and what is said of them. */
export function columns(rows: readonly (readonly [name: string, about: string])[], style: Style, indent = 2): string[] {
  const named = Math.max(...rows.map(([name]) => name.length))
  const left = indent + named + 2
  return rows.flatMap(([name, about]) =>
    wrapped(about, width - left).map((line, at) =>
      at === 0
        ? `${' '.repeat(indent)}${style('bold', name)}${' '.repeat(named - name.length + 2)}${line}`.trimEnd()
        : `${' '.repeat(left)}${line}`,
    ),
  )
}

export const section = (title: string, lines: readonly string[], style: Style): string[] =>
  lines.length === 0 ? [] : ['', style(['bold', 'underline'], title), ...lines]
