import { page, prose } from './frame.ts'

/** HTML among the paragraphs of a page, and its markdown in the main content. */
export type MainCase = readonly [name: string, html: string, markdown: string]

const sentence = (about: string) =>
  `This sentence tells the reader something about ${about}, which takes a few words to say. `.repeat(4).trim()

export const mainPage = (html: string) =>
  page(`<main><h1>Keeping bees</h1>${prose('bees')}${html}${prose('hives')}</main>`)

export const mainMarkdown = (markdown: string) =>
  ['# Keeping bees', sentence('bees'), ...(markdown === '' ? [] : [markdown]), sentence('hives')].join('\n\n')

/** Text, marks and headings within the main content. */
export const textCases: readonly MainCase[] = [
  [
    'notes outside the flow of the text that it refers to (Sphinx)',
    '<p>Built early <a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a> and well.</p><aside class="footnote-list brackets"><aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>In 1911.</p></aside></aside>',
    'Built early [^1] and well.\n\n[^1]: In 1911.',
  ],
  [
    'adjacent code as two',
    '<p>Pass <code>name</code><code>string</code> and <code>age</code><kbd>Enter</kbd>.</p>',
    'Pass `name` `string` and `age` `Enter`.',
  ],
  ['no heading without words', '<h2></h2><h3> <span></span></h3><h2><br></h2><p>Words.</p>', 'Words.'],
  ['no heading of signs', '<h2>***</h2><h3>—</h3><p>Words.</p>', 'Words.'],
  [
    'repeated headings once',
    '<h2>Latest</h2><div><h2>Latest</h2></div><h2>Latest</h2><p>Words.</p>',
    '## Latest\n\nWords.',
  ],
  ['numbers that are the text', '<p>The answer is:</p><p>42</p><ul><li>7</li></ul>', 'The answer is:\n\n42\n\n- 7'],
  ['no lines of signs', '<div>|</div><p>·</p><div>» /</div><p>Words.</p><span>•</span>', 'Words.'],
  [
    'scene breaks and signs that are the text',
    '<p>***</p><p>&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;</p>',
    '\\***\n\n<<<<<<<<<<<<<<',
  ],
  ['signs that say something', '<p>★★★★☆</p><p>✓</p><p>…</p>', '★★★★☆\n\n✓\n\n…'],
  ['rules between sections, once', '<p>One.</p><hr><hr><div><hr></div><p>Two.</p>', 'One.\n\n---\n\nTwo.'],
  [
    'the author below a quote',
    '<blockquote><p>Wax is gold.</p><footer>— Ann Lee</footer></blockquote>',
    '> Wax is gold.\n>\n> — Ann Lee',
  ],
  ['no rule under a heading', '<h2>Part</h2><hr><p>Words.</p>', '## Part\n\nWords.'],
  [
    'titles of links that hold their text',
    '<p>By <a href="/ann" title="Go to Ann\'s profile">Ann</a>, <a href="/r" title="What all must know">Rules</a>.</p>',
    `By [Ann](https://ex.com/ann), [Rules](https://ex.com/r "What all must know").`,
  ],
  [
    'headings without links to themselves',
    '<h2><a href="#wax">Wax</a></h2><p>Words.</p><h2><a href="/docs/page#smoke">Smoke</a></h2><p>More.</p>',
    '## Wax\n\nWords.\n\n## Smoke\n\nMore.',
  ],
  [
    'rows that hold something',
    '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr><tr><td></td><td> </td></tr><tr><td>3</td><td>4</td></tr></table>',
    '| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |',
  ],
  [
    'definitions',
    '<dl><dt>Drone</dt><dd>A male bee.</dd><dt>Queen</dt><dd>Lays all eggs.</dd></dl>',
    'Drone\n: A male bee.\n\nQueen\n: Lays all eggs.',
  ],
  [
    'a formula as TeX',
    '<p>So <span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span> grows.</p>',
    'So $x^2$ grows.',
  ],
]
