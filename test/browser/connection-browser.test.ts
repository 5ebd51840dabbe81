import { describe, expect, test, vi } from 'vitest'
import type { Connection } from '../../src/engine/browser/cdp/cdp-connection.ts'
import type { CdpMessage } from '../../src/engine/browser/cdp/cdp-wire.ts'
import { openHere } from './programs/machine.ts'
import { forAll } from '../helpers/for-all.ts'

// Its own browser, because clients that another file left attached would count as ours.
const browser = forAll(() => openHere({ windowSize: { width: 1280, height: 720 } }))

const page = async (url = 'about:blank') => {
  const { targetId } = await browser.connection.browser.send('Target.createTarget', { url })
  return { targetId, session: await browser.connection.attach(targetId) }
}
const evaluated = async (session: Awaited<ReturnType<Connection['attach']>>, expression: string) => {
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })
  return result.value
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
  ] as const)('end, and their calls fail, when the page %s; other sessions continue', async (_, why, method) => {
    const { session } = await page()
    const other = await page()
    const waiting = session.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true })
    const rejection = expect(waiting).rejects.toMatchObject({ name: 'CdpError' })
    void session.send(method, {}).catch(() => undefined)
    await rejection
    expect(await session.ended).toBe(why)
    await expect(session.send('Page.enable', {})).rejects.toMatchObject({ why })
    expect(await evaluated(other.session, '6 * 7')).toBe(42)
  })
})

test('other clients of the browser detach from their pages when they close', async () => {
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
