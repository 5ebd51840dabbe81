import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { listen } from '../helpers/listen.ts'
import { answer, html } from '../helpers/site/route.ts'
import { startSite } from '../helpers/site.ts'
import { forAll } from '../helpers/for-all.ts'
import { startSessionServer } from './sessions-kit.ts'

/** A service of this machine that no page and no code may access. */
let secretCalls = 0
const secret = forAll(() => {
  const service = createServer((_, response) => {
    secretCalls += 1
    response.setHeader('access-control-allow-origin', '*').end('<h1>inner secret</h1>')
  })
  service.on('upgrade', (_, socket) => {
    secretCalls += 1
    socket.destroy()
  })
  return listen(service)
})
const site = forAll(() =>
  startSite({
    routes: {
      '/sessions/page': html('<!doctype html><title>Page</title><h1>Page</h1>'),
      '/sessions/inward': answer(302, { location: secretUrl('/redirected') }),
      '/sessions/frames': html(`<!doctype html><title>Frames</title><iframe src="${secretUrl('/frame')}"></iframe>`),
    },
  }),
)
const server = forAll(() => startSessionServer({ GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` }))
const session = forAll(() => server.open())

const secretUrl = (path: string) => secret.origin + path
const why = 'The address is private, local or reserved'

describe('a private address', () => {
  const places: [how: string, url: () => string][] = [
    ['of this machine', () => secretUrl('/')],
    ['that a redirect leads to', () => site.url('/sessions/inward')],
    ['of a cloud’s metadata', () => 'http://169.254.169.254/latest/meta-data/'],
    ['of this machine in another notation', () => secretUrl('/').replace('127.0.0.1', '2130706433')],
    ['over https', () => secretUrl('/').replace('http:', 'https:')],
  ]
  it.each(places)('%s is refused with a message for actions and code', async (_, url) => {
    const acted = await session.go(url())
    expect(acted).toMatchObject({ status: 200, body: { ok: false, text: expect.stringContaining(why) } })
    const node = await session.run(`await page.goto('${url()}')`)
    expect(node.body).toMatchObject({ exitCode: 1, error: expect.stringContaining(why) })
    expect(secretCalls).toBe(0)
  })

  it.each(places.slice(0, 2))('%s is refused with a message for code in other languages', async (_, url) => {
    const python = await session.run(`await page.goto('${url()}')`, { language: 'python' })
    expect(python.body).toMatchObject({ exitCode: 1, error: expect.stringContaining(why) })
    const bash = await session.run(`agent-browser open '${url()}'`, { language: 'bash' })
    expect(bash.body).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(why) })
    expect(secretCalls).toBe(0)
  })

  it('cannot be reached by scripts, sockets, frames, pictures and beacons of a page', async () => {
    await session.go(site.url('/sessions/page'))
    const reach = `await page.evaluate(async (url) => {
      const settled = (promise) => promise.then(() => 'reached', () => 'refused')
      const socket = new Promise((resolve, reject) => {
        const opened = new WebSocket(url.replace('http', 'ws'))
        opened.onopen = resolve
        opened.onerror = reject
      })
      const picture = new Promise((resolve, reject) => Object.assign(new Image(), { onload: resolve, onerror: reject, src: url }))
      navigator.sendBeacon(url, 'x')
      fetch(url, { mode: 'no-cors' }).catch(() => {})
      const worker = new Worker(URL.createObjectURL(new Blob(['fetch("' + url + '").then(() => postMessage("reached"), () => postMessage("refused"))'])))
      const worked = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)))
      const source = new Promise((resolve, reject) => {
        const events = new EventSource(url)
        events.onopen = resolve
        events.onerror = reject
      })
      return (await Promise.all([
        settled(fetch(url)), settled(socket), settled(picture), settled(source), worked,
      ])).join(' ')
    }, '${secretUrl('/asset')}')`
    const { body } = await session.run(reach)
    expect(body['result']).toBe('refused refused refused refused refused')
    await session.go(site.url('/sessions/frames'))
    expect((await session.look()).body['snapshot']).not.toContain('inner secret')
    expect(secretCalls).toBe(0)
  })
})

it.each(['file:///etc/passwd', 'chrome://version', 'chrome://crash', 'view-source:file:///etc/passwd'])(
  'a URL of another scheme is refused to acts, code and CDP clients: %s',
  async (url) => {
    expect((await session.go(url)).body).toMatchObject({
      ok: false,
      text: expect.stringContaining('Only http and https addresses are visited.'),
    })
    expect((await session.run(`await page.goto('${url}')`)).body).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('Only http, https'),
    })
    expect(
      (await session.run(`await page.evaluate((url) => { location.href = url }, '${url}'); page.url()`)).body,
    ).toMatchObject({ result: expect.not.stringContaining(url) })
  },
)
