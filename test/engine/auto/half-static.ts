import { bundle, framed, html, prose, times } from './shape.ts'

const app = '<script defer src="/static/app.js"></script>'
const fetching = (id: string) =>
  `<script>fetch('/api/${id}').then((r) => r.json()).then((all) => { document.getElementById('${id}').innerHTML = all.map((one) => '<li>' + one.name + '</li>').join('') })</script>`
const cards = (count: number, card: string) => `<div class="cards">${times(count, () => card)}</div>`

/** Placeholders that scripts replace by a list, each in a page with its own title and text. */
const gaps: readonly (readonly [name: string, gap: string])[] = [
  // A word instead of the content.
  ['a list that says Loading', `<ul id="mugs"><li>Loading…</li></ul>${app}`],
  ['a box that says Loading with dots', `<div id="mugs">Loading...</div>${fetching('mugs')}`],
  ['a paragraph that says what it loads', `<p class="state">Loading products…</p>${app}`],
  ['a request to wait', `<div class="panel"><p>Please wait…</p></div>${app}`],
  ['a word in German', `<div class="treffer">Ergebnisse werden geladen …</div>${app}`],
  ['another word in German', `<div>Lade Daten…</div>${bundle}`],
  ['a word in French', `<section><p>Chargement en cours…</p></section>${bundle}`],
  ['a word in Spanish', `<div role="status">Cargando…</div>${bundle}`],
  ['a word in Japanese', `<div class="kekka">読み込み中…</div>${bundle}`],
  // Placeholder boxes.
  ['skeleton rows', `${times(5, () => '<div class="skeleton-row"></div>')}${bundle}`],
  [
    'cards made of skeletons',
    `${cards(4, '<div class="card"><div class="skeleton img"></div><div class="skeleton line"></div></div>')}${bundle}`,
  ],
  [
    'boxes that pulse',
    `<div class="grid">${times(3, () => '<div class="h-24 animate-pulse rounded bg-gray-200"></div>')}</div>${bundle}`,
  ],
  [
    'placeholders that glow',
    `<p class="placeholder-glow"><span class="placeholder col-7"></span><span class="placeholder col-4"></span><span class="placeholder col-6"></span></p>${bundle}`,
  ],
  [
    'the fallback of a part that streams',
    `<!--$?--><template id="B:0"></template>${times(3, () => '<li class="skeleton"></li>')}<!--/$-->${bundle}`,
  ],
  [
    'skeletons below a longer text',
    `${prose('mugs', 20)}${times(8, () => '<div class="product-skeleton"></div>')}${bundle}`,
  ],
  // An empty container.
  ['a list without entries, by its id', `<ul id="mugs"></ul>${app}`],
  ['a list with the address of its source', `<ol data-endpoint="/api/mugs"></ol>${app}`],
  ['a box named like a list', `<div class="product-list"></div>${app}`],
  ['a box with a name in camel case', `<div id="searchResults"></div>${app}`],
  ['a box with the address of its source', `<div data-src="/api/mugs.json"></div>${app}`],
  ['a box that says what belongs into it', `<section data-list="news"></section>${app}`],
  ['a component by its attribute', `<div data-component="mug-shelf" data-props="{}"></div>${bundle}`],
  ['a box that is busy', `<div class="shelf" aria-busy="true"></div>${app}`],
  ['a box around a spinner', `<div class="shelf"><div class="loader"><svg viewBox="0 0 9 9"></svg></div></div>${app}`],
  [
    'a table with headings only',
    `<table id="mugs"><thead><tr><th>Mug</th><th>Price</th></tr></thead><tbody></tbody></table>${app}`,
  ],
  ['a table without a body', `<table class="display"><thead><tr><th>Mug</th><th>Price</th></tr></thead></table>${app}`],
  ['a box that a script of the page fills', `<div id="shelf"></div>${fetching('shelf')}`],
  [
    'a box that a script of the page draws',
    `<div id="shelf"></div><script>const mugs=[{n:'Blue'}];document.querySelector('#shelf').innerHTML=mugs.map((m)=>'<p>'+m.n+'</p>').join('')</script>`,
  ],
  ['an element of its own kind', `<product-list category="mugs"></product-list>${bundle}`],
  // Templates and sources that scripts use.
  ['a template of Vue', `<ul><li v-for="mug in mugs" :key="mug.id"></li></ul>${bundle}`],
  [
    'a template of AngularJS',
    `<div ng-controller="Mugs"><div ng-repeat="mug in mugs" ng-bind="mug.name"></div></div>${app}`,
  ],
  [
    'a part that is fetched at once',
    `<div hx-get="/part/mugs" hx-trigger="load"></div><script src="/htmx.js"></script>`,
  ],
  ['a frame that is fetched at once', `<turbo-frame id="mugs" src="/part/mugs"></turbo-frame>${bundle}`],
]

const intro = `<h1>Mugs</h1>${prose('mugs', 3)}`

/** Pages of which the server sends one half and scripts load the other. */
export const halfStaticPages = gaps.map(([name, gap]) => ({
  name,
  html: html(framed(`${intro}<section>${gap}</section>`), { title: 'Mugs' }),
}))
