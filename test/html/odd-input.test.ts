import { describe, expect, it } from 'vitest'
import { readHtml } from '../../src/engine/html/page/read-parts.ts'
import { type PageLimits, pageLimits } from '../../src/engine/html/parse/source-limits.ts'
import { buildTree, maxOpen } from '../../src/engine/html/parse/tree-builder.ts'
import { markdownOf, read, requestOf } from './read.ts'
import type { PagePart } from '../../src/contracts/page-content.ts'

const repeat = (part: string, times: number) => part.repeat(times)
const all: PagePart[] = ['markdown', 'html', 'links', 'images', 'metadata']

/** Calls the reader with a request that throws if its HTML is used. */
function readWithoutHtml(wanted: PagePart[]) {
  const request = requestOf('', wanted)
  return readHtml({
    ...request,
    get html(): string {
      throw new Error('html was read')
    },
  })
}

describe('odd input', () => {
  it.each([
    ['nothing', '', ''],
    ['white space', ' \n ', ''],
    ['a head without a body', '<html><head><title>x</title></head></html>', ''],
    ['text without any element', 'just text', 'just text'],
    ['a body without html', '<body><p>x</p>', 'x'],
    ['content in the head', '<html><head><title>t</title><p>x</p></head></html>', 'x'],
    ['two bodies', '<html><body><p>one</p></body><body><p>two</p></body></html>', 'one\n\ntwo'],
    ['a frameset', '<html><frameset><frame src="a"></frameset><noframes><p>x</p></noframes></html>', 'x'],
    ['plaintext', '<p>a</p><plaintext>b', 'a\n\nb'],
    ['broken nesting', '<p><b>a<div></p></b><table><p>x</table></i>', '**a**\n\nx'],
    ['NUL characters', 'a\0b', 'ab'],
    ['a comment that never ends', '<p>a</p><!-- x', 'a'],
    ['a comment that ends with --!>', '<p>a</p><!-- x --!><p>b</p>', 'a\n\nb'],
    ['a tag that never ends', '<p>a</p><a href="x', 'a'],
    [
      'XHTML',
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>x<br/>y</p></body></html>',
      'x  \ny',
    ],
  ])('reads %s', (_, html, markdown) => {
    expect(read(html, ['markdown']).markdown).toContain(markdown)
    expect(read(html, all, { onlyMainContent: true }).markdown).toContain(markdown)
  })

  it('outside the body is kept, before or after its content', () => {
    const html = '<p>a</p><html><head></head><p>b</p><body><p>c</p></body></html><p>d</p>'
    expect(markdownOf(html)).toBe('b\n\nc\n\na\n\nd')
  })

  it.each([
    ['3,000 nested boxes', repeat('<div>', 3000) + repeat('deep words ', 40) + repeat('</div>', 3000), 'deep words'],
    ['100,000 boxes that never end', `${repeat('<div>', 100_000)}deep`, 'deep'],
    ['150 nested tables', `${repeat('<table><tr><td>', 150)}inmost`, 'inmost'],
    [
      'a table of 20,000 rows',
      `<table>${repeat(`<tr>${repeat('<td>c d</td>', 4)}</tr>`, 20_000)}</table>`,
      '| c d | c d | c d | c d |',
    ],
    [
      'a table that asks for millions of cells',
      `<table>${repeat('<tr><td rowspan=200 colspan=50>x</td><td>y</td></tr>', 500)}</table>`,
      'x',
    ],
    [
      'a head, or none, full of content',
      `</main></body></html>${repeat('<p>hello</p>', 150_000)}<html><head>${repeat('<p>x</p>', 150_000)}`,
      'hello',
    ],
  ])('is read: %s', (_, body, markdown) => {
    const html = `<html><body><main>${body}</main></body></html>`
    expect(read(html, ['markdown'], { onlyMainContent: true }).markdown).toContain(markdown)
  })
})

const readWithin = (html: string, limits: Partial<PageLimits>) =>
  readHtml(requestOf(html, ['html', 'markdown'], { onlyMainContent: true }), { ...pageLimits, tags: 5, ...limits })

describe('a page beyond the limit', () => {
  it('is read up to the limit', () => {
    const request = requestOf('<p>one</p><p>two</p>', ['markdown'])
    expect(readHtml(request, { ...pageLimits, characters: 10 })).toMatchObject({
      markdown: 'one',
      warning: 'The page exceeds the size limit; its end was left out.',
    })
    expect(readHtml(request)).toMatchObject({ markdown: 'one\n\ntwo' })
    expect(readHtml(request)).not.toHaveProperty('warning')
  })

  const page = '<p a b>one</p><br/><p>**two**</p>'
  const warning = 'The page exceeds the size limit; its end was left out.'

  it.each([
    ['tags', { tags: 1 }, 'one'],
    ['brackets', { brackets: 3 }, 'one'],
    ['attributes', { attributes: 1 }, ''],
    ['characters', { characters: 10 }, 'one'],
    ['special characters', { specials: 3 }, 'one'],
  ])('is cut at the limit of %s', (_, limit, start) => {
    const parts = readWithin(page, limit)
    expect(parts).toMatchObject({ markdown: expect.stringMatching(`^${start}`), warning })
    expect(parts.markdown).not.toContain('two**')
  })

  it('keeps the text if one tag has too many attributes', () => {
    const parts = readWithin(page, { attributesOfTag: 1 })
    expect(parts).toMatchObject({ html: expect.stringContaining('<p a="">one</p>'), warning })
    expect(parts.markdown).toContain('two')
  })

  it.each([
    ['comments', '<!-- <p><p><p> --><p>x</p>'],
    ['scripts', '<script>if (a<b) c("<p><p>")</SCRIPT ><p>x</p>'],
    ['quoted attributes', `<p title="<p><p>" lang='<p>'>x</p>`],
  ])('may contain brackets in %s, which do not count', (_, html) => {
    const parts = readWithin(html, { tags: 2 })
    expect(parts.markdown).toBe('x')
    expect(parts).not.toHaveProperty('warning')
  })
})

it('limits the height of the tree and keeps the text', () => {
  const { top, height } = buildTree('<b>x'.repeat(2 * maxOpen))
  expect(height).toBe(maxOpen)
  expect(top.textContent).toBe('x'.repeat(2 * maxOpen))
})

describe('unrequested parts', () => {
  it('cost nothing: without any requested part the page is not parsed', () => {
    expect(readWithoutHtml([])).toEqual({})
    expect(() => readWithoutHtml(['links'])).toThrow('html was read')
  })

  it('are absent from the answer', () => {
    const parts = read('<p>x</p>', ['links', 'html'])
    expect(all.filter((part) => part in parts)).toEqual(['html', 'links'])
  })
})
