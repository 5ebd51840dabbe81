import { describe, expect, test } from 'vitest'
import { boundless, type Budget } from '../../src/engine/document/converter.ts'
import { convert } from '../../src/engine/document/convert.ts'
import type { DocumentKind } from '../../src/contracts/page-content.ts'
import { docx, odf, para, pptx, source, xlsx } from './office-files.ts'
import { makePdf } from './pdf/make-pdf.ts'

/** A budget that is exhausted after this number of checks. */
function spentAfter(checks: number): Budget {
  let left = checks
  return { ...boundless, isSpent: () => left-- <= 0, hasCut: () => left < 0 }
}

const read = async (kind: DocumentKind, bytes: Uint8Array, budget: Budget) => {
  const result = await convert(kind, source(bytes), budget)
  return { ...result, text: 'html' in result ? result.html : result.markdown }
}
/** Used instead of a text matcher, which would print the whole text. */
const has = ({ text }: { text: string }, word: string) => text.includes(word)
const long = (unit: (word: string) => string) => Array.from({ length: 9000 }, (_, i) => unit(`word${i} `)).join('')
const cutWarning = /^Only the beginning of the file was read/

describe('an exhausted budget', () => {
  test.each<[DocumentKind, number, Uint8Array]>([
    ['docx', 8, docx(long((word) => para(word)))],
    [
      'odt',
      2,
      odf(
        'text',
        long((word) => `<text:p>${word}</text:p>`),
      ),
    ],
    [
      'xlsx',
      8,
      xlsx(`<sheetData>${long((word) => `<row><c t="inlineStr"><is><t>${word}</t></is></c></row>`)}</sheetData>`),
    ],
  ])('keeps the beginning of %s', async (kind, checks, bytes) => {
    const whole = await read(kind, bytes, boundless)
    expect(has(whole, 'word8999')).toBe(true)
    expect(whole.warning).toBeUndefined()
    const part = await read(kind, bytes, spentAfter(checks))
    expect([has(part, 'word0'), has(part, 'word8999')]).toEqual([true, false])
    expect(part.warning).toMatch(cutWarning)
  })

  test('keeps the first slides', async () => {
    const slides = Array.from(
      { length: 9 },
      (_, i) => `<p:sp><p:txBody><a:p><a:r><a:t>slide${i}</a:t></a:r></a:p></p:txBody></p:sp>`,
    )
    const { numPages, warning, text } = await read('pptx', pptx(slides), spentAfter(14))
    expect(text).toContain('slide0')
    expect(numPages).toBeLessThan(9)
    expect(warning).toMatch(cutWarning)
  })

  test('keeps the first pages, and counts only those', async () => {
    const sheets = Array.from({ length: 9 }, (_, i) => ({
      texts: [{ text: `These words are on page ${i}.`, x: 72, y: 72 }],
    }))
    const { numPages, warning, text } = await read('pdf', await makePdf(sheets), spentAfter(3))
    expect(numPages).toBe(2)
    expect(text).toContain('on page 1')
    expect(text).not.toContain('on page 2')
    expect(warning).toMatch(cutWarning)
  })
})
