import { tableHtml } from '../markup/block-markup.ts'
import { element, escapeHtml } from '../markup/inline-markup.ts'
import { at, child, childrenOf, firstWithin, textOf, within, type XmlElement } from './xml-stream.ts'

const maxPoints = 500

/** Renders the numbers of a chart of Office as a table, or the words of a diagram as a list. */
export function chartHtml(root: XmlElement | undefined): string {
  if (root?.name === 'c:chartSpace') return numbersHtml(root)
  const words = [...within(root, 'dgm:pt')].map((point) =>
    [...within(child(point, 'dgm:t'), 'a:p')]
      .map((line) => [...within(line, 'a:t')].map(textOf).join(''))
      .join(' ')
      .trim(),
  )
  const items = words.filter(Boolean).map((text) => element('li', escapeHtml(text)))
  return items.length > 0 ? element('ul', items.join('')) : ''
}

function numbersHtml(root: XmlElement): string {
  const title = [...within(at(root, 'c:chart', 'c:title'), 'a:t')].map(textOf).join('')
  const series = [...within(at(root, 'c:chart', 'c:plotArea'), 'c:ser')]
  const columns = series.map((one) => valuesOf(child(one, 'c:val') ?? child(one, 'c:yVal')))
  const [labels = []] = series.map((one) => valuesOf(child(one, 'c:cat') ?? child(one, 'c:xVal')))
  const names = series.map((one) => valuesOf(child(one, 'c:tx'))[0] ?? '')
  const length = Math.max(labels.length, ...columns.slice(0, 50).map((column) => column.length))
  if (length === 0) return title ? element('p', escapeHtml(title)) : ''
  const rows = Array.from({ length }, (_, i) => [labels[i] ?? '', ...columns.map((column) => column[i] ?? '')])
  const cells = [['', ...names], ...rows].map((row) => row.map((text) => ({ html: escapeHtml(text) })))
  return tableHtml(cells, 1, escapeHtml(title))
}

/** Returns the cached values of workbook cells. */
function valuesOf(source: XmlElement | undefined): string[] {
  const cache =
    firstWithin(source, 'c:strCache') ?? firstWithin(source, 'c:numCache') ?? firstWithin(source, 'c:multiLvlStrCache')
  const values: string[] = []
  for (const point of childrenOf(firstWithin(cache, 'c:lvl') ?? cache, 'c:pt')) {
    const index = Number(point.attributes['idx'])
    if (index >= 0 && index < maxPoints) values[index] = textOf(child(point, 'c:v'))
  }
  return Array.from(values, (value) => value ?? '')
}
