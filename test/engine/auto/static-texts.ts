import {
  analytics,
  bundle,
  framed,
  heavyScripts,
  html,
  links,
  prose,
  sentence,
  times,
  titled,
  topicOf,
  type Shape,
} from './shape.ts'

/** Pages that are read. */
export const textShapes: readonly Shape[] = [
  {
    name: 'an article in a frame, with advertising',
    page: (size) =>
      html(
        framed(
          `<article><h1>${titled(size)}</h1>${times(1 + size * 3, () => prose(topicOf(size)))}</article>${heavyScripts}`,
        ),
      ),
  },
  {
    name: 'a WordPress post with lazy pictures',
    page: (size) =>
      html(
        `<div id="page" class="hfeed site">${framed(`<article class="post type-post"><h1 class="entry-title">${titled(size)}</h1>
<div class="entry-content">${times(1 + size, (at) => `${prose(topicOf(size), 3)}<figure class="wp-block-image"><img class="lazyload" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" data-src="/wp-content/uploads/${at}.jpg"><noscript><img src="/wp-content/uploads/${at}.jpg"></noscript></figure>`)}</div></article>`)}</div>
<script src="/wp-includes/js/jquery/jquery.min.js"></script><script>var wpApiSettings={"root":"/wp-json/"}</script>${analytics}`,
        {
          head: '<link rel="https://api.w.org/" href="/wp-json/"><script>document.documentElement.className=document.documentElement.className.replace("no-js","js")</script>',
        },
      ),
  },
  {
    name: 'documentation with a search that asks for JavaScript',
    page: (size) =>
      html(
        framed(`<aside><ul>${links(['Install', 'Usage', 'Reference'])}</ul><div id="searchbox"><noscript>Please activate JavaScript to enable the search functionality.</noscript></div></aside>
<h1>${titled(size)}</h1>${prose('the command', 1 + size)}<pre><code>npm install ${topicOf(size)}</code></pre>${bundle}`),
      ),
  },
  {
    name: 'an API reference made of definitions',
    page: (size) =>
      html(
        framed(
          `<h1>Module ${topicOf(size)}</h1><dl>${times(2 + size * 2, (at) => `<dt><code>open${at}(path)</code></dt><dd>Opens it.</dd>`)}</dl>${bundle}`,
        ),
      ),
  },
  {
    name: 'a forum thread',
    page: (size) =>
      html(
        framed(
          `<h1>How do you keep ${topicOf(size)}?</h1>${times(2 + size * 2, (at) => `<div class="post"><a href="/u/${at}">user${at}</a><time>2026-01-0${1 + (at % 9)}</time><div class="body">Try it again in spring.</div></div>`)}<div id="app"></div>${heavyScripts}`,
        ),
      ),
  },
  {
    name: 'an encyclopedia page',
    page: (size) =>
      html(
        framed(
          `<div class="noprint">Jump to <a href="#s">search</a></div><h1>${titled(size)}</h1>${prose(topicOf(size), 2 + size)}<table class="infobox"><tr><th>Kind</th><td>${topicOf(size)}</td></tr></table>${bundle}`,
        ),
      ),
  },
  {
    name: 'a recipe',
    page: (size) =>
      html(
        framed(
          `<h1>Honey cake</h1><ul>${times(3 + size, (at) => `<li>${at + 1} spoons of honey</li>`)}</ul><ol><li>Stir all of it.</li><li>Bake it for an hour.</li></ol>${analytics}`,
        ),
      ),
  },
  {
    name: 'questions with folded answers',
    page: (size) =>
      html(
        framed(
          `<h1>Questions</h1>${times(2 + size, (at) => `<details><summary>Question ${at}?</summary><p>${sentence(topicOf(at))}</p></details>`)}${bundle}`,
        ),
      ),
  },
  {
    name: 'a tutorial on JavaScript',
    page: (size) =>
      html(
        framed(
          `<h1>Scripts</h1><p>This chapter requires JavaScript knowledge. You need to enable JavaScript in the browser to run the examples.</p>${prose('scripts', 2 + size)}<pre>window.location.href = '/next'</pre>${bundle}`,
        ),
      ),
  },
  {
    name: 'a newsletter made of nested tables',
    page: (size) =>
      html(
        `<table><tr><td><table>${times(2 + size, (at) => `<tr><td><h2>News ${at}</h2>${sentence(topicOf(at))}<a href="/n/${at}">Read more</a></td></tr>`)}</table></td></tr></table>`,
      ),
  },
  {
    name: 'plain text in a pre element',
    page: (size) => html(`<pre>RFC ${1000 + size}\n\n${`${sentence(topicOf(size))}\n`.repeat(1 + size * 4)}</pre>`),
  },
  {
    name: 'an imprint with a map',
    page: (size) =>
      html(
        framed(
          `<h1>Imprint</h1><p>Acme Ltd.<br>${size + 1} Mill Lane<br>Ely</p><p>Tel. 01353 000</p><iframe src="https://maps.example.com/embed"></iframe><div id="map" class="loading"></div>${analytics}`,
        ),
      ),
  },
  {
    name: 'a Chinese article',
    page: (size) =>
      html(
        framed(
          `<h1>关于蜜蜂</h1><p>${'蜜蜂是一种会飞行的群居昆虫，被称为资源昆虫。'.repeat(2 + size * 2)}</p>${analytics}`,
        ),
        { lang: 'zh' },
      ),
  },
  {
    name: 'an Arabic page',
    page: (size) =>
      html(
        `<div dir="rtl">${framed(`<h1>النحل</h1><p>${'النحل حشرات طائرة تعيش في مجموعات منظمة وتنتج العسل. '.repeat(1 + size)}</p>${bundle}`)}</div>`,
        { lang: 'ar' },
      ),
  },
]
