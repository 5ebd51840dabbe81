import { usableHref } from '../markup/markup.ts'
import { type Area, cellHtml, type SheetCell } from '../markup/sheets.ts'
import { child, childrenOf, elementsOf, numberOf, textOf } from '../xml/tree.ts'
import type { XmlElement } from '../xml/xml.ts'
import { type DateSystem, formatValue } from './number-format.ts'

const maxReference = 40
const maxFormula = 8192

/** What the cells of all sheets share. */
export type Workbook = {
  strings: readonly string[]
  /** Format codes by the style number of a cell. */
  formats: readonly (string | undefined)[]
  dateSystem: DateSystem
}

/** Cells of a row that show something. */
export function cellsOf(row: XmlElement, workbook: Workbook, isHidden: (column: number) => boolean): SheetCell[] {
  let next = 0
  return childrenOf(row, 's:c').flatMap((cell) => {
    const column = columnOf(cell.attributes['r']) ?? next
    next = column + 1
    if (isHidden(column)) return []
    const html = cellHtml(shownText(cell, workbook))
    if (html.trim() === '') return []
    const href = linkInFormula(textOf(child(cell, 's:f')))
    return [{ column, html: href ? `<a href="${cellHtml(href)}">${html}</a>` : html }]
  })
}

/** What the cell shows: formulas are not worked out, their last result is in the file. */
function shownText(cell: XmlElement, { strings, formats, dateSystem }: Workbook): string {
  const { t: type = 'n', s: style } = cell.attributes
  if (type === 'inlineStr') return richText(child(cell, 's:is'))
  const value = textOf(child(cell, 's:v'))
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : value === '' ? '' : 'FALSE'
  if (type === 'd') return value.replace(/T00:00:00(?:\.0*)?Z?$/, '').replace('T', ' ')
  const number = type === 'n' ? numberOf(value) : undefined
  return number === undefined ? unescapeText(value) : formatValue(number, formats[Number(style ?? 0)], dateSystem)
}

/** Text of a string in runs; readings for East Asian signs are no part of it. */
export function richText(parent: XmlElement | undefined): string {
  const parts = elementsOf(parent).map((part) => {
    if (part.name === 's:t') return textOf(part)
    return part.name === 's:r' ? childrenOf(part, 's:t').map(textOf).join('') : ''
  })
  return unescapeText(parts.join(''))
}

/** Signs that XML cannot hold are written as _xHHHH_. */
const unescapeText = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

function linkInFormula(formula: string): string | undefined {
  const [, quoted] = /^\s*HYPERLINK\(\s*"((?:[^"]|"")*)"/i.exec(formula.slice(0, maxFormula)) ?? []
  return usableHref(quoted?.replaceAll('""', '"'))
}

/** Column of a cell name such as AB12, from 0. */
function columnOf(name: string | undefined): number | undefined {
  const letters = /^\$?([a-z]{1,3})/i.exec(name ?? '')?.[1]?.toUpperCase()
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** An area such as A1:C3 or A1. */
export function areaOf(reference: string | undefined): Area | undefined {
  const [from, to = from] = (reference ?? '').slice(0, maxReference).split(':')
  const [left, right] = [columnOf(from), columnOf(to)]
  const [top, bottom] = [from, to].map((name) => numberOf(/(\d+)$/.exec(name ?? '')?.[1]))
  if (left === undefined || right === undefined || top === undefined || bottom === undefined) return undefined
  return { top: top - 1, left, bottom: bottom - 1, right }
}
