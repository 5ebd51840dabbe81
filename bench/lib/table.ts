/** A Markdown table whose columns line up in a terminal; all but the first are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, 3, ...rows.map((row) => row[column]?.length ?? 0)))
  const padded = (cells: readonly string[]) => line(widths.map((width, at) => pad(cells[at] ?? '', width, at)))
  const rule = line(widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)))
  return [padded(head), rule, ...rows.map(padded)].join('\n')
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const pad = (cell: string, width: number, at: number) => (at === 0 ? cell.padEnd(width) : cell.padStart(width))
