import { expect, test } from 'vitest'
import { fileArguments, foldFileArguments } from '../../src/operations/parse.ts'
import { ParseInput } from '../../src/schema/scrape/file-upload.ts'

const file = { filename: 'a.csv', base64: 'YSxi' }

test('content and name are folded into the field file', () => {
  expect(foldFileArguments({ ...file, timeout: 5000 })).toEqual({ file, timeout: 5000 })
  expect(foldFileArguments({ base64: 'YSxi' })).toEqual({ file: { base64: 'YSxi' } })
})

test('a path stays unchanged', () => {
  expect(foldFileArguments({ path: '/data/a.csv', formats: ['html'] })).toEqual({
    path: '/data/a.csv',
    formats: ['html'],
  })
})

test('options of PDFs and formats are folded into parsers and formats', () => {
  const attributes = [{ selector: 'a', attribute: 'href' }]
  const args = { ...file, formats: ['links', 'attributes'], attributes, pdfOptions: { maxPages: 2 } }
  expect(ParseInput.parse(foldFileArguments(args))).toMatchObject({
    formats: [{ type: 'links' }, { type: 'attributes', selectors: attributes }],
    parsers: [{ type: 'pdf', mode: 'auto', maxPages: 2 }],
  })
})

test('every listed argument is accepted, and so are those of scrape', () => {
  const shown: Record<string, unknown> = { ...fileArguments.parse(file), pdfOptions: { mode: 'fast' } }
  const asInScrape = {
    onlyMainContent: false,
    timeout: 5000,
    jsonOptions: { prompt: 'prices' },
    attributes: [{ selector: 'a', attribute: 'href' }],
    question: 'Who?',
    highlights: 'ropes',
  }
  const names = Object.keys(fileArguments.shape).filter((name) => name !== 'path')
  expect(Object.keys(shown).sort()).toEqual(names.sort())
  const { file: folded, ...options } = ParseInput.strict().parse(foldFileArguments({ ...shown, ...asInScrape }))
  expect(folded).toEqual(file)
  expect(options.formats.map(({ type }) => type)).toEqual(['markdown', 'json', 'attributes', 'question', 'highlights'])
})
