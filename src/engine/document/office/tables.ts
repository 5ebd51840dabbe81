import { element } from './markup.ts'

export type TableCell = { html: string; colspan?: number | undefined; rowspan?: number | undefined }

/** A table of finished cells; the first `headRows` rows are its head. */
export function tableHtml(rows: readonly (readonly TableCell[])[], headRows: number, caption = ''): string {
  const filled = rows.filter((row) => row.length > 0)
  if (filled.length === 0) return ''
  const head = filled.slice(0, headRows).map((row) => rowHtml(row, 'th'))
  const body = filled.slice(headRows).map((row) => rowHtml(row, 'td'))
  return element(
    'table',
    (caption && element('caption', caption)) +
      (head.length > 0 ? element('thead', head.join('')) : '') +
      (body.length > 0 ? element('tbody', body.join('')) : ''),
  )
}

function rowHtml(cells: readonly TableCell[], name: 'th' | 'td'): string {
  return element('tr', cells.map(({ html, ...spans }) => element(name, html, spansOf(spans))).join(''))
}

const spansOf = ({ colspan, rowspan }: Omit<TableCell, 'html'>) => ({
  colspan: colspan !== undefined && colspan > 1 ? colspan : undefined,
  rowspan: rowspan !== undefined && rowspan > 1 ? rowspan : undefined,
})
