import { describe, expect, test, vi } from 'vitest'
import type { CdpMessage } from '../../src/engine/browser/cdp/cdp-wire.ts'
import { scripted, settle } from './programs/scripted.ts'

describe('a session', () => {
  test('rejects a call with the error of the browser', async () => {
    const { connection, last, say } = scripted()
    const call = connection.browser.send('Target.closeTarget', { targetId: 'none' })
    say({ id: last().id ?? 0, error: { code: -32602, message: 'No target with given id found' } })
    await expect(call).rejects.toMatchObject({
      name: 'CdpError',
      why: 'refused',
      code: -32602,
      method: 'Target.closeTarget',
      message: 'Target.closeTarget: No target with given id found',
    })
  })

  test('receives only its own events, until it unsubscribes', async () => {
    const { attached, say } = scripted()
    const [one, other] = [await attached('S'), await attached('T')]
    const received: string[] = []
    const stop = one.on('Page.loadEventFired', ({ timestamp }) => void received.push(`one ${timestamp}`))
    one.on('Page.loadEventFired', ({ timestamp }) => void received.push(`one again ${timestamp}`))
    other.on('Page.loadEventFired', ({ timestamp }) => void received.push(`other ${timestamp}`))
    say({ method: 'Page.loadEventFired', params: { timestamp: 1 }, sessionId: 'S' })
    stop()
    say({ method: 'Page.loadEventFired', params: { timestamp: 2 }, sessionId: 'S' })
    say({ method: 'Page.loadEventFired', params: { timestamp: 3 }, sessionId: 'unknown' })
    expect(received).toEqual(['one 1', 'one again 1', 'one again 2'])
  })

  test('survives a listener that throws', async () => {
    const { attached, say, log } = scripted()
    const session = await attached('S')
    const received = vi.fn<(params: object) => void>()
    session.on('Page.loadEventFired', () => {
      throw new TypeError('mine')
    })
    session.on('Page.loadEventFired', received)
    say({ method: 'Page.loadEventFired', params: { timestamp: 1 }, sessionId: 'S' })
    expect(received).toHaveBeenCalledOnce()
    expect(log.error).toHaveBeenCalledWith(
      'browser.listener',
      expect.objectContaining({ method: 'Page.loadEventFired' }),
    )
  })

  test.each<[string, string, CdpMessage]>([
    ['closes', 'detached', { method: 'Target.detachedFromTarget', params: { sessionId: 'S' } }],
    ['crashes', 'crashed', { method: 'Inspector.targetCrashed', params: {}, sessionId: 'S' }],
  ])('whose page %s fails only its own calls, immediately', async (_, why, news) => {
    const { attached, say, last } = scripted()
    const [session, other] = [await attached('S'), await attached('T')]
    const child = session.child('frame of S')
    const calls = [session, child].map((one) => one.send('Runtime.evaluate', { expression: '1' }))
    const kept = other.send('Runtime.evaluate', { expression: '1' })
    const { id = 0 } = last()
    say(news)
    for (const call of calls)
      await expect(call).rejects.toMatchObject({ name: 'CdpError', why, method: 'Runtime.evaluate' })
    await expect(session.send('Page.enable', {})).rejects.toMatchObject({ why })
    expect(await Promise.all([session.ended, child.ended])).toEqual([why, why])
    say({ id, result: { ok: true }, sessionId: 'T' })
    await expect(kept).resolves.toEqual({ ok: true })
  })

  test('fails all calls and sessions when the connection ends', async () => {
    const { connection, attached, end } = scripted()
    const session = await attached('S')
    const calls = [session.send('Page.enable', {}), connection.browser.send('Browser.getVersion', {})]
    const attaching = connection.attach('T')
    end('broke')
    for (const call of [...calls, attaching]) await expect(call).rejects.toMatchObject({ why: 'closed' })
    expect(await Promise.all([session.ended, connection.browser.ended, connection.closed])).toEqual([
      'closed',
      'closed',
      'broke',
    ])
    await expect(connection.browser.send('Browser.getVersion', {})).rejects.toMatchObject({ why: 'closed' })
    await expect(connection.attach('T')).rejects.toMatchObject({ why: 'closed' })
  })

  test('rejects an aborted call with the reason, and ignores its late response', async () => {
    const { connection, last, answer } = scripted()
    const abort = new AbortController()
    const call = connection.browser.send('Browser.getVersion', {}, abort.signal)
    abort.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    answer({ product: 'late' })
    const again = connection.browser.send('Browser.getVersion', {}, abort.signal)
    await expect(again).rejects.toThrow('enough')
    expect(last().id).toBe(1)
  })

  test('detaches from the page again if attaching was aborted', async () => {
    const { connection, answer, last } = scripted()
    const abort = new AbortController()
    const attaching = connection.attach('T', abort.signal)
    abort.abort(new Error('enough'))
    await expect(attaching).rejects.toThrow('enough')
    answer({ sessionId: 'S' })
    await settle()
    expect(last()).toMatchObject({ method: 'Target.detachFromTarget', params: { sessionId: 'S' } })
  })
})
