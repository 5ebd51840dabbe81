import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const lights = ['Amber Point', 'Brack Head', 'Cold Sound', 'Drift Rock', 'Ember Isle', 'Fallow Ness', 'Gannet Stack']
const pathOf = (name: string) => `/lights/${name.toLowerCase().replace(' ', '-')}`

const about = (name: string) =>
  `${name} was lit in the year of the great storm. Its keeper climbed the stairs twice a night to wind the clock that turns the lens, and wrote down every ship that answered. `

const frame = (title: string, content: string) => `<!doctype html><html lang="en"><head><title>${title}</title><style>
body { margin: 0; font: 17px/1.6 system-ui, sans-serif; color: #18303f; background: #f4f8fa }
header { background: #12314a; color: #fff; padding: 14px 32px } main { max-width: 820px; margin: 0 auto; padding: 24px 32px }
input, button { font: inherit; padding: 6px 12px } li { margin: 4px 0 }</style></head>
<body><header>Lights of the North Coast</header><main>${content}</main></body></html>`

const list = `<ul>${lights.map((name) => `<li><a href="${pathOf(name)}">${name}</a></li>`).join('')}</ul>`
const start = frame(
  'Lights of the North Coast',
  `<h1>Lights of the North Coast</h1><p>${about('The first of them')}</p>
<form action="/find"><label>Find a light <input name="name"></label> <button>Search</button></form>${list}`,
)

/** Small deterministic web site on loopback. */
export async function startSampleSite(): Promise<{ url: string; close(): void }> {
  const pages = new Map(
    lights.map((name) => [pathOf(name), frame(name, `<h1>${name}</h1><p>${about(name).repeat(4)}</p>${list}`)]),
  )
  const server = createServer(({ url = '/' }, response) => {
    const page = url === '/' ? start : pages.get(url)
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page ?? frame('Not found', '<h1>Not found</h1>'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}
