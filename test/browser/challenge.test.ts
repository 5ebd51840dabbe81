import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detectBotChallenge } from '../../src/engine/net/http/bot-challenge.ts'
import { type Rendering } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

const guard = (script: string) =>
  `<!doctype html><title>Just a moment...</title><body>Checking your browser.<script>${script}</script>`

let site: Server
let base: string
let browser: Omit<Rendering, 'close'>
beforeAll(async () => {
  site = createServer((request, answer) => {
    const isThrough = request.headers.cookie?.includes('clearance=yes') ?? false
    answer.setHeader('content-type', 'text/html')
    if (isThrough) return void answer.end('<!doctype html><title>Inside</title><p>What is behind the guard.</p>')
    answer.writeHead(403, { 'cf-mitigated': 'challenge' })
    const pass = `setTimeout(() => { document.cookie = 'clearance=yes'; location.reload() }, 900)`
    answer.end(guard(request.url === '/stays' ? '' : pass))
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const place = `127.0.0.1:${(site.address() as AddressInfo).port}`
  base = `http://${place}`
  browser = await sharedRenderer()
})
afterAll(async () => {
  site.close()
})

test('a check that solves itself is waited for, and the page behind it is returned', async () => {
  const page = await browser.render(`${base}/`)
  expect(page.status).toBe(200)
  expect(Buffer.from(page.body).toString()).toContain('What is behind the guard.')
  expect(detectBotChallenge(page)).toBeUndefined()
})

test('a persistent check is reported by its kind', async () => {
  const page = await browser.render(`${base}/stays`)
  expect(page.status).toBe(403)
  expect(detectBotChallenge(page)).toMatchObject({ by: 'Cloudflare', kind: 'challenge' })
})
