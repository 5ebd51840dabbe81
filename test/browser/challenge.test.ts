import { expect, test } from 'vitest'
import { detectBotChallenge } from '../../src/engine/net/http/bot-challenge.ts'
import { serve } from '../helpers/listen.ts'
import { sharedRenderer } from './programs/shared.ts'
import { forAll, leftOpen } from '../helpers/for-all.ts'

const guard = (script: string) =>
  `<!doctype html><title>Just a moment...</title><body>Checking your browser.<script>${script}</script>`

const site = forAll(() =>
  serve((request, answer) => {
    const isPassed = request.headers.cookie?.includes('clearance=yes') ?? false
    answer.setHeader('content-type', 'text/html')
    if (isPassed) return void answer.end('<!doctype html><title>Inside</title><p>What is behind the guard.</p>')
    answer.writeHead(403, { 'cf-mitigated': 'challenge' })
    const pass = `setTimeout(() => { document.cookie = 'clearance=yes'; location.reload() }, 900)`
    answer.end(guard(request.url === '/stays' ? '' : pass))
  }),
)
const browser = forAll(sharedRenderer, leftOpen)

test('the page behind a bot challenge that passes by itself is returned', async () => {
  const page = await browser.render(site.origin)
  expect(page.status).toBe(200)
  expect(Buffer.from(page.body).toString()).toContain('What is behind the guard.')
  expect(detectBotChallenge(page)).toBeUndefined()
})

test('a bot challenge that stays is reported with its kind', async () => {
  const page = await browser.render(`${site.origin}/stays`)
  expect(page.status).toBe(403)
  expect(detectBotChallenge(page)).toMatchObject({ by: 'Cloudflare', kind: 'challenge' })
})
