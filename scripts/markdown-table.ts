export const code = (text: string) => `\`${text}\``
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Returns a Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n')

/** Replaces the texts of a page between `<!-- NAME -->` and `<!-- /NAME -->`, by name. */
export const withTables = (page: string, tables: Readonly<Record<string, string>>): string =>
  Object.entries(tables).reduce((text, [name, content]) => {
    const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`]
    const [before, rest = ''] = text.split(start)
    return `${before}${start}${content}${end}${rest.split(end)[1] ?? ''}`
  }, page)
