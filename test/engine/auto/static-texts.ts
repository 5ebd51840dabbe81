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
  bareShape,
  framedShape,
} from './shape.ts'

/** Pages with running text to read. */
export const textShapes: readonly Shape[] = [
  framedShape(
    'an article in a frame, with advertising',
    (size) =>
      `<article><h1>${titled(size)}</h1>${times(1 + size * 3, () => prose(topicOf(size)))}</article>${heavyScripts}`,
  ),
  framedShape(
    'documentation with a search that asks for JavaScript',
    (
      size,
    ) => `<aside><ul>${links(['Install', 'Usage', 'Reference'])}</ul><div id="searchbox"><noscript>Please activate JavaScript to enable the search functionality.</noscript></div></aside>
<h1>${titled(size)}</h1>${prose('the command', 1 + size)}<pre><code>npm install ${topicOf(size)}</code></pre>${bundle}`,
  ),
  framedShape(
    'a recipe',
    (size) =>
      `<h1>Honey cake</h1><ul>${times(3 + size, (at) => `<li>${at + 1} spoons of honey</li>`)}</ul><ol><li>Stir all of it.</li><li>Bake it for an hour.</li></ol>${analytics}`,
  ),
  framedShape(
    'a tutorial on JavaScript',
    (size) =>
      `<h1>Scripts</h1><p>This chapter requires JavaScript knowledge. You need to enable JavaScript in the browser to run the examples.</p>${prose('scripts', 2 + size)}<pre>window.location.href = '/next'</pre>${bundle}`,
  ),
  bareShape(
    'plain text in a pre element',
    (size) => `<pre>RFC ${1000 + size}\n\n${`${sentence(topicOf(size))}\n`.repeat(1 + size * 4)}</pre>`,
  ),
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
