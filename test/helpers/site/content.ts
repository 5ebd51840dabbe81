import { article } from './article.ts'
import { injectionRoutes } from './injection.ts'
import { layout } from './layout.ts'
import { file, html, type Route, type Routes } from './route.ts'

const page = (create: (origin: string) => string): Route => html(({ origin }) => create(origin))

/** Realistic pages, one of each common kind. */
export const contentRoutes: Routes = {
  '/': page((origin) => layout({ ...facts('Harbour Weekly', '/', origin), main: home })),
  '/article': page(article),
  '/docs': page((origin) => layout({ ...facts('Install the client', '/docs', origin), main: docs })),
  '/product': page((origin) =>
    layout({ ...facts('Storm lamp No. 4', '/product', origin), head: productData, main: product }),
  ),
  '/forum': page((origin) => layout({ ...facts('Rope or chain for a mooring?', '/forum', origin), main: forum })),
  '/listing': html(({ url, origin }) => {
    const number = Number(url.searchParams.get('page') ?? '1')
    return layout({ ...facts('All stories', '/listing', origin), main: listing(number) })
  }),
  '/xhtml': file(
    'application/xhtml+xml',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Strict</title></head><body><p>Well formed.</p></body></html>',
  ),
  ...injectionRoutes,
}

function facts(title: string, path: string, origin: string) {
  return { title, description: `${title}, from Harbour Weekly.`, path, origin }
}

const home = `<h1>Harbour Weekly</h1><p>Stories from the coast since 1921.</p>
<ul><li><a href="/article">The lighthouse that learned to listen</a></li><li><a href="/docs">Install the client</a></li><li><a href="/product">Storm lamp No. 4</a></li><li><a href="/forum">Forum</a></li></ul>`

const docs = `<article class="docs">
<h1>Install the client</h1>
<p>DOCS_START The client needs version 20 of the runtime or later. It has no dependencies of its own.</p>
<h2 id="install">Install<a class="anchor" href="#install">#</a></h2>
<pre><code class="language-sh">npm install harbour-client
harbour login --token "$TOKEN"</code></pre>
<h2 id="options">Options</h2>
<table><tr><th>Name</th><th>Default</th><th>Meaning</th></tr><tr><td><code>retries</code></td><td>3</td><td>How often a failed call is made again</td></tr><tr><td><code>timeout</code></td><td>30</td><td>Seconds | minutes with the suffix <code>m</code></td></tr></table>
<dl><dt>retry</dt><dd>A call made again after a failure.</dd></dl>
<div class="admonition note"><p class="title">Note</p><p>Tokens expire after a day.</p></div>
<p>Read on at <a href="/docs/usage#first-call">your first call</a>. DOCS_END</p>
</article>`

const productData = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Storm lamp No. 4","sku":"SL-4","brand":{"@type":"Brand","name":"Gull & Sons"},"offers":{"@type":"Offer","price":"129.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"},"aggregateRating":{"@type":"AggregateRating","ratingValue":"4.6","reviewCount":"87"}}</script>`

const product = `<section class="product" itemscope itemtype="https://schema.org/Product">
<h1 itemprop="name">Storm lamp No. 4</h1>
<img src="/images/lamp-800.jpg" srcset="/images/lamp-400.jpg 400w, /images/lamp-800.jpg 800w" alt="Brass lamp">
<p class="price"><del>€149.00</del> <span itemprop="price" content="129.00">€129.00</span></p>
<p itemprop="description">PRODUCT_START Solid brass, hand-blown glass, burns for thirty hours on one filling.</p>
<label>Colour <select><option>Brass</option><option>Black</option></select></label><button>Add to cart</button>
<h2>Details</h2><ul><li>Height: 31 cm</li><li>Weight: 1.8 kg</li><li>In stock: yes</li></ul>
<h2>Reviews (87)</h2><p>4.6 of 5. “Stays lit in any wind.” PRODUCT_END</p></section>`

const forum = `<h1>Rope or chain for a mooring?</h1>
${[
  'skipper42|Last winter my rope chafed through. Would chain be better?',
  'mira|Chain for the lower half, rope above it: the rope takes the shocks.',
  'old_tom|As mira says. And check the shackle every spring.',
]
  .map((post, at) => {
    const [name, text] = post.split('|')
    return `<article class="post" id="post-${at + 1}"><header><a href="/users/${name}">${name}</a> <time>2026-01-0${at + 2}</time></header><p>${text}</p><footer><button>Like</button> <a href="#post-${at + 1}">Link</a></footer></article>`
  })
  .join('\n')}`

function listing(number: number): string {
  const rows = Array.from({ length: 10 }, (_, at) => (number - 1) * 10 + at + 1).map(
    (id) =>
      `<li class="card"><a href="/article?id=${id}"><img src="/images/thumb-${id}.jpg" alt=""><h2>Story number ${id}</h2></a><p>What happened on day ${id}.</p></li>`,
  )
  return `<h1>All stories</h1><ul class="cards">${rows.join('\n')}</ul>
<nav class="pagination"><a href="/listing?page=${number + 1}" rel="next">Next page</a></nav>`
}
