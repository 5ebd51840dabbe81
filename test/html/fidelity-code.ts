import type { FidelityCase } from './fidelity-cases.ts'

/** Code as highlighters, editors and code hosts put it into a page, and formulas as the usual renderers do. */
export const codeCases: readonly FidelityCase[] = [
  [
    'lines of Shiki with newlines between them',
    '<pre class="shiki github-dark" style="x" tabindex="0" data-language="ts"><code><span class="line"><span style="color:red">const</span> a = 1</span>\n<span class="line"></span>\n<span class="line">b()</span></code></pre>',
    '```ts\nconst a = 1\n\nb()\n```',
  ],
  [
    'a numbered table inside a pre (Rouge)',
    '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre><span class="nb">puts</span> 1\nputs 2\n</pre></td></tr></tbody></table></code></pre></div></div>',
    '```ruby\nputs 1\nputs 2\n```',
  ],
  [
    'a numbered table in a figure that names the language (Hexo)',
    '<figure class="highlight python"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td><td class="code"><pre><span class="line">def a():</span><br><span class="line">    pass</span><br></pre></td></tr></table></figure>',
    '```python\ndef a():\n    pass\n```',
  ],
  [
    'words of code whose classes also name parts of code boxes',
    '<pre><code><span class="token comment">// copy</span>\n<span class="copy">copy</span>(a, <span class="ln">ln</span>)\n<span class="mi">1</span> + <span class="mi">1</span>\n<span class="toolbar">x</span></code></pre>',
    '```\n// copy\ncopy(a, ln)\n1 + 1\nx\n```',
  ],
  [
    'no numbers that count the lines, in elements of their own',
    '<pre><code><span class="n">9</span> let a\n<span class="n">10</span> let b</code></pre><pre><code><span class="n">1</span>\n<span class="n">2</span></code></pre><ul><li>1</li><li>2</li></ul><pre>x\ny</pre><div class="nums"><a href="#L1">1</a><a href="#L2">2</a></div><div><pre>let c\nlet d</pre></div><table><tr><td class="crayon-nums"><div>1</div><div>2</div></td><td class="crayon-code"><div>let e</div><div>let f</div></td></tr></table>',
    '```\nlet a\nlet b\n```\n\n```\n1\n2\n```\n\n- 1\n- 2\n\n```\nx\ny\n```\n\n```\nlet c\nlet d\n```\n\n```\nlet e\nlet f\n```',
  ],
  [
    'lines in code elements of their own, and in a box that keeps newlines',
    '<pre data-lang="sh"><code><span>git add</span></code><code>git commit</code></pre><div style="display:flex"><code style="white-space: pre">\n[a]\n  [b]\n</code></div><p>Use <code style="white-space:pre-wrap">a\nb</code>.</p><pre><code class="prompt">$ </code><code>ls</code></pre><pre><code>/**</code><code> */</code></pre>',
    '```sh\ngit add\ngit commit\n```\n\n```\n[a]\n  [b]\n```\n\nUse `a b`.\n\n```\n$ ls\n```\n\n```\n/**\n */\n```',
  ],
  [
    'words around line breaks in code within a line apart',
    '<p>It prints <samp>Error 12<br>Error 13</samp>.</p><table><tr><th><code>a<br>b</code></th></tr></table>',
    'It prints `Error 12 Error 13`.\n\n| `a b` |\n| --- |',
  ],
  [
    'an element that copies the code, with words',
    '<pre><code>npm run copy\n</code><clipboard-copy value="x"><svg></svg>Copied!</clipboard-copy></pre>',
    '```\nnpm run copy\n```',
  ],
  [
    'the language as a part of a class (MediaWiki)',
    '<div class="mw-highlight mw-highlight-lang-python mw-content-ltr" dir="ltr"><pre><span></span><span class="nb">print</span></pre></div>',
    '```python\nprint\n```',
  ],
  [
    'the name of the language inside a listing, beside a button (ChatGPT)',
    '<pre><div><div>bash<button>Copy code</button></div><div><code class="hljs language-bash">bash -c ls\nls</code></div></div></pre>',
    '```bash\nbash -c ls\nls\n```',
  ],
  [
    'two columns of a numbered table (Chroma)',
    '<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre tabindex="0" class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre tabindex="0" class="chroma"><code class="language-go" data-lang="go"><span class="line"><span class="cl"><span class="kn">package</span> main\n</span></span><span class="line"><span class="cl">x\n</span></span></code></pre></td></tr></table></div></div>',
    '```go\npackage main\nx\n```',
  ],
  [
    'a file with a row for each line (GitHub)',
    '<table class="highlight tab-size js-file-line-container"><tbody><tr><td id="L1" class="blob-num js-line-number" data-line-number="1"></td><td id="LC1" class="blob-code blob-code-inner js-file-line">def a():</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">    return 1</td></tr></tbody></table>',
    '```\ndef a():\n    return 1\n```',
  ],
  [
    'a changed file whose signs CSS draws (GitHub)',
    '<table class="diff-table tab-size"><tbody><tr><td class="blob-num blob-num-deletion" data-line-number="1"></td><td class="blob-num"></td><td class="blob-code blob-code-deletion"><span class="blob-code-inner blob-code-marker" data-code-marker="-">old</span></td></tr><tr><td class="blob-num"></td><td class="blob-num blob-num-addition" data-line-number="1"></td><td class="blob-code blob-code-addition"><span class="blob-code-inner blob-code-marker" data-code-marker="+">new</span></td></tr></tbody></table>',
    '```\n-old\n+new\n```',
  ],
  [
    'changed lines',
    '<div class="highlight highlight-source-diff"><pre><span class="pl-md"><span class="pl-md">-</span> old</span>\n<span class="pl-mi1"><span class="pl-mi1">+</span> new</span></pre></div>',
    '```diff\n- old\n+ new\n```',
  ],
  [
    'an editor (Monaco)',
    '<div class="monaco-editor"><div class="margin"><div class="line-numbers">1</div></div><div class="view-lines" data-mprt="7"><div class="view-line" style="top:0px"><span><span class="mtk6">let</span><span class="mtk1">&nbsp;a</span></span></div><div class="view-line"><span><span class="mtk1">&nbsp;&nbsp;b()</span></span></div></div></div>',
    '```\nlet a\n  b()\n```',
  ],
  [
    'code in unusual elements',
    '<p>a<code>x</code>b</p><pre>no lang <a href="/x">link</a></pre><pre><code>a</code>\n<code>b</code></pre><pre><code>a\n\n</code></pre><pre>\n\nlead</pre><pre class="brush: php; title: ; notranslate">&lt;?php</pre><pre><code class="language-c++">x</code></pre><pre class="prettyprint lang-java">x</pre><code class="block" style="display:block;white-space:pre">a\n b</code><pre><div class="line">a</div><div class="line">b</div></pre><pre><p>a</p><p>b</p></pre><code><pre>pp\nqq</pre></code><ol class="linenums"><li><code>a</code></li></ol><pre class="prettyprint"><ol class="linenums"><li class="L0"><span>a</span></li><li class="L1"><span>b</span></li></ol></pre>',
    'a`x`b\n\n```\nno lang link\n```\n\n```\na\nb\n```\n\n```\na\n```\n\n```\nlead\n```\n\n```php\n<?php\n```\n\n```c++\nx\n```\n\n```java\nx\n```\n\n```\na\n b\n```\n\n```\na\nb\n```\n\n```\na\nb\n```\n\n```\npp\nqq\n```\n\n1. `a`\n\n```\na\nb\n```',
  ],
  [
    'inline code with backticks, pipes, spaces and links',
    '<p><code>a|b</code> <code>``x`</code> <code> x </code> <code>a<b>b</b></code> <b><code>c</code></b> <a href="/x"><code>d()</code></a> <code><a href="/e">e</a></code></p>',
    '`a|b` ``` ``x` ``` `x` `ab` **`c`** [`d()`](https://ex.com/x) [`e`](https://ex.com/e)',
  ],
  [
    'MathJax 3 with assistive MathML',
    '<p>E <mjx-container class="MathJax" jax="CHTML" style="position: relative;"><mjx-math class="MJX-TEX" aria-hidden="true"><mjx-mi><mjx-c class="mjx-c1D465 TEX-I"></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml unselectable="on" display="inline"><math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></math></mjx-assistive-mml></mjx-container> end</p>',
    'E $x^2+\\frac{1}{2}$ end',
  ],
  [
    'MathML alone',
    '<p>So <math><msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt><mo>=</mo><msub><mi>x</mi><mn>1</mn></msub></math>.</p><math display="block"><mrow><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>a</mi><mi>i</mi></msub></mrow></math>',
    'So $\\sqrt{a+b}=x_1$.\n\n$$\n\\sum_{i=1}^n a_i\n$$',
  ],
  [
    'hidden MathML beside an image (MediaWiki)',
    '<p>The <span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math alttext="{\\displaystyle E=mc^{2}}"><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">{\\displaystyle E=mc^{2}}</annotation></semantics></math></span><img src="https://wikimedia.org/api/rest_v1/media/math/render/svg/9f" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle E=mc^{2}}"></span> law</p>',
    'The $E=mc^{2}$ law',
  ],
  [
    'TeX between delimiters',
    '<p>$E$ <span class="math inline">\\(a_b*c\\)</span> <span class="math display">\\[x_1 \\\\ y\\]</span></p><div class="math notranslate nohighlight">\\[a_1 * b\\]</div><div class="formula" title="x">x</div><span class="katex"><span class="katex-html" aria-hidden="true">x</span></span>',
    '$E$ $a_b*c$\n\n$$\nx_1 \\\\ y\n$$\n\n$$\na_1 * b\n$$\n\nx\n\n$x$',
  ],
  [
    'a displayed formula in a cell',
    '<table><tr><th>Name</th><th>Formula</th></tr><tr><td>Area</td><td><math display="block"><mi>π</mi><msup><mi>r</mi><mn>2</mn></msup></math></td></tr></table>',
    `| Name | Formula |
| --- | --- |
| Area | $πr^2$ |`,
  ],
  [
    'formulas that KaTeX drew without their source',
    '<p>a <span class="katex"><span class="katex-html" aria-hidden="true"><span class="mfrac"><span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist"><span style="top:-2.3em"><span class="pstrut"></span><span class="mord">2</span></span><span style="top:-3.2em"><span class="pstrut"></span><span class="frac-line"></span></span><span style="top:-3.7em"><span class="pstrut"></span><span class="mord">1</span></span></span></span></span></span><span class="mord">x</span><span class="msupsub"><span class="vlist-t vlist-t2"><span class="vlist"><span style="top:-2.4em"><span class="pstrut"></span>i</span><span style="top:-3.1em"><span class="pstrut"></span>2</span></span></span></span></span></span> <span class="katex"><span class="katex-html" aria-hidden="true"><span class="mop">sin</span><span class="msupsub"><span class="vlist-t"><span class="vlist"><span style="top:-3.1em"><span class="pstrut"></span>2</span></span></span></span></span></span></p>',
    String.raw`a $\frac{1}{2}x_i^2$ $\sin^2$`,
  ],
  [
    'formulas with their source in an attribute',
    '<p><span data-math="a_1"><span aria-hidden="true">a1</span></span> <span data-latex="b"></span> <math alttext="c"><mi>c</mi></math> <span class="MathJax" data-mathml="&lt;math&gt;&lt;msup&gt;&lt;mi&gt;d&lt;/mi&gt;&lt;mn&gt;2&lt;/mn&gt;&lt;/msup&gt;&lt;/math&gt;"><nobr aria-hidden="true">d2</nobr></span></p><div data-tex="f"></div>',
    '$a_1$ $b$ $c$ $d^2$\n\n$$\nf\n$$',
  ],
]
