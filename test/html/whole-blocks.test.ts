import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { holesIn } from '../../bench/content/train/holes.ts'
import { seeded } from './made-page.ts'
import { markdownOf } from './read.ts'

/** Each line without what main content may add or leave out: marks, numbers, indentation, titles, pictures. */
function linesOf(markdown: string): string[] {
  return markdown
    .split('\n')
    .map((line) =>
      line
        .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
        .replace(/^[\s>#*+-]*(?:\d+\.)?\s*/, '')
        .trim(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
}

const inline = ['a href="/x"', ...'span b em time button label small code kbd sup x-tag'.split(' ')]
const names = ['', ...'share comment menu author date votes related caption tags signup widget nav-item'.split(' ')]
const phrases = [
  ...'Save,Read more,Bees,3 May 2026,By Ann Lee,17,Related,Log in,© Brand,Share this,Comments'.split(','),
  ...'Subscribe to our newsletter,Lesen Sie auch,|,·,»'.split(','),
  'the council met on Tuesday evening, and nothing was decided',
]
const blocks = 'p li h2 h3 td dt dd figcaption blockquote div summary pre section aside article x-line'.split(' ')

/** A page of blocks of every kind, in boxes with random names. */
function madePage(seed: number): string {
  const random = seeded(seed)
  const phrase = () => random.pick(phrases)
  const marked = () => {
    const tag = random.pick(inline)
    return `<${tag} class="${random.pick(names)}">${phrase()}</${tag.split(' ')[0]}>`
  }
  const text = () =>
    Array.from(
      { length: 1 + random.below(4) },
      () => `${phrase()} ${random.below(3) ? marked() : ''} ${phrase()}`,
    ).join(' ')
  const block = () => {
    const tag = random.pick(blocks)
    const whole = `<${tag} class="${random.pick(names)}">${text()}</${tag}>`
    if (tag === 'li') return `<ul>${whole}<li>${text()}</li></ul>`
    if (tag === 'td')
      return `<table><tr>${whole}<td>${text()}</td></tr><tr><td>${text()}</td><td>${text()}</td></tr></table>`
    if (tag === 'dt' || tag === 'dd') return `<dl>${whole}</dl>`
    if (tag === 'figcaption') return `<figure><img src="/a.png" alt="">${whole}</figure>`
    return tag === 'summary' ? `<details>${whole}<p>${text()}</p></details>` : whole
  }
  const box = () => {
    const inner = Array.from({ length: 1 + random.below(5) }, block).join('')
    const tag = random.pick(['div', 'x-box', 'section', 'main', 'article', 'nav', 'aside', 'footer', 'header', 'form'])
    return `<${tag} class="${random.pick(names)}">${inner}</${tag}>`
  }
  const head = random.pick([
    '',
    '<meta property="og:type" content="article">',
    '<script type="application/ld+json">{"@type":"Product","offers":{}}</script>',
  ])
  const body = Array.from({ length: 2 + random.below(6) }, box).join('')
  return `<!doctype html><html><head><title>Bees</title>${head}</head><body><h1>Bees</h1>${body}</body></html>`
}

/** Returns the lines of the main content that the whole page lacks; the title may come from its head. */
function brokenIn(html: string, id: number | string): string[] {
  const whole = new Set(linesOf(markdownOf(html)))
  const lines = linesOf(markdownOf(html, { onlyMainContent: true }))
  return lines.filter((line) => !whole.has(line)).map((line) => `${id}: ${line}`)
}

it('the main content has only whole lines of the page, on generated pages', { timeout: 300_000 }, () => {
  const count = Number(process.env['CONTENT_PAGES'] ?? 300)
  expect(Array.from({ length: count }, (_, seed) => brokenIn(madePage(seed + 1), seed + 1)).flat()).toEqual([])
})

/** Gzipped JSON lines with `id` and `html`. */
const set = process.env['CONTENT_SET']

describe.skipIf(!set)('the main content of the pages of CONTENT_SET', () => {
  it('has complete lines', { timeout: 3_600_000 }, () => {
    const rows = gunzipSync(readFileSync(set!)).toString().trim().split('\n')
    const pages = rows.map((row) => JSON.parse(row) as { id: string; html: string })
    const cut = pages.flatMap(({ id, html }) => {
      const [main, whole] = [markdownOf(html, { onlyMainContent: true }), markdownOf(html)]
      return holesIn(main, whole).map((line) => `${id}: ${line}`)
    })
    expect(cut).toEqual([])
  })
})
