/** HTML of a page, and the markdown it must become. Addresses are relative to https://ex.com/docs/page. */
export type FidelityCase = readonly [name: string, html: string, markdown: string]

export const fidelityCases: readonly FidelityCase[] = [
  ['heading levels', '<h1>A</h1><h2>B</h2><h6>F</h6>', '# A\n\n## B\n\n###### F'],
  ['an anchor beside a heading', '<h2 id="x"><a class="anchor" href="#x">#</a>Install</h2>', '## Install'],
  ['a heading that is a link', '<h3><a href="/p">Title</a></h3>', '### [Title](https://ex.com/p)'],
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
    'breaks and lists in a cell',
    '<table><tr><th>A</th><th>B</th></tr><tr><td>x<br>y</td><td><ul><li>p</li><li>q</li></ul></td></tr></table>',
    '| A | B |\n| --- | --- |\n| x<br>y | • p<br>• q |',
  ],
  [
    'a column span',
    '<table><tr><th colspan="2">H</th></tr><tr><td>1</td><td>2</td></tr></table>',
    '| H |  |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'a row span',
    '<table><tr><th>A</th><th>B</th></tr><tr><td rowspan="2">r</td><td>1</td></tr><tr><td>2</td></tr></table>',
    '| A | B |\n| --- | --- |\n| r | 1 |\n|  | 2 |',
  ],
  [
    'a layout table',
    '<table><tr><td><p>Hello world</p><p>Second par</p><h2>Head</h2></td></tr></table>',
    'Hello world\n\nSecond par\n\n## Head',
  ],
  ['nested lists', '<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>', '- a\n  - b\n    - c\n- d'],
  ['a list that starts at 3', '<ol start="3"><li>x</li><li>y</li></ol>', '3. x\n4. y'],
  ['an ordered list in a list', '<ul><li>a<ol><li>one</li><li>two</li></ol></li></ul>', '- a\n  1. one\n  2. two'],
  ['code in an item', '<ol><li>Run:<pre><code>a\nb</code></pre></li></ol>', '1. Run:\n\n   ```\n   a\n   b\n   ```'],
  [
    'a code language',
    '<pre><code class="language-js">const a = 1;\nlet b;</code></pre>',
    '```js\nconst a = 1;\nlet b;\n```',
  ],
  [
    'a language on the box around the code',
    '<div class="highlight highlight-source-python"><pre>print(<span class="pl-s">"hi"</span>)\nx = 1</pre></div>',
    '```python\nprint("hi")\nx = 1\n```',
  ],
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
  ['a backtick in inline code', '<p>Use <code>a`b</code></p>', 'Use ``a`b``'],
  [
    'definitions',
    '<dl><dt>Term</dt><dd>Definition one</dd><dt>T2</dt><dd>D2</dd></dl>',
    'Term\n: Definition one\n\nT2\n: D2',
  ],
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
    'an image inside the page',
    '<p>x <img src="data:image/png;base64,iVBORw0KGgo" alt="B64"> y</p>',
    'x ![B64](<Base64-Image-Removed>) y',
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
  ['emphasis with spaces inside', '<p>a<b> bold </b>b <i>it</i></p>', 'a **bold** b _it_'],
  ['deleted text', '<p><del>old</del> <s>x</s></p>', '~~old~~ ~~x~~'],
  ['a quote', '<blockquote><p>q1</p><p>q2</p></blockquote>', '> q1\n>\n> q2'],
  [
    'MathML with its source',
    '<p>E <math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x=1</annotation></semantics></math></p>',
    'E $x=1$',
  ],
  [
    'KaTeX in display mode',
    '<span class="katex-display"><span class="katex"><span><math><semantics><annotation encoding="application/x-tex">\\sum_i a_i</annotation></semantics></math></span><span aria-hidden="true">∑ai</span></span></span>',
    '$$\n\\sum_i a_i\n$$',
  ],
  [
    'footnotes',
    '<p>Text<sup id="r1"><a href="#fn1">1</a></sup>.</p><section class="footnotes"><hr><ol><li id="fn1"><p>See <a href="/n">note</a>. <a href="#r1">↩</a></p></li></ol></section>',
    'Text[^1].\n\n[^1]: See [note](https://ex.com/n).',
  ],
  ['a line break', '<p>l1<br>l2</p>', 'l1  \nl2'],
  [
    'characters that mean something in markdown',
    '<p>2 * 3 * 4, a_b_c, # no heading</p>',
    '2 * 3 * 4, a_b_c, # no heading',
  ],
  ['entities', '<p>a&nbsp;b &amp; c &lt;d&gt;</p>', 'a b & c \\<d>'],
  [
    'sub and powers',
    '<p>H<sub>2</sub>O, 10<sup>6</sup> m<sup>2</sup>, the 1<sup>st</sup></p>',
    'H2O, 10^6 m^2, the 1st',
  ],
  ['details', '<details><summary>More</summary><p>Inner text</p></details>', 'More\n\nInner text'],
  [
    'a video frame',
    '<p>v</p><iframe src="https://www.youtube.com/embed/abc" title="Vid"></iframe>',
    'v\n\n[Vid](https://www.youtube.com/embed/abc)',
  ],
  ['machinery', '<p>a</p><style>.x{}</style><script>var q=1</script><noscript>ns</noscript><!-- c -->', 'a'],
]
