import { describe, expect, it } from 'vitest'
import { type Random, seeded } from './made-page.ts'
import { markdownOf } from './read.ts'

const signs = '*,_,**,`,[,],(,- ,1. ,# ,| ,~~,&lt;,&amp;,!,$,。,\\,'.split(',')

/** A page of nested elements of every kind, and its words in the order in which a reader meets them. */
function madePage(random: Random): { html: string; words: string[] } {
  const words: string[] = []
  const word = () => {
    words.push(`k${words.length}q`)
    return random.pick(signs) + words.at(-1) + random.pick(signs)
  }
  const repeat = (most: number, make: () => string, between = '') =>
    Array.from({ length: 1 + random.below(most) }, make).join(between)
  const inline = (depth: number): string => {
    if (depth === 0 || random.below(3) > 0) return repeat(3, word, random.pick([' ', ' ', '']))
    const inner = () => repeat(2, () => inline(depth - 1), random.pick([' ', '']))
    const name = random.pick(['b', 'i', 'em', 'strong', 'del', 'code', 'span', 'sup', 'sub', 'q', 'u', 'kbd'])
    return random.pick([
      () => `<${name}>${inner()}</${name}>`,
      () => `<a href="/x">${inner()}</a>`,
      () => `${inner()}<br>`,
    ])()
  }
  const block = (depth: number): string => {
    if (depth === 0) return `<p>${inline(2)}</p>`
    const blocks = () => repeat(2, () => block(depth - 1))
    const item = () => (random.below(2) > 0 ? inline(2) : blocks())
    const row = () => `<tr><td>${item()}</td><td>${inline(1)}</td></tr>`
    return random.pick([
      () => `<p>${inline(3)}</p>`,
      () => `<h${1 + random.below(6)}>${inline(2)}</h3>`.replace(/<h(\d)>(.*)<\/h3>/su, '<h$1>$2</h$1>'),
      () => `<ul>${repeat(3, () => `<li>${item()}</li>`)}</ul>`,
      () => `<ol start="${random.below(9)}">${repeat(3, () => `<li>${item()}</li>`)}</ol>`,
      () => `<dl>${repeat(2, () => `<dt>${inline(1)}</dt><dd>${item()}</dd>`)}</dl>`,
      () => `<blockquote>${blocks()}</blockquote>`,
      () => `<div>${inline(1)}${blocks()}</div>`,
      () => `<table><tr><th>${word()}</th><th>${word()}</th></tr>${repeat(3, row)}</table>`,
      () => `<table>${repeat(3, row)}</table>`,
      () => `<pre><code>${repeat(3, word, '\n')}</code></pre>`,
      () => `<details><summary>${inline(1)}</summary>${blocks()}</details>`,
      () => `<figure><img src="/i.png" alt=""><figcaption>${inline(1)}</figcaption></figure>`,
      () => `<div class="admonition"><p class="admonition-title">${word()}</p>${blocks()}</div>`,
    ])()
  }
  const html = repeat(5, () => block(3))
  return { html, words }
}

describe('300 generated pages', () => {
  const pages = Array.from({ length: 300 }, (_, seed) => ({ seed, ...madePage(seeded(seed + 1)) }))

  it('keep all their words, in order', () => {
    for (const { seed, html, words } of pages)
      expect({ seed, words: markdownOf(html).match(/k\d+q/g) ?? [] }).toEqual({ seed, words })
  })

  it('contain none of the internal markers of the writer', () => {
    for (const { html } of pages) expect(markdownOf(html)).not.toMatch(/\uFFFE|data-|undefined/)
  })
})

const pieces =
  `# ## - + * > = === --- *** ___ 1. 2) ~~~ \`\`\` | |-| : :- <div> <b> </p> <!-- &amp; &copy; [x]: [^1]: [a](b) ![a](b)
  \\ \\* _a_ __b__ *c* \`d\` ~~e~~ f_g 3*4 C:\\h https://ex.com/a_b_c word w 字 «i» ! .`.split(/\s+/)
const asHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
/** Returns the text that a renderer shows for text with escapes and no markup (CommonMark §2.4). */
const unescaped = (markdown: string) => markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1')
const blockStart =
  /^ {0,3}(?:#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|\d{1,9}[.)](?:\s|$)|=+\s*$|-+\s*$|(?:[-*_]\s*){3,}$|`{3}|~{3}|\||<[a-z/!?]|\[[^\]]*\]:|: )/i

describe('300 generated paragraphs of punctuation', () => {
  const random = seeded(7)
  const line = () =>
    Array.from({ length: 1 + random.below(5) }, () => random.pick(pieces)).join(random.pick([' ', ' ', '']))
  const texts = Array.from({ length: 300 }, () => Array.from({ length: 1 + random.below(3) }, line))

  it('show the text of the page', () => {
    for (const lines of texts) {
      const markdown = markdownOf(`<p>${lines.map(asHtml).join('<br>')}</p>`)
      expect(unescaped(markdown).split('  \n')).toEqual(lines)
    }
  })

  it('start no block by accident', () => {
    for (const lines of texts)
      for (const written of markdownOf(`<p>${lines.map(asHtml).join('<br>')}</p>`).split('\n'))
        expect(written).not.toMatch(blockStart)
  })

  it('contain no accidental emphasis, link, tag or entity', () => {
    for (const lines of texts) {
      const plain = markdownOf(`<p>${lines.map(asHtml).join('<br>')}</p>`)
        .replace(/\\[!-/:-@[-`{-~]/g, 'x')
        .replace(/https?:\/\/\S+/g, 'x')
      expect(plain).not.toMatch(
        /(?<![\p{L}\p{N}_])_(?=[^\W_])[^\n]*[^\W_]_(?![\p{L}\p{N}_])|\*\w[^\n]*\w\*|`[^`]+`|\]\(|<\/?\w+>|&\w+;/u,
      )
    }
  })
})
