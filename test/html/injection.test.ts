import { describe, expect, it } from 'vitest'
import { sanitiseText } from '../../src/util/sanitise-text.ts'
import { stringsOf } from '../helpers/marked.ts'
import { hiddenText, injection, invisible } from '../helpers/site/injection.ts'
import { read } from './read.ts'
import type { PageContent } from '../../src/contracts/page-content.ts'

const parts = ['markdown', 'html', 'links', 'images', 'metadata'] as const
const ways = [{ onlyMainContent: true }, { onlyMainContent: false }]
const readAll = (html: string, way: (typeof ways)[number]): PageContent => read(html, [...parts], way)

const seen = '<p>Seen words of a page, enough of them that nothing else could be taken for all of its text.</p>'.repeat(
  3,
)

describe.each(ways)('a page full of injections, read with %j', (way) => {
  it.each(Object.entries(hiddenText))('shows no text hidden by %s', (_, html) => {
    expect(html).toContain('HIDDEN_')
    const answer = readAll(`<html><body><main>${seen}${html}${seen}</main></body></html>`, way)
    expect(answer.markdown).toContain('Seen words')
    expect(stringsOf(answer).filter((text) => text.includes('HIDDEN_'))).toEqual([])
  })

  it('shows none of it in the whole page either', () => {
    const strings = stringsOf(readAll(injection, way))
    expect(strings.join(' ')).toMatch(/VISIBLE_START[^]*VISIBLE_END/)
    expect(strings.filter((text) => text.includes('HIDDEN_'))).toEqual([])
  })

  it('contains no invisible character in content, addresses, names and values', () => {
    expect(invisible.test(injection)).toBe(true)
    const strings = stringsOf(readAll(injection, way))
    expect(strings.length).toBeGreaterThan(10)
    expect(strings.filter((text) => invisible.test(text)).map((text) => JSON.stringify(text))).toEqual([])
  })

  it('keeps lookalike letters, which are text', () => {
    expect(readAll(injection, way).markdown).toContain('Homoglyphs stay: раураl.')
  })

  it('keeps text of attributes on one line, so it cannot start a block', () => {
    const { markdown = '' } = readAll(injection, way)
    expect(markdown).toContain('FORGED_HEADING')
    expect(markdown).not.toMatch(/^\s*# (?:FORGED|Second)/m)
  })

  it('keeps code of the page within its fence', () => {
    const { markdown = '' } = readAll(injection, way)
    const [block = ''] = /^(`{4,})\n[^]*?\n\1$/m.exec(markdown) ?? []
    expect(block).toContain('FORGED_FENCE')
  })
})

it('the values of requested attributes are cleaned', () => {
  const html = '<p data-note="a\u200bb\u202e\u{e0041}">Seen</p>'
  const { attributes } = read(html, ['attributes'], { attributes: [{ selector: 'p', attribute: 'data-note' }] })
  expect(attributes?.[0]?.values).toEqual(['ab'])
})

const byte = (code: number) => String.fromCodePoint(code < 16 ? 0xfe00 + code : 0xe0100 + code - 16)
const bytes = Array.from({ length: 256 }, (_, code) => code)
const carriers = ['a', '.', '7', '+', '文', 'ب', 'က', '😀', '©', 'ᠠ', '\u0301']

describe('selectors and joiners used to hide text', () => {
  it.each(carriers)('are removed behind each %j', (carrier) => {
    const left = new Set(bytes.map((code) => sanitiseText(carrier + byte(code))))
    expect(left.size).toBeLessThan(40)
    const run = sanitiseText(carrier + bytes.map(byte).join(''))
    expect([...run].length).toBeLessThanOrEqual([...carrier].length + 1)
  })

  it.each(['a', '.', '7', '+', '😀'])('lose all but their common use behind %j', (carrier) => {
    expect(new Set(bytes.map((code) => sanitiseText(carrier + byte(code)))).size).toBeLessThanOrEqual(4)
  })

  it.each([
    ['the text form of a sign', '©\uFE0E'],
    ['a slashed zero', '0\uFE00'],
    ['a variant of a sign of mathematics', '∩\uFE00'],
    ['Mongolian forms', 'ᠠ\u180B'],
    ['a flag of parts', '🏴\u200D☠\uFE0F'],
  ])('keep %s', (_, text) => expect(sanitiseText(text)).toBe(text))

  it.each([
    ['unusual line ends', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['code points that are no characters', 'a\uFDD0b\uFFFF\u{1FFFE}c', 'abc'],
    ['halves of pairs', 'a\uD800b\uDC00', 'ab'],
    ['selectors of scripts elsewhere', 'a\u180Bb', 'ab'],
  ])('are not the only characters that are cleaned: %s', (_, written, left) => expect(sanitiseText(written)).toBe(left))

  it('are kept in complete pairs', () => expect(sanitiseText('a😀b𝒳')).toBe('a😀b𝒳'))
})
