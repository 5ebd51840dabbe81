import type { FidelityCase } from './fidelity-cases.ts'

/** Boxes, tabs, notes and posts in the shape that widely used software gives them. */
export const softwareCases: readonly FidelityCase[] = [
  [
    'tabs of which one is open (Docusaurus)',
    '<div class="tabs-container tabList__CuJ"><ul role="tablist" aria-orientation="horizontal" class="tabs"><li role="tab" tabindex="0" aria-selected="true" class="tabs__item tabItem_LNqP tabs__item--active">npm</li><li role="tab" tabindex="-1" aria-selected="false" class="tabs__item tabItem_LNqP">Yarn</li></ul><div class="margin-top--md"><div role="tabpanel" class="tabItem_Ymn6"><div class="language-bash codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code language-bash codeBlock_bY9V thin-scrollbar"><code class="codeBlockLines_e6Vv"><span class="token-line"><span class="token plain">npm i x</span><br></span><span class="token-line"><span class="token plain">npm start</span><br></span></code></pre><div class="buttonGroup__atx"><button type="button" aria-label="Copy code to clipboard" title="Copy" class="clean-btn"><span class="copyButtonIcons_eSgA" aria-hidden="true"><svg><path d=""></path></svg></span></button></div></div></div></div><div role="tabpanel" class="tabItem_Ymn6" hidden=""><pre class="prism-code language-bash"><code><span class="token-line"><span class="token plain">yarn add x</span><br></span></code></pre></div></div></div>',
    '**npm**\n\n```bash\nnpm i x\nnpm start\n```\n\n**Yarn**\n\n```bash\nyarn add x\n```',
  ],
  [
    'tabs of prose, and one whose panel is empty (Bootstrap)',
    '<ul class="nav nav-tabs" role="tablist"><li class="nav-item" role="presentation"><button class="nav-link active" data-bs-toggle="tab" data-bs-target="#deb" type="button" role="tab">Debian</button></li><li class="nav-item" role="presentation"><button class="nav-link" data-bs-toggle="tab" data-bs-target="#fed" type="button" role="tab">Fedora</button></li><li><button role="tab" data-bs-target="#new">Later</button></li></ul><div class="tab-content"><div class="tab-pane show active" id="deb" role="tabpanel"><p>Fetch it.</p></div><div class="tab-pane" id="fed" role="tabpanel"><p>Add it.</p></div><div class="tab-pane" id="new" role="tabpanel"></div></div>',
    '- Later\n\n**Debian**\n\nFetch it.\n\n**Fedora**\n\nAdd it.',
  ],
  [
    'tabs without roles, one of which has its name as a heading (Bootstrap 3)',
    '<ul class="nav nav-tabs"><li class="active"><a data-toggle="tab" href="#linux">Linux</a></li><li><a data-toggle="tab" href="#win">Windows</a></li></ul><div class="tab-content"><div id="linux" class="tab-pane active"><p>Run it.</p></div><div id="win" class="tab-pane"><div><h3>Windows</h3><p>Open it.</p></div></div></div>',
    '**Linux**\n\nRun it.\n\n### Windows\n\nOpen it.',
  ],
  [
    'answers hidden by their height, after a heading with a click handler, and in a list of definitions',
    '<h3><button aria-expanded="false" aria-controls="d"><span>How long?</span></button></h3><div id="d" style="height:0;overflow:hidden"><p>Two weeks.</p></div><div onclick="t()">Who?</div><div style="display:none"><p>The clerks.</p></div><div onclick="t()">Where?</div><div style="display:none"><p>At the desk.</p></div><dl><dt><button aria-expanded="false">Can I pay later?</button></dt><dd hidden>Yes.</dd></dl><div><button>Copy</button><span hidden>Copied</span></div>',
    '### How long?\n\nTwo weeks.\n\nWho?\n\nThe clerks.\n\nWhere?\n\nAt the desk.\n\nCan I pay later?\n: Yes.\n\nCopy',
  ],
  [
    'an accordion with the roles of tabs, whose labels stand by their panels',
    '<div class="panel-group" role="tablist"><div class="panel"><div class="panel-heading" role="tab" id="h1"><h4><a href="#c1">Who</a></h4></div><div id="c1" role="tabpanel" aria-labelledby="h1"><p>You.</p></div></div></div>',
    '#### [Who](https://ex.com/docs/page#c1)\n\nYou.',
  ],
  [
    'headings without the links beside them (Starlight)',
    '<div class="sl-heading-wrapper level-h2"><h2 id="steps">Steps</h2><a class="sl-anchor-link" href="#steps"><span aria-hidden="true"><svg></svg></span><span class="sr-only">Section titled “Steps”</span></a></div><p>Go to <a href="#steps">Steps</a>.</p>',
    '## Steps\n\nGo to [Steps](https://ex.com/docs/page#steps).',
  ],
  [
    'no signs of a menu that is a button (GitHub)',
    '<details><summary role="button"><svg aria-label="Show options"></svg></summary></details><p>Words.</p>',
    'Words.',
  ],
  [
    'a signature with a name in capitals (Sphinx)',
    '<dl class="py data"><dt class="sig sig-object py"><span class="sig-prename descclassname"><span class="pre">gull.</span></span><span class="sig-name descname"><span class="pre">MAX</span></span></dt><dd><p>Most birds.</p></dd></dl>',
    '`gull.MAX`\n: Most birds.',
  ],
  [
    'tabs with labels before contents (MkDocs Material)',
    '<div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked="checked" id="__tabbed_1_1" name="__tabbed_1" type="radio"><input id="__tabbed_1_2" name="__tabbed_1" type="radio"><div class="tabbed-labels"><label for="__tabbed_1_1">C</label><label for="__tabbed_1_2">C++</label></div><div class="tabbed-content"><div class="tabbed-block"><div class="highlight"><pre><span></span><code><span class="cp">#include</span> &lt;stdio.h&gt;\n</code></pre></div></div><div class="tabbed-block"><p>Use g++.</p></div></div></div>',
    '**C**\n\n```\n#include <stdio.h>\n```\n\n**C++**\n\nUse g++.',
  ],
  [
    'tabs with a label before each content (sphinx-design)',
    '<div class="sd-tab-set docutils"><input checked="checked" id="sd-tab-item-0" name="sd-tab-set-0" type="radio"><label class="sd-tab-label" for="sd-tab-item-0">Linux</label><div class="sd-tab-content docutils"><p class="sd-card-text">apt install</p></div><input id="sd-tab-item-1" name="sd-tab-set-0" type="radio"><label class="sd-tab-label" for="sd-tab-item-1">macOS</label><div class="sd-tab-content docutils"><p>brew install</p></div></div>',
    `**Linux**

apt install

**macOS**

brew install`,
  ],
  [
    'a warning and a code group (VitePress)',
    '<div class="warning custom-block"><p class="custom-block-title">WARNING</p><p>Careful.</p></div><div class="vp-code-group"><div class="tabs"><input type="radio" name="g" id="t1" checked><label for="t1">npm</label><input type="radio" name="g" id="t2"><label for="t2">pnpm</label></div><div class="blocks"><div class="language-sh active"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki"><code><span class="line">npm i v</span></code></pre></div><div class="language-sh"><pre class="shiki"><code><span class="line">pnpm add v</span></code></pre></div></div></div>',
    '> **WARNING**\n>\n> Careful.\n\n**npm**\n\n```sh\nnpm i v\n```\n\n**pnpm**\n\n```sh\npnpm add v\n```',
  ],
  [
    'an admonition (Docusaurus)',
    '<div class="theme-admonition theme-admonition-tip admonition_xJq3 alert alert--success"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg viewBox="0 0 12 16"><path></path></svg></span>tip</div><div class="admonitionContent_BuS1"><p>Use it.</p><p>Twice.</p></div></div>',
    `> **tip**
>
> Use it.
>
> Twice.`,
  ],
  [
    'an alert (GitHub)',
    '<div class="markdown-alert markdown-alert-important" dir="auto"><p class="markdown-alert-title" dir="auto"><svg class="octicon"></svg>Important</p><p dir="auto">Crucial.</p></div>',
    `> **Important**
>
> Crucial.`,
  ],
  [
    'a quote, a mention, an emoji and a onebox (Discourse)',
    '<div class="cooked"><aside class="quote no-group" data-username="ann" data-post="3" data-topic="7"><div class="title"><div class="quote-controls"></div><img loading="lazy" alt="" width="24" height="24" src="/user_avatar/a.png" class="avatar"> ann:</div><blockquote><p>Old words</p></blockquote></aside><p>Hi <a class="mention" href="/u/bob">@bob</a> <img src="/images/emoji/twitter/smile.png?v=12" title=":smile:" class="emoji" alt=":smile:" loading="lazy" width="20" height="20"></p><aside class="onebox allowlistedgeneric" data-onebox-src="https://x.org/a"><header class="source"><img src="https://x.org/f.ico" class="site-icon"><a href="https://x.org/a" target="_blank">x.org</a></header><article class="onebox-body"><h3><a href="https://x.org/a">The Title</a></h3><p>Desc</p></article></aside></div>',
    `![](https://ex.com/user_avatar/a.png) ann:

> Old words

Hi [@bob](https://ex.com/u/bob) :smile:

![](https://x.org/f.ico)[x.org](https://x.org/a)

### [The Title](https://x.org/a)

Desc`,
  ],
  [
    'an answer (Stack Overflow)',
    '<div class="s-prose js-post-body" itemprop="text"><p>Why <code>a</code>?</p><pre class="lang-py s-code-block"><code class="hljs language-python">x = 1\n</code></pre><p><kbd>Ctrl</kbd>+<kbd>C</kbd> and <a href="https://i.sstatic.net/x.png" rel="nofollow"><img src="https://i.sstatic.net/x.png" alt="enter image description here"></a></p><hr></div>',
    'Why `a`?\n\n```py\nx = 1\n```\n\n`Ctrl`+`C` and ![enter image description here](https://i.sstatic.net/x.png)\n\n---',
  ],
  [
    'a function signature (Sphinx)',
    '<dl class="py function"><dt class="sig sig-object py" id="m.f"><span class="sig-prename descclassname"><span class="pre">m.</span></span><span class="sig-name descname"><span class="pre">f</span></span><span class="sig-paren">(</span><em class="sig-param"><span class="n"><span class="pre">a</span></span></em>, <em class="sig-param"><span class="n"><span class="pre">b_c</span></span><span class="o"><span class="pre">=</span></span><span class="default_value"><span class="pre">1</span></span></em><span class="sig-paren">)</span> <span class="sig-return"><span class="sig-return-icon">→</span> <span class="sig-return-typehint"><span class="pre">int</span></span></span><a class="headerlink" href="#m.f" title="Link to this definition">¶</a></dt><dd><p>Return it.</p><dl class="field-list simple"><dt class="field-odd">Parameters<span class="colon">:</span></dt><dd class="field-odd"><ul class="simple"><li><p><strong>a</strong> (<em>int</em>) – first</p></li><li><p><strong>b_c</strong> – second</p></li></ul></dd><dt class="field-even">Returns<span class="colon">:</span></dt><dd class="field-even"><p>sum</p></dd></dl></dd></dl>',
    '`m.f(a, b_c=1) → int`\n: Return it.\n\n  Parameters:\n  : - **a** (_int_) – first\n    - **b_c** – second\n\n  Returns:\n  : sum',
  ],
  [
    'galleries, columns and captions (WordPress)',
    '<figure class="wp-block-gallery has-nested-images columns-2"><figure class="wp-block-image size-large"><a href="/a.jpg"><img src="/a-300.jpg" alt="A"></a><figcaption class="wp-element-caption">First</figcaption></figure><figure class="wp-block-image"><img src="/b.jpg" alt="B"></figure><figcaption class="blocks-gallery-caption">All of it</figcaption></figure><div class="wp-block-columns"><div class="wp-block-column"><p>Left</p></div><div class="wp-block-column"><p>Right</p></div></div><div id="attachment_1" class="wp-caption alignnone"><img src="/c.jpg" alt="C"><p class="wp-caption-text">Cap C</p></div>',
    `[![A](https://ex.com/a-300.jpg)](https://ex.com/a.jpg)

First

![B](https://ex.com/b.jpg)

All of it

Left

Right

![C](https://ex.com/c.jpg)

Cap C`,
  ],
  [
    'a post in a quote (Twitter)',
    '<blockquote class="twitter-tweet"><p lang="en" dir="ltr">Hello <a href="https://t.co/x">pic</a></p>&mdash; Ann (@ann) <a href="https://twitter.com/ann/status/1">May 1</a></blockquote>',
    `> Hello [pic](https://t.co/x)
>
> — Ann (@ann) [May 1](https://twitter.com/ann/status/1)`,
  ],
  [
    'an infobox (MediaWiki)',
    '<table class="infobox vcard"><tbody><tr><th colspan="2" class="infobox-above">Foo</th></tr><tr><td colspan="2" class="infobox-image"><a href="/wiki/File:F.jpg" class="image"><img alt="F" src="//upload.org/f.jpg"></a><div class="infobox-caption">Cap</div></td></tr><tr><th scope="row">Born</th><td>1 May 1900<br>Paris</td></tr><tr><th scope="row">Children</th><td><ul><li>A</li><li>B</li></ul></td></tr></tbody></table>',
    `| Foo |  |
| --- | --- |
| [![F](https://upload.org/f.jpg)](https://ex.com/wiki/File:F.jpg)<br>Cap |  |
| Born | 1 May 1900<br>Paris |
| Children | • A<br>• B |`,
  ],
  [
    'a gallery and a thumbnail (MediaWiki)',
    '<ul class="gallery mw-gallery-traditional"><li class="gallerybox"><div class="thumb"><a href="/wiki/File:A.jpg"><img alt="" src="/a.jpg"></a></div><div class="gallerytext">Caption A</div></li><li class="gallerybox"><div class="thumb"><a href="/wiki/File:B.jpg"><img alt="" src="/b.jpg"></a></div><div class="gallerytext"><p>Caption B</p></div></li></ul><figure class="mw-default-size" typeof="mw:File/Thumb"><a href="/wiki/File:C.jpg"><img alt="C" src="/c.jpg"></a><figcaption>Cap <a href="/wiki/C">C</a></figcaption></figure>',
    `- [![](https://ex.com/a.jpg)](https://ex.com/wiki/File:A.jpg)

  Caption A
- [![](https://ex.com/b.jpg)](https://ex.com/wiki/File:B.jpg)

  Caption B

[![C](https://ex.com/c.jpg)](https://ex.com/wiki/File:C.jpg)

Cap [C](https://ex.com/wiki/C)`,
  ],
  [
    'rich text with a table of bold heads (Shopify)',
    '<div class="rte"><h5><strong>Size</strong></h5><table width="100%"><tbody><tr><td><strong>Size</strong></td><td><strong>Chest</strong></td></tr><tr><td>S</td><td>34"</td></tr></tbody></table><p><span style="font-weight: 400;">Text</span><meta charset="utf-8"></p><p>&nbsp;</p><ul>\n<li><span>Soft</span></li>\n<li>\n<p>Warm</p>\n</li>\n</ul></div>',
    `##### **Size**

| **Size** | **Chest** |
| --- | --- |
| S | 34" |

Text

- Soft
- Warm`,
  ],
  [
    'players and frames',
    '<video src="/v.mp4" title="V" controls poster="/p.jpg">No support</video><audio controls><source src="/a.mp3"></audio><iframe src="https://maps.google.com/x"></iframe><object data="/x.pdf"></object><embed src="/x.swf"><iframe src="https://player.vimeo.com/video/1"></iframe><video autoplay muted loop src="/bg.mp4"></video><lite-youtube videoid="abc" title="Lite"></lite-youtube>',
    `[V](https://ex.com/v.mp4)

[/a.mp3](https://ex.com/a.mp3)

[https://player.vimeo.com/video/1](https://player.vimeo.com/video/1)

[Lite](https://www.youtube.com/watch?v=abc)`,
  ],
]
