import { boundless, type Budget } from '../budget.ts'
import type { Converted, Source } from '../converter.ts'
import { newRoom, sheetHtml } from '../markup/sheets.ts'
import { refuse } from '../refuse.ts'
import { openPackage, type Package, related } from '../xml/package.ts'
import { child, childrenOf, numberOf, type XmlElement, xmlElements, xmlRoot } from '../xml/xml.ts'
import type { Archive } from '../zip/archive.ts'
import { richText, type Workbook, readSheet } from './sheet.ts'
import { builtInFormat } from './number-format.ts'

type NamedSheet = { name: string; part: string; isHidden: boolean }

/** Reads an Excel workbook (ISO/IEC 29500-1, transitional and strict): a table for every sheet that is shown. */
export function readXlsx({ bytes }: Source, budget: Budget = boundless): Converted {
  const file = openPackage(bytes, 'xl/workbook.xml', budget)
  if (/\.bin$/i.test(file.main))
    refuse('The file is an Excel workbook of the binary kind (.xlsb).', {
      hint: 'Save it as .xlsx and scrape that copy.',
    })
  const root = xmlRoot(file.archive.chunks(file.main))
  const all = sheetsOf(root, file)
  const shown = all.filter(({ isHidden }) => !isHidden)
  const workbook = sharedParts(file, root, budget)
  const room = newRoom()
  const notes: string[] = shown.length < all.length ? [`Hidden sheets left out: ${all.length - shown.length}.`] : []
  const html: string[] = []
  for (const [i, { name, part }] of shown.entries()) {
    if (budget.isSpent()) break
    const { sheet, note } = readSheet(file.archive, { name, part, place: i + 1 }, workbook, room)
    if (note) notes.push(note)
    html.push(sheetHtml(sheet))
  }
  const warning = notes.join(' ')
  return { html: html.join(''), metadata: file.metadata, numPages: html.length, ...(warning && { warning }) }
}

function sheetsOf(root: XmlElement | undefined, { relationships, archive }: Package): NamedSheet[] {
  return childrenOf(child(root, 's:sheets'), 's:sheet').flatMap(({ attributes }) => {
    const target = relationships.get(attributes['r:id'] ?? '')
    if (!target || target.isExternal || target.type !== 'worksheet' || !archive.has(target.target)) return []
    const isHidden = /hidden/i.test(attributes['state'] ?? '')
    return [{ name: attributes['name'] ?? '', part: target.target, isHidden }]
  })
}

function sharedParts({ archive, relationships }: Package, root: XmlElement | undefined, budget: Budget): Workbook {
  const path = (type: string, usual: string) => related(relationships, type) ?? usual
  const is1904 = /^(?:1|true)$/.test(child(root, 's:workbookPr')?.attributes['date1904'] ?? '')
  return {
    strings: stringsOf(archive, path('sharedStrings', 'xl/sharedStrings.xml'), budget),
    formats: formatsOf(archive, path('styles', 'xl/styles.xml')),
    dateSystem: is1904 ? 1904 : 1900,
  }
}

/** Texts between two looks at the clock. */
const checkEvery = 1000

function stringsOf(archive: Archive, path: string, budget: Budget): string[] {
  const strings: string[] = []
  for (const item of xmlElements(archive.chunks(path), 's:si')) {
    if (strings.length % checkEvery === 0 && budget.isHalfSpent()) break
    strings.push(richText(item))
  }
  return strings
}

/** Spreadsheets take format codes of 255 characters. */
const maxFormat = 1000

function formatsOf(archive: Archive, path: string): (string | undefined)[] {
  const root = xmlRoot(archive.chunks(path))
  const own = new Map(
    childrenOf(child(root, 's:numFmts'), 's:numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode']?.slice(0, maxFormat),
    ]),
  )
  return childrenOf(child(root, 's:cellXfs'), 's:xf').map(({ attributes }) => {
    const id = numberOf(attributes['numFmtId']) ?? 0
    return own.get(id) ?? builtInFormat(id)
  })
}
