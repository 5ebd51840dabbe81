import {
  analytics,
  bundle,
  framed,
  heavyScripts,
  html,
  links,
  prose,
  times,
  titled,
  topicOf,
  type Shape,
  bareShape,
  framedShape,
} from './shape.ts'

const data = (size: number) =>
  JSON.stringify({
    props: { pageProps: { items: Array.from({ length: 50 + size * 200 }, (_, at) => ({ at, text: topicOf(at) })) } },
  })

/** Pages that a framework has rendered before it sent them, and short pages with their scripts. */
export const frameworkShapes: readonly Shape[] = [
  {
    name: 'Next with its data',
    page: (size) =>
      html(
        `<div id="__next">${framed(`<h1>${titled(size)}</h1>${prose(topicOf(size), 1 + size)}`)}</div><script id="__NEXT_DATA__" type="application/json">${data(size)}</script>${bundle}`,
        { head: '<noscript data-n-css=""></noscript>' },
      ),
  },
  bareShape(
    'Next that streams',
    (size) =>
      `${framed(`<h1>${titled(size)}</h1>${prose(topicOf(size), 1 + size)}`)}<!--$?--><template id="B:0"></template><div class="skeleton"></div><!--/$--><script>self.__next_f=self.__next_f||[]</script>${times(6, (at) => `<script>self.__next_f.push([1,"${at}"])</script>`)}`,
  ),
  bareShape(
    'Angular rendered by a server',
    (size) =>
      `<app-root ng-server-context="ssr"><app-header>${links(['Home'])}</app-header><app-page><h1>${titled(size)}</h1>${prose(topicOf(size), 1 + size)}</app-page></app-root><script id="ng-state" type="application/json">${data(0)}</script>${bundle}`,
  ),
  framedShape(
    'Astro with islands',
    (size) =>
      `<h1>${titled(size)}</h1>${prose(topicOf(size), 1 + size)}<astro-island client="idle" component-url="/c.js"></astro-island>`,
  ),
  framedShape(
    'Rails with frames that load later',
    (size) =>
      `<h1>${titled(size)}</h1><p>Kept since 2026 by Ann. Open to all.</p>${times(1 + size, (at) => `<turbo-frame id="f${at}" src="/f/${at}" loading="lazy"><p>Loading…</p></turbo-frame>`)}${bundle}`,
  ),
  framedShape(
    'an old page with an empty place for a widget',
    (size) =>
      `<h1>${titled(size)}</h1>${prose(topicOf(size), 1 + size)}<div id="root"></div><div class="modal"><div class="loader"></div></div>${heavyScripts}`,
  ),
  bareShape(
    'a landing page under a preloader',
    (size) =>
      `<div id="preloader"><div class="spinner"></div></div>${framed(`<section class="hero"><h1>Ledgers that add up</h1><p>Try it for ${size + 7} days.</p><a class="button" href="/signup">Start</a></section>${times(size, (at) => `<section><h2>Reason ${at}</h2><p>It is quick.</p></section>`)}`)}${heavyScripts}`,
  ),
  {
    name: 'one line',
    page: (size) => html(size % 2 === 0 ? '<h1>It works!</h1>' : '<p>It works.</p>', { title: topicOf(size) }),
  },
  bareShape('one line beside analytics', (size) => `<p>Back in ${size + 2} days.</p>${analytics}`),
  bareShape(
    'a parked domain',
    (size) => `<h1>example-${size}.com</h1><p>This domain may be for sale.</p><a href="/buy">Ask</a>${analytics}`,
  ),
  {
    name: 'a page that sends frames of others to itself',
    page: (size) =>
      html(framed(`<h1>${titled(size)}</h1><p>A line or two on ${topicOf(size)}, no more than that.</p>`), {
        head: '<script>if (top !== self) { top.location = self.location }</script>',
      }),
  },
]
