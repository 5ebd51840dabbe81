import {
  analytics,
  bundle,
  framed,
  heavyScripts,
  html,
  times,
  titled,
  topicOf,
  type Shape,
  bareShape,
  framedShape,
} from './shape.ts'

/** Pages that show, list or ask for something, with little running text. */
export const thingShapes: readonly Shape[] = [
  {
    name: 'a product',
    page: (size) =>
      html(
        framed(
          `<div class="gallery">${times(1 + size, (at) => `<img src="/p/${at}.jpg" alt="Mug">`)}</div><h1>Blue mug</h1><p class="price">12.50 €</p><p>Holds a third of a litre.</p><button>Add to cart</button><div id="reviews" class="loading"></div>${heavyScripts}`,
        ),
        { head: '<script type="application/ld+json">{"@type":"Product","name":"Blue mug"}</script>' },
      ),
  },
  framedShape(
    'search results',
    (size) =>
      `<form><input name="q"></form><p>${size + 2} results</p><ol>${times(2 + size, (at) => `<li><a href="/r/${at}">Result ${at}</a><br>Something was found.</li>`)}</ol>${bundle}`,
  ),
  bareShape(
    'a table of figures',
    (size) =>
      `<h1>Rates</h1><table>${times(3 + size * 6, (at) => `<tr><td>${at}</td><td>${at * 7}</td></tr>`)}</table>${analytics}`,
  ),
  {
    name: 'a login form',
    page: (size) =>
      html(
        `<main><img src="/logo.svg"><form method="post"><label>E-mail <input name="email"></label><label>Password <input type="password" name="p"></label><button>Sign in</button></form>${size > 1 ? '<a href="/forgot">Forgot your password?</a>' : ''}</main>${size > 2 ? bundle : ''}`,
        { title: `Sign in to ${topicOf(size)}` },
      ),
  },
  framedShape(
    'a form to subscribe',
    (size) =>
      `<h1>Stay in touch</h1><form><input type="email" placeholder="E-mail"><select>${times(2 + size, (at) => `<option>${at}</option>`)}</select><button>Subscribe</button></form><div class="spinner" hidden></div>${bundle}`,
  ),
  {
    name: 'an error of a web server',
    status: 502,
    page: (size) =>
      html(`<center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.${size + 26}</center>`, {
        title: '502 Bad Gateway',
      }),
  },
  framedShape(
    'a calendar of events',
    (size) =>
      `<h1>March</h1><table>${times(2 + size, (at) => `<tr><th>${at + 1} March</th><td>Market of ${topicOf(at)}</td></tr>`)}</table>${bundle}`,
  ),
  framedShape(
    'a page with a video',
    (size) =>
      `<h1>${titled(size)}</h1><div class="player loading"><video src="/v.mp4" poster="/p.jpg"></video></div><p>${size + 3} minutes</p>${heavyScripts}`,
  ),
  framedShape(
    'a front page with excerpts',
    (size) =>
      `${times(2 + size * 2, (at) => `<article><h2><a href="/${at}">Story ${at}</a></h2><p>A short line on it.</p></article>`)}${heavyScripts}`,
  ),
]
