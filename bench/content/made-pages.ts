import { createProse, type Prose } from '../lib/prose.ts'
import type { LabelledPage } from './page-set.ts'

const pagesPerType = 4

/** A small generated set, the same in every run, so anyone can run the benchmark. It is far easier than real pages. */
export async function* madePages(perType: number): AsyncGenerator<LabelledPage> {
  for (const [type, main] of Object.entries(mains))
    for (let number = 1; number <= Math.min(perType, pagesPerType); number++) {
      const prose = createProse(type.length * 100 + number)
      const content = main(prose)
      const around = frame(prose)
      const sentences = content.map(textOf).filter((text) => text.length > 40)
      yield {
        id: `${type}-${number}`,
        url: `https://example.com/${type}/${number}`,
        type,
        html: around.before + content.join('\n') + around.after,
        truth: content.map(textOf).join('\n'),
        with: [sentences.at(0) ?? '', sentences.at(-1) ?? ''],
        without: around.texts,
      }
    }
}

const repeat = (times: number, make: (index: number) => string) => Array.from({ length: times }, (_, at) => make(at))
const paragraphs = (prose: Prose, count: number) => repeat(count, () => `<p>${prose.paragraph()}</p>`)
const title = (prose: Prose) => `<h1>${prose.heading()}</h1>`

/** The main content of each kind of page, as pieces of HTML. */
const mains: Readonly<Record<string, (prose: Prose) => string[]>> = {
  article: (prose) => [title(prose), ...paragraphs(prose, 12)],
  documentation: (prose) => [
    title(prose),
    ...repeat(4, () => `<h2>${prose.heading()}</h2>`).flatMap((heading) => [
      heading,
      ...paragraphs(prose, 1),
      `<pre><code>${prose.words(6)}</code></pre>`,
      `<ul>${repeat(3, () => `<li>${prose.words(5)}</li>`).join('\n')}</ul>`,
    ]),
  ],
  forum: (prose) => [
    title(prose),
    ...repeat(6, () => `<div class="post"><div class="post-body">${prose.paragraph()}</div></div>`),
  ],
  listing: (prose) => [
    title(prose),
    ...repeat(
      12,
      (at) => `<div class="card"><h2><a href="/story/${at}">${prose.heading()}</a></h2> ${teaser(prose)}</div>`,
    ),
  ],
  product: (prose) => [
    title(prose),
    `<p class="price">${prose.pick(500)} EUR</p>`,
    ...paragraphs(prose, 2),
    `<table>${repeat(6, () => `<tr><th>${prose.words(1)}</th> <td>${prose.words(3)}</td></tr>`).join('\n')}</table>`,
  ],
}

const teaser = (prose: Prose) => `<p>${prose.words(9)}</p>`

/** Frame of a common site around the content, with the texts that are not part of the content. */
function frame(prose: Prose): { before: string; after: string; texts: string[] } {
  const [notice, invitation, imprint] = ['cookie', 'newsletter', 'imprint'].map((word) => `${word} ${prose.words(4)}`)
  const links = (count: number) =>
    repeat(count, () => `<li><a href="/topics/${prose.pick(999)}">${prose.words(2)}</a></li>`).join('')
  return {
    before: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${prose.heading()}</title></head><body>
<header class="site-header"><nav><ul>${links(12)}</ul></nav></header>
<div class="cookie-banner"><p>${notice}</p><button>Accept</button></div><div class="layout"><main>\n`,
    after: `\n</main><aside class="sidebar"><h3>Related</h3><ul>${links(10)}</ul><div class="newsletter">${invitation}</div></aside></div>
<footer><p>${imprint}</p><ul>${links(8)}</ul></footer></body></html>\n`,
    texts: [notice, invitation, imprint].map(String),
  }
}

const textOf = (html: string) => html.replace(/<[^>]+>/g, '')
