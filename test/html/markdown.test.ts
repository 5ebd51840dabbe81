import { describe, expect, it } from 'vitest'
import { markdownOf } from './read.ts'

const cases: [string, string, string][] = [
  [
    'a mail address that a script would show',
    '<p>E-mail: <a href="/cdn-cgi/l/email-protection" data-cfemail="54353a3a14317a373b39">[email&#160;protected]</a></p>',
    'E-mail: [ann@e.com](mailto:ann@e.com)',
  ],
  ['a mail address that is none as it stands', '<p><span data-cfemail="zz">Ann</span></p>', 'Ann'],
  ['the language that an attribute names', '<pre syntax="Java">f()</pre>', '```java\nf()\n```'],
  ['marks inside marks', '<p><b>a <i>b</i></b></p>', '**a _b_**'],
  ['a mark inside itself once', '<p><b>a <strong>b</strong></b></p>', '**a b**'],
  ['emphasis inside a word with asterisks', '<p>un<em>believ</em>able</p>', 'un*believ*able'],
  ['nothing of an empty mark', '<p>a<b> </b>b <a href="/x"></a></p>', 'a b'],
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
  ['negative numbers and dates as they are', '<p>-5 degrees on 2026-11-21</p>', '-5 degrees on 2026-11-21'],
  ['spaces between inline elements once', '<p>a <b> b</b> <i> c </i> d</p>', 'a **b** _c_ d'],
]

describe('the writer', () => {
  it.each(cases)('writes %s', (_, html, markdown) => {
    expect(markdownOf(`<article>${html}</article>`)).toBe(markdown)
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
