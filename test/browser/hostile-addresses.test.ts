import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { forAll, siteForAll } from '../helpers/for-all.ts'
import { listen } from '../helpers/listen.ts'
import { openRenderer, script, textOf } from './programs/rendering.ts'

/** Services of this machine that no page may reach; every request is recorded. */
const received: string[] = []
const site = siteForAll()
const secret = forAll(() =>
  listen(
    createServer((socket) => {
      received.push('connection')
      socket.on('data', (data) => received.push(data.toString().split('\n', 1)[0] ?? '')).on('error', () => {})
    }),
  ),
)
forAll(async () => {
  const udp = createSocket('udp4', () => received.push('datagram')).bind(secret.port, '127.0.0.1')
  await once(udp, 'listening')
  return udp
})
const browser = forAll(() => openRenderer([`127.0.0.1:${site.port}`], { maxPages: 8 }))

const names = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433', 'rebinding.test']

describe.concurrent('a hostile page', () => {
  test.each(names)('cannot reach %s by any means', async (host) => {
    const page = await browser.render(site.url(`/hostile/doors?to=${host}:${secret.port}`), { waitForMs: 1500 })
    expect(textOf(page)).toMatch(/Knocked: beacon css events fetch file form frame .* socket style transport worker</)
    expect(received).toEqual([])
  })

  test.each([
    ...names.map((host) => `http://${host}:PORT/`),
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[fd00::1]/',
    'http://printer.local/',
  ])('cannot be redirected to %s', async (to) => {
    const url = to.replace('PORT', String(secret.port))
    const target = `?to=${encodeURIComponent(url)}`
    const refused = { code: 'SCRAPE_ADDRESS_REFUSED' }
    await expect(browser.render(url)).rejects.toMatchObject(refused)
    await expect(browser.render(site.url(`/hostile/away${target}`))).rejects.toMatchObject(refused)
    await expect(browser.render(site.url(`/hostile/go${target}`))).rejects.toMatchObject(refused)
    expect(received).toEqual([])
  })

  test.each([
    'file:///etc/passwd',
    'chrome://version/',
    'view-source:http://127.0.0.1/',
    'about:blank',
    'data:text/html,x',
    'javascript:1',
  ])('cannot open %s', (url) => expect(browser.render(url)).rejects.toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' }))

  test.each(['file:///etc/passwd', 'chrome://version/', 'view-source:http://127.0.0.1/'])(
    'cannot navigate to %s',
    async (to) => {
      const leading = `?to=${encodeURIComponent(to)}`
      const redirected = await browser.render(site.url(`/hostile/away${leading}`)).catch((error: unknown) => error)
      const page = await browser.render(site.url(`/hostile/go${leading}`), {
        actions: [script(`location.href = ${JSON.stringify(to)}`), { type: 'wait', milliseconds: 200 }],
      })
      expect(redirected).toMatchObject({ code: expect.stringMatching(/^SCRAPE_(?:SITE_ERROR|ADDRESS_REFUSED)$/) })
      expect(textOf(page)).toContain('Leaving this page')
      expect(textOf(page)).not.toContain('root:')
    },
  )
})

test('the servers of this test record requests', async () => {
  const udp = createSocket('udp4')
  udp.send('x', secret.port, '127.0.0.1', () => udp.close())
  await fetch(`http://127.0.0.1:${secret.port}/`, { signal: AbortSignal.timeout(300) }).catch(() => undefined)
  expect(received.map((each) => each.trim()).sort()).toEqual(['GET / HTTP/1.1', 'connection', 'datagram'])
})
