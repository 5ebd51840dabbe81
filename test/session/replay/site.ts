import { html, type Routes } from '../../helpers/site/route.ts'

const whole = `<p>${'It has enough to say to be considered a whole page. '.repeat(4)}</p>`

/** A page that displays typed text and the effects of actions. */
const stage = `<!doctype html><title>Stage</title><style>p { margin: 0 } #far { height: 3000px }</style>
<h1>Stage</h1>${whole}<input id="name"><button id="add" onclick="add()">Add</button><ul></ul>
<a id="on" href="/replay/next?from=stage">next</a> <a id="window" href="/replay/next?from=window" target="_blank">window</a>
<button id="ask" onclick="note(confirm('Sure?') + ' ' + prompt('Which?', 'the usual'))">ask</button>
<button id="alert" onclick="console.error('bad'); alert('Hello')">alert</button>
<img src="/replay/dot.png"><div id="far"></div>
<script>
  function note(text) { document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: text })) }
  function add() { note(document.querySelector('#name').value); document.cookie = 'added=yes' }
  if (location.search === '?late') setTimeout(() => note('came late'), 400)
</script>`

/** A picture of one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

export const replayRoutes: Routes = {
  '/replay/stage': html(stage, { 'set-cookie': 'visited=yes' }),
  '/replay/next': ({ response, url }) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Next</title><p>Next page, from ${url.searchParams.get('from')}</p>${whole}`)
  },
  '/replay/dot.png': ({ response }) => void response.writeHead(200, { 'content-type': 'image/png' }).end(dot),
  '/replay/endless': html(`<!doctype html><title>Endless</title><p>Before the loop</p>
    <script>if (!location.hash) setTimeout(() => { for (;;); }, 50)</script>`),
}

/** Returns the visitor's properties that a page sees, and the page's state. Runs in the page. */
export const lookScript = `({
  url: location.href,
  text: document.body.innerText,
  typed: document.querySelector('#name')?.value,
  scrolled: scrollY > 0,
  at: Math.round(scrollY),
  cookies: document.cookie.split('; ').sort(),
  agent: navigator.userAgent,
  languages: navigator.languages,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  number: (1234.5).toLocaleString(),
  touch: navigator.maxTouchPoints,
  width: innerWidth,
  ratio: devicePixelRatio,
})`
