import { analytics, bundle, framed, heavyScripts, html, links, times, titled, topicOf, type Shape } from './shape.ts'

/** Pages that show, list or ask for something, with little running text. */
export const thingShapes: readonly Shape[] = [
  {
    name: 'a product',
    page: (size) =>
      html(
        framed(
          `<div class="gallery">${times(1 + size, (at) => `<img src="/p/${at}.jpg" alt="Mug">`)}</div><h1>Blue mug</h1><p class="price">12.50 €</p><p>Holds a third of a litre.</p><button>Add to cart</button><div id="reviews" class="loading"></div>${heavyScripts}`,
        ),
        {
          head: '<script type="application/ld+json">{"@type":"Product","name":"Blue mug"}</script>',
        },
      ),
  },
  {
    name: 'a list of products with pictures that load late',
    page: (size) =>
      html(
        framed(
          `<h1>Mugs</h1><ul class="grid">${times(3 + size * 4, (at) => `<li class="card"><a href="/p/${at}"><img class="placeholder lazy" data-src="/p/${at}.jpg" alt=""><h3>Mug ${at}</h3><span>${at}.50 €</span></a></li>`)}</ul>${heavyScripts}`,
        ),
      ),
  },
  {
    name: 'search results',
    page: (size) =>
      html(
        framed(
          `<form><input name="q"></form><p>${size + 2} results</p><ol>${times(2 + size, (at) => `<li><a href="/r/${at}">Result ${at}</a><br>Something was found.</li>`)}</ol>${bundle}`,
        ),
      ),
  },
  {
    name: 'a directory of files',
    page: (size) =>
      html(
        `<h1>Index of /pub</h1><hr><pre>${times(1 + size * 5, (at) => `<a href="f${at}.gz">f${at}.gz</a>  2026-01-01 10:00  12K\n`)}</pre>`,
      ),
  },
  {
    name: 'a table of figures',
    page: (size) =>
      html(
        `<h1>Rates</h1><table>${times(3 + size * 6, (at) => `<tr><td>${at}</td><td>${at * 7}</td></tr>`)}</table>${analytics}`,
      ),
  },
  {
    name: 'a gallery of pictures',
    page: (size) =>
      html(
        `<h1>${titled(size)}</h1><div class="gallery">${times(4 + size * 5, (at) => `<a href="/i/${at}"><img src="/t/${at}.jpg" alt=""></a>`)}</div><div class="lightbox-loader"></div>${bundle}`,
      ),
  },
  {
    name: 'pictures and nothing else',
    page: (size) => html(`${times(2 + size, (at) => `<img src="/comic-${at}.png">`)}${analytics}`),
  },
  {
    name: 'a login form',
    page: (size) =>
      html(
        `<main><img src="/logo.svg"><form method="post"><label>E-mail <input name="email"></label><label>Password <input type="password" name="p"></label><button>Sign in</button></form>${size > 1 ? '<a href="/forgot">Forgot your password?</a>' : ''}</main>${size > 2 ? bundle : ''}`,
        { title: `Sign in to ${topicOf(size)}` },
      ),
  },
  {
    name: 'a login form that would like scripts',
    page: (size) =>
      html(
        `<noscript><p>JavaScript is disabled. Some features may not work.</p></noscript><h1>Sign in</h1><form method="post"><label>User <input name="u"></label><label>Password <input type="password" name="p"></label><button>Sign in</button></form><ul>${links(['Help', 'Privacy', 'Terms'].slice(0, size))}</ul>${bundle}`,
      ),
  },
  {
    name: 'a form to subscribe',
    page: (size) =>
      html(
        framed(
          `<h1>Stay in touch</h1><form><input type="email" placeholder="E-mail"><select>${times(2 + size, (at) => `<option>${at}</option>`)}</select><button>Subscribe</button></form><div class="spinner" hidden></div>${bundle}`,
        ),
      ),
  },
  {
    name: 'a page that was not found',
    status: 404,
    page: (size) =>
      html(
        `<h1>404</h1><p>The page on ${topicOf(size)} is not here.</p>${size > 1 ? '<a href="/">Home</a>' : ''}${size > 2 ? analytics : ''}`,
        { title: 'Not found' },
      ),
  },
  {
    name: 'an error of a web server',
    status: 502,
    page: (size) =>
      html(`<center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.${size + 26}</center>`, {
        title: '502 Bad Gateway',
      }),
  },
  {
    name: 'a page under repair',
    status: 503,
    page: (size) =>
      html(
        `<h1>We will be back soon</h1>${size > 0 ? `<p>Scheduled work until ${size + 9}:00.</p>` : ''}${size > 2 ? analytics : ''}`,
      ),
  },
  {
    name: 'a feed shown as a page',
    page: (size) =>
      html(
        `<h1>News feed</h1><p>Subscribe by copying the address.</p>${times(2 + size, (at) => `<article><h2><a href="/${at}">Item ${at}</a></h2><time>2026-03-0${1 + at}</time></article>`)}`,
      ),
  },
  {
    name: 'a calendar of events',
    page: (size) =>
      html(
        framed(
          `<h1>March</h1><table>${times(2 + size, (at) => `<tr><th>${at + 1} March</th><td>Market of ${topicOf(at)}</td></tr>`)}</table>${bundle}`,
        ),
      ),
  },
  {
    name: 'a page with a video',
    page: (size) =>
      html(
        framed(
          `<h1>${titled(size)}</h1><div class="player loading"><video src="/v.mp4" poster="/p.jpg"></video></div><p>${size + 3} minutes</p>${heavyScripts}`,
        ),
      ),
  },
  {
    name: 'a page of links',
    page: (size) =>
      html(
        `<img src="/me.jpg"><h1>Ann</h1>${times(2 + size, (at) => `<a href="https://example.com/${at}">Place ${at}</a>`)}${bundle}`,
      ),
  },
  {
    name: 'a front page with excerpts',
    page: (size) =>
      html(
        framed(
          `${times(2 + size * 2, (at) => `<article><h2><a href="/${at}">Story ${at}</a></h2><p>A short line on it.</p></article>`)}${heavyScripts}`,
        ),
      ),
  },
]
