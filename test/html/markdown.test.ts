import { describe, expect, it } from 'vitest'
import { markdownOf } from './read.ts'

const cases: [string, string, string][] = [
  [
    'a mail address that a script would show',
    '<p>E-mail: <a href="/cdn-cgi/l/email-protection" data-cfemail="54353a3a14317a373b39">[email&#160;protected]</a></p>',
    'E-mail: [ann@e.com](mailto:ann@e.com)',
  ],
  [
    'a mail address of which only the link is encoded',
    '<p><a href="/cdn-cgi/l/email-protection#54353a3a14317a373b39">Write</a></p>',
    '[Write](mailto:ann@e.com)',
  ],
  [
    'pictures and films of AMP, without advertisements',
    '<amp-img src="/a.jpg" alt="A"><noscript><img src="/a.jpg"></noscript></amp-img><amp-youtube data-videoid="x"></amp-youtube><amp-ad>ad</amp-ad><amp-video src="/v.mp4" title="V"><p>Fallback</p></amp-video>',
    '![A](https://ex.com/a.jpg)\n\n[https://www.youtube.com/watch?v=x](https://www.youtube.com/watch?v=x)\n\n[V](https://ex.com/v.mp4)',
  ],
  [
    'documents inside frames and objects',
    '<iframe srcdoc="&lt;p&gt;In a frame&lt;/p&gt;"></iframe><object data="/f.pdf"><a href="/f.pdf">File</a></object><object data="/x">Sorry</object><object type="image/png" data="/p.png">Picture</object>',
    'In a frame\n\n[File](https://ex.com/f.pdf)![Picture](https://ex.com/p.png)',
  ],
  [
    'the content of a shadow root with that of its slots',
    '<x-a><template shadowrootmode="open"><style>p{}</style><p>a</p><slot name="s">no</slot><slot>c</slot></template><b slot="s">b</b></x-a>',
    'a\n\n**b** c'.replace(' ', ''),
  ],
  [
    'boxes in the roles of a table',
    '<div role="table"><div><div role="row"><b role="columnheader">A</b><i role="columnheader">B</i></div></div><a role="row"><p><span role="cell">1</span></p><span role="cell">2</span></a></div>',
    '| A | B |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'signs in cells by their names',
    '<table><tr><th>A</th><th>B</th></tr><tr><td><svg><title>Yes</title></svg></td><td><i title="No"></i></td></tr><tr><td><b aria-label="Included"></b></td><td><span title="x">✓</span></td></tr></table>',
    '| A | B |\n| --- | --- |\n| Yes | No |\n| Included | ✓ |',
  ],
  [
    'the name of a drawing, but not of a sign beside words or in a button',
    '<div role="img" aria-label="A map"></div><p><a href="/x"><svg aria-label="Sign"></svg>Link</a> <button><svg aria-label="Close"></svg></button></p><div aria-label="4 of 5 stars"><i></i>(7)</div>',
    'A map\n\n[Link](https://ex.com/x)\n\n4 of 5 stars (7)',
  ],
  [
    'elements that styles set apart, but not parts of a word',
    '<div><span class="a">€20.00</span><span class="b">€15.00</span></div><p><b>Owner:</b><a href="/o">Ann</a></p><p><span class="a">har</span><span class="b">bour 20</span></p><p>You<b>Tube</b></p><code><b>a</b><i>B</i></code>',
    '€20.00 €15.00\n\n**Owner:** [Ann](https://ex.com/o)\n\nharbour 20\n\nYou**Tube**\n\n`aB`',
  ],
  [
    'amounts, and elements that their style makes blocks',
    '<p><b class="a">€20.00</b><b class="a">€15.00</b></p><p><b>1</b><b>2</b></p><p><span style="display: block">one</span><span>two</span></p>',
    '**€20.00** **€15.00**\n\n**12**\n\none two',
  ],
  [
    'a list inside a list as part of the item before',
    '<ol><li>a</li><ol><li>b</li></ol><li>c</li></ol>',
    '1. a\n   1. b\n2. c',
  ],
  [
    'the mark of an item in a cell before its text',
    '<table><tr><th>A</th></tr><tr><td>a<ul><li><p>b</p></li></ul></td></tr></table>',
    '| A |\n| --- |\n| a<br>• b |',
  ],
  [
    'a picture that links to itself without the link',
    '<a href="/a.png"><img src="/a.png" alt="A"></a>',
    '![A](https://ex.com/a.png)',
  ],
  ['an invalid encoded mail address as its text', '<p><span data-cfemail="zz">Ann</span></p>', 'Ann'],
  ['the language that an attribute names', '<pre syntax="Java">f()</pre>', '```java\nf()\n```'],
  ['marks inside marks', '<p><b>a <i>b</i></b></p>', '**a _b_**'],
  ['a mark inside itself once', '<p><b>a <strong>b</strong></b></p>', '**a b**'],
  ['emphasis inside a word with asterisks', '<p>un<em>believ</em>able</p>', 'un*believ*able'],
  ['no empty marks', '<p>a<b> </b>b <a href="/x"></a></p>', 'a b'],
  ['marks that span paragraphs in each of them', '<b><p>a</p><p>b</p></b>', '**a**\n\n**b**'],
  ['a link that spans blocks as text', '<p><a href="/x">a<br>b</a></p>', '[a b](https://ex.com/x)'],
  ['brackets in the text of a link', '<p><a href="/x">[1]</a></p>', '[\\[1\\]](https://ex.com/x)'],
  ['quotes in a title', '<p><a href="/x" title=\'say "hi"\'>a</a></p>', '[a](https://ex.com/x "say \\"hi\\"")'],
  ['a heading of several lines on one', '<h2>a<br>b</h2>', '## a b'],
  ['no empty heading', '<h2> </h2><p>a</p>', 'a'],
  ['a list in a quote', '<blockquote><p>a</p><ul><li>b</li><li>c</li></ul></blockquote>', '> a\n>\n> - b\n> - c'],
  ['a quote in a list', '<ul><li>a<blockquote><p>b</p><p>c</p></blockquote></li></ul>', '- a\n\n  > b\n  >\n  > c'],
  ['two lists apart', '<ul><li>a</li></ul><ul><li>b</li></ul>', '- a\n\n- b'],
  ['text after a nested list apart', '<ul><li>a<ul><li>b</li></ul><p>c</p></li></ul>', '- a\n  - b\n\n  c'],
  ['no empty items', '<ul><li></li><li>a</li></ul>', '- a'],
  [
    'a table in a list',
    '<ul><li>a<table><tr><th>H</th><th>I</th></tr><tr><td>1</td><td>2</td></tr></table></li></ul>',
    '- a\n\n  | H | I |\n  | --- | --- |\n  | 1 | 2 |',
  ],
  [
    'two tables apart',
    '<table><tr><th>A</th><th>B</th></tr></table><table><tr><th>C</th><th>D</th></tr></table>',
    '| A | B |\n| --- | --- |\n\n| C | D |\n| --- | --- |',
  ],
  ['several definitions of a term', '<dl><dt>T</dt><dd>a</dd><dd><p>b</p><p>c</p></dd></dl>', 'T\n: a\n: b\n\n  c'],
  ['no code fence around nothing', '<pre> </pre><p>a</p>', 'a'],
  ['inline code of only backticks', '<p><code>``</code></p>', '``` `` ```'],
  ['what looks like a list', '<p>- a</p><p>1. b</p><p>1986) c</p><p>+ d</p>', '\\- a\n\n1\\. b\n\n1986\\) c\n\n\\+ d'],
  [
    'what looks like a heading, a quote or a rule',
    '<p># a</p><p>&gt; b</p><p>---</p><p>===</p>',
    '\\# a\n\n\\> b\n\n\\---\n\n\\===',
  ],
  ['a line that begins like a list after a break', '<p>a<br>- b</p>', 'a  \n\\- b'],
  ['an underscore at the edge of a word only', '<p>_init_ and snake_case</p>', '\\_init\\_ and snake_case'],
  ['negative numbers and dates unchanged', '<p>-5 degrees on 2026-11-21</p>', '-5 degrees on 2026-11-21'],
  ['spaces between inline elements once', '<p>a <b> b</b> <i> c </i> d</p>', 'a **b** _c_ d'],
]

