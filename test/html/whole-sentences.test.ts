import { describe, expect, it } from 'vitest'
import { main, page, prose } from './frame.ts'
import { markdownOf } from './read.ts'

const article = '<meta property="og:type" content="article">'
const mainOf = (content: string, { title = 'Bees', head = '' } = {}) =>
  markdownOf(
    page(`<main><article><h1>${title}</h1>${content}${prose('hives')}${prose('wax')}</article></main>`, head),
    main,
  )
/** Removes the marks of emphasis, links and code, which may surround the words. */
const wordsOf = (markdown: string) => markdown.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*_`\\]/g, '')

describe('a sentence of the main content', () => {
  it.each([
    ['a label of a control', '<li>Click <span>Save</span>, then <span>Print</span>.</li>', 'Click Save, then Print.'],
    ['a button', '<p>Press <button>Add to cart</button> to go on.</p>', 'Press Add to cart to go on.'],
    ['a date', '<p>The meeting is on <time>2 January</time> at noon.</p>', 'The meeting is on 2 January at noon.'],
    ['an author', '<p>A book by <em class="author">Ann Lee</em> says so.</p>', 'A book by Ann Lee says so.'],
    ['a count', '<p>It has <b class="votes">17</b> now.</p>', 'It has 17 now.'],
    [
      'the title',
      '<p>The <b>tide clock</b> is a clock that follows the Moon, and that every harbour office of the bay has on its wall.</p>',
      'The tide clock is a clock that',
    ],
    [
      'a span for each word',
      '<p><span>A mix </span><span>like</span><span> mail and </span><span>search</span></p>',
      'A mix like mail and search',
    ],
    [
      'words of a menu',
      '<p>Open <span class="menuselection">File ‣ Export</span> there.</p>',
      'Open File ‣ Export there.',
    ],
    [
      'a signature of Sphinx',
      '<dl><dt class="sig"><span class="sig-prename"><span class="pre">gull.</span></span><span class="sig-name"><span class="pre">close</span></span>(<em class="sig-param"><span class="pre">log</span></em>, <em><span class="pre">filter</span><span class="o">=</span><span class="pre">None</span></em>)</dt><dd><p>Ends it.</p></dd></dl>',
      'gull.close(log, filter=None)',
    ],
  ])('stays whole around %s', (_, html, sentence) => {
    for (const head of ['', article]) expect(wordsOf(mainOf(html, { title: 'Tide Clock', head }))).toContain(sentence)
  })

  const tags = ['a href="/x"', ...'span b em time button label small x-tag'.split(' ')]
  const names = 'share comment menu author date votes related caption title quote signature signup'.split(' ')
  const words = 'Save,Read more,Bees,3 May 2026,By Ann Lee,17,Related,Log in,© Brand,Subscribe to our newsletter'.split(
    ',',
  )

  it.each(tags)('stays whole around %s, whatever its class and its words are', (tag) => {
    const parts = names.flatMap((name) => words.map((each) => `<${tag} class="${name}">${each}</${tag.split(' ')[0]}>`))
    const html = parts
      .map((part, at) => `<p>Before ${at} ${part} after ${at}, as it was said on that day by the sea.</p>`)
      .join('')
    for (const head of ['', article]) {
      const text = wordsOf(mainOf(html, { head }))
      parts.forEach((part, at) => expect(text).toContain(`Before ${at} ${part.replace(/<[^>]*>/g, '')} after ${at},`))
    }
  })
})

it.each(['pre', 'code', 'samp', 'kbd'])(
  'code of the main content keeps every token in %s, whatever its class is',
  (tag) => {
    const tokens = ['comment', 'menu', 'header', 'social', 'footer', 'tags', 'quote', 'caption']
    const html = tokens.map((name) => `<span class="${name}">Share_${name}</span>`).join(' ')
    const lines = tokens.map((name) => `<div class="${name}">Reply</div>`).join('')
    const markdown = mainOf(`<div><${tag}>${html}</${tag}></div><pre>${lines}</pre>`, { head: article })
    expect(markdown).toContain(tokens.map((name) => `Share_${name}`).join(' '))
    expect(markdown).toContain(tokens.map(() => 'Reply').join('\n'))
  },
)

it('a heading of the main content is not treated as a link to another story if the page has one call to action', () => {
  const call = '<p><a href="/terms">Read more</a></p>'
  expect(mainOf(call)).toMatch(/^# Bees\n/)
  expect(mainOf(`<section><h2>Wax</h2>${prose('combs')}${call}</section>`)).toContain('\n## Wax\n')
})

const data = (length: number) => `data:image/png;base64,${'A'.repeat(length)}`

describe('a picture', () => {
  it.each([
    ['small in a sentence', '<p>So <img src="/e.gif" width="9" height="9" alt="phi"> grows.</p>', 'So phi grows.'],
    [
      'an icon by its name in a sentence',
      '<p>Click <img class="icon" src="/i.svg" alt="Settings"> now.</p>',
      'Click Settings now.',
    ],
    [
      'shown again in a sentence',
      '<p><img src="/k.png" alt="Enter"></p><p>Press <img src="/k.png" alt="Enter">, then go.</p>',
      'Press Enter, then go.',
    ],
    [
      'as data in the page itself',
      `<p>So <img src="${data(20)}" alt="A lock"> it.</p>`,
      'So ![A lock](<Base64-Image-Removed>) it.',
    ],
    [
      'without a space to the words beside it',
      '<p>Press<img src="/e.gif" width="9" alt="Enter">now.</p>',
      'Press Enter now.',
    ],
  ])('keeps its words in place: %s', (_, html, sentence) => expect(mainOf(html).split('\n')).toContain(sentence))

  it('embedded in the page does not count towards the share of pictures', () => {
    const picture = '<img src="/photos/a-rather-long-name-of-a-picture-of-hives-in-a-garden.jpg" alt="">'
    const markdown = mainOf(`<p>${picture}</p><p><img src="${data(50_000)}" alt="A chart"></p>`)
    expect(markdown).toContain('a-rather-long-name')
    expect(markdown).toContain('A chart')
  })
})
