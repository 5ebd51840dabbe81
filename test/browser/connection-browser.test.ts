import { chromium, type ConnectOverCDPTransport } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { CdpClient, Connection } from '../../src/engine/browser/cdp/cdp-connection.ts'
import type { CdpMessage } from '../../src/engine/browser/cdp/cdp-wire.ts'
import type { Browser } from '../../src/engine/browser/launch/process.ts'
import { openHere } from './programs/machine.ts'

let browser: Browser
beforeAll(async () => {
  // Its own browser, because clients that another file left attached would count as ours.
  browser = await openHere({ windowSize: { width: 1280, height: 720 } })
})
afterAll(() => browser.close())

const page = async (url = 'about:blank') => {
  const { targetId } = await browser.connection.browser.send('Target.createTarget', { url })
  return { targetId, session: await browser.connection.attach(targetId) }
}
const evaluated = async (session: Awaited<ReturnType<Connection['attach']>>, expression: string) => {
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })
  return result.value
}

/** Playwright, as a client of the connection. */
async function playwright() {
  let client: CdpClient | undefined
  const transport: ConnectOverCDPTransport = {
    send: (message) => client?.send(message),
    close: () => void client?.close(),
  }
  client = await browser.connection.client({
    receive: (message) => transport.onmessage?.(message),
    ended: (why) => transport.onclose?.(why),
  })
  return chromium.connectOverCDP(transport)
}

describe('our own sessions', () => {
  test('receive a value of 50 MB', async () => {
    const { session } = await page()
    const value = await evaluated(session, '"x".repeat(50_000_000)')
    expect(typeof value === 'string' && value.length).toBe(50_000_000)
  })

  test.each([
    ['crashes', 'crashed', 'Page.crash'],
    ['closes', 'detached', 'Page.close'],
  ] as const)('end when the page %s, with their calls, and nothing else ends', async (_, why, method) => {
    const { session } = await page()
    const other = await page()
    const waiting = session.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true })
    const told = expect(waiting).rejects.toMatchObject({ name: 'CdpError' })
    void session.send(method, {}).catch(() => undefined)
    await told
    expect(await session.ended).toBe(why)
    await expect(session.send('Page.enable', {})).rejects.toMatchObject({ why })
    expect(await evaluated(other.session, '6 * 7')).toBe(42)
  })
})

describe('other clients of the browser', () => {
  test('see all pages and drive their own: two Playwrights at the same time', async () => {
    const { session } = await page('data:text/html,<title>ours</title>')
    const [one, other] = await Promise.all([playwright(), playwright()])
    const urls = () => one.contexts().flatMap((context) => context.pages().map((open) => open.url()))
    expect(urls()).toContain('data:text/html,<title>ours</title>')

    const shared = await other.contexts()[0]!.newPage()
    await shared.setContent('<button onclick="document.title = \'pressed\'">Press</button>')
    await shared.getByRole('button').click()
    expect(await shared.title()).toBe('pressed')

    await one.close()
    await shared.goto('data:text/html,<title>still here</title>')
    expect(await shared.title()).toBe('still here')
    expect(await evaluated(session, 'document.title')).toBe('ours')
    await other.close()
    expect(await evaluated(session, '1 + 1')).toBe(2)
  })

  test('let go of their pages when they leave', async () => {
    const { session, targetId } = await page()
    await session.detach()
    const received: CdpMessage[] = []
    const client = await browser.connection.client({
      receive: (message) => void received.push(message),
      ended: vi.fn(),
    })
    client.send({ id: 1, method: 'Target.attachToTarget', params: { targetId, flatten: true } })
    await expect.poll(() => received.some(({ id }) => id === 1)).toBe(true)
    const isAttached = async () => {
      const { targetInfo } = await browser.connection.browser.send('Target.getTargetInfo', { targetId })
      return targetInfo.attached
    }
    expect(await isAttached()).toBe(true)
    await client.close()
    await expect.poll(isAttached).toBe(false)
  })
})
