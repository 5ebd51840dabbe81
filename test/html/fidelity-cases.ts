/** HTML of a page, and the markdown it must become. Addresses are relative to https://ex.com/docs/page. */
export type FidelityCase = readonly [name: string, html: string, markdown: string]

export const fidelityCases: readonly FidelityCase[] = [
  ['heading levels', '<h1>A</h1><h2>B</h2><h6>F</h6>', '# A\n\n## B\n\n###### F'],
  [
    'a table with a head',
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    '| A | B |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'column alignment',
    '<table><tr><th align="left">A</th><th style="text-align:right">B</th><th align="center">C</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    '| A | B | C |\n| :-- | --: | :-: |\n| 1 | 2 | 3 |',
  ],
  [
    'a table without a head',
    '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>',
    '|  |  |\n| --- | --- |\n| a | b |\n| c | d |',
  ],
  [
    'a pipe in a cell',
    '<table><tr><th>A</th><th>B</th></tr><tr><td>x | y</td><td><code>a|b</code></td></tr></table>',
    '| A | B |\n| --- | --- |\n| x \\| y | `a\\|b` |',
  ],
  [
    'a column span',
    '<table><tr><th colspan="2">H</th><th>I</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    '| H |  | I |\n| --- | --- | --- |\n| 1 | 2 | 3 |',
  ],
  [
    'a layout table',
    '<table><tr><td><p>Hello world</p><p>Second par</p><h2>Head</h2></td></tr></table>',
    'Hello world\n\nSecond par\n\n## Head',
  ],
  ['a list that starts at 3', '<ol start="3"><li>x</li><li>y</li></ol>', '3. x\n4. y'],
  ['an ordered list in a list', '<ul><li>a<ol><li>one</li><li>two</li></ol></li></ul>', '- a\n  1. one\n  2. two'],
  ['code in an item', '<ol><li>Run:<pre><code>a\nb</code></pre></li></ol>', '1. Run:\n\n   ```\n   a\n   b\n   ```'],
  [
    'a language after the name of a highlighter',
    '<pre><code class="hljs rust">let a</code></pre>',
    '```rust\nlet a\n```',
  ],
  [
    'line numbers beside code',
    '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><div class="highlight"><pre><code class="language-go">a := 1\nb := 2</code></pre></div></td></tr></table>',
    '```go\na := 1\nb := 2\n```',
  ],
  ['backticks in code', '<pre><code>```\ninner\n```</code></pre>', '````\n```\ninner\n```\n````'],
  ['a relative image', '<p><img src="../a.png" alt="Al t" title="T"></p>', '![Al t](https://ex.com/a.png "T")'],
  [
    'the largest of several sizes',
    '<p><img srcset="/s.jpg 300w, /l,1.jpg 900w" alt="S"></p>',
    '![S](https://ex.com/l,1.jpg)',
  ],
  [
    'a picture with sources',
    '<picture><source srcset="/big.webp 2x, /small.webp 1x"><img alt="P"></picture>',
    '![P](https://ex.com/big.webp)',
  ],
  [
    'an image that is a link',
    '<a href="/full"><img src="/t.jpg" alt="T"></a>',
    '[![T](https://ex.com/t.jpg)](https://ex.com/full)',
  ],
  ['parentheses in a link', '<p><a href="https://en.ex.com/A_(b)">A</a></p>', '[A](https://en.ex.com/A_\\(b\\))'],
  [
    'a link around a card',
    '<a href="/c"><div><h3>Card</h3><p>Text of card</p></div></a>',
    '### [Card](https://ex.com/c)\n\nText of card',
  ],
  ['a link that runs a script', '<p><a href="javascript:void(0)">Go</a></p>', 'Go'],
  [
    'KaTeX in display mode',
    '<span class="katex-display"><span class="katex"><span><math><semantics><annotation encoding="application/x-tex">\\sum_i a_i</annotation></semantics></math></span><span aria-hidden="true">∑ai</span></span></span>',
    '$$\n\\sum_i a_i\n$$',
  ],
  ['machinery', '<p>a</p><style>.x{}</style><script>var q=1</script><noscript>ns</noscript><!-- c -->', 'a'],
]
