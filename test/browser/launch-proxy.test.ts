import { createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { forAll } from '../helpers/for-all.ts'
import { listen, serve } from '../helpers/listen.ts'
import { openHere } from './programs/machine.ts'

/** Requests that reached the proxy, and those that bypassed it. */
const proxied: string[] = []
const direct: string[] = []
const site = forAll(() =>
  serve((request, response) => {
    direct.push(`${request.method} ${request.url}`)
    response.end('<title>past the proxy</title>')
  }),
)
const proxy = forAll(() => {
  const server = createServer((request, response) => {
    proxied.push(`${request.method} ${request.url}`)
    response.setHeader('content-type', 'text/html').end('<title>from the proxy</title>')
  })
  server.on('connect', ({ url }: IncomingMessage, socket: Socket) => {
    proxied.push(`CONNECT ${url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  return listen(server)
})
const browser = forAll(() => openHere({ proxy: proxy.origin }))

test('all requests of a page use the proxy, including loopback addresses', async () => {
  const { place: host, port } = site
  const { targetId } = await browser.connection.browser.send('Target.createTarget', { url: 'about:blank' })
  const session = await browser.connection.attach(targetId)
  const loaded = new Promise((resolve) => void session.on('Page.loadEventFired', resolve))
  await session.send('Page.enable', {})
  await session.send('Page.navigate', { url: `http://${host}/page` })
  await loaded
  const expression = `(async () => {
    await fetch('http://${host}/fetch').catch(() => {})
    await fetch('http://localhost:${port}/named').catch(() => {})
    await fetch('https://${host}/secure').catch(() => {})
    await new Promise((done) => { const image = new Image(); image.onload = image.onerror = done; image.src = 'http://${host}/image' })
    await new Promise((done) => { new WebSocket('ws://${host}/socket').onclose = done })
    return document.title
  })()`
  const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
  expect(result.value).toBe('from the proxy')
  const wanted = [
    `GET http://${host}/page`,
    `GET http://${host}/fetch`,
    `GET http://localhost:${port}/named`,
    `CONNECT ${host}`,
    `GET http://${host}/image`,
  ]
  expect(proxied).toEqual(expect.arrayContaining(wanted))
  expect(proxied.filter((line) => line === `CONNECT ${host}`).length).toBeGreaterThanOrEqual(2)
  expect(direct).toEqual([])
})