describe('the writer', () => {
  it.each(cases)('writes %s', (_, html, markdown) => expect(markdownOf(`<article>${html}</article>`)).toBe(markdown))

  it('writes the frames of a page, and CDATA of an XHTML page', () => {
    expect(
      markdownOf('<html><frameset><frame src="/m" name="menu"></frameset></html>', { onlyMainContent: true }),
    ).toBe('[menu](https://ex.com/m)')
    const xhtml =
      '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p><![CDATA[a < b]]></p></body></html>'
    expect(markdownOf(xhtml)).toBe('a < b')
  })

  it('writes an article that only the structured data has', () => {
    const data = { '@type': 'NewsArticle', headline: 'Title', articleBody: 'First words of it.\nSecond words.' }
    const html = `<html><head><script type="application/ld+json">${JSON.stringify(data)}</script></head><body><div id="app"></div>`
    for (const onlyMainContent of [true, false])
      expect(markdownOf(html, { onlyMainContent })).toBe('# Title\n\nFirst words of it.\n\nSecond words.')
    const job = {
      '@type': 'JobPosting',
      title: 'Title',
      description: '&lt;p&gt;First.&lt;/p&gt;&lt;p&gt;Second.&lt;/p&gt;',
    }
    const jobs = `<html><head><script type="application/ld+json">${JSON.stringify(job)}</script></head><body></body>`
    expect(markdownOf(jobs, { onlyMainContent: true })).toBe('# Title\n\nFirst.\n\nSecond.')
    const shown = html.replace('<div id="app">', `<p>${'Words. '.repeat(20)}</p>`)
    expect(markdownOf(shown)).not.toContain('Title')
  })

  const deep: [string, string, string][] = [
    ['boxes', '<div>', '</div>'],
    ['quotes', '<blockquote>', '</blockquote>'],
    ['lists', '<ul><li>', '</li></ul>'],
    ['marks', '<b><i>', '</i></b>'],
  ]
  it.each(deep)(
    'follows %s nested 5,000 deep without recursion, in a text that does not grow with the depth',
    (_, open, close) => {
      const markdown = markdownOf(`${open.repeat(5000)}core${close.repeat(5000)}`)
      expect(markdown).toContain('core')
      expect(markdown.length).toBeLessThan(500)
    },
  )
})
