import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPool } from '../../src/engine/browser/pool/pool.ts'
import { createSharedContexts } from '../../src/engine/browser/pool/shared-pages.ts'
import { openHere, quiet } from './programs/machine.ts'
import { scripted } from './programs/scripted.ts'

function open() {
  const browser = scripted()
  const contexts = createSharedContexts(browser.connection)
  const sent = (method: string) => browser.sent.filter((message) => message.method === method)
  const answerAll = async () => {
    for (const { id = 0, method } of browser.sent.splice(0))
      browser.say({ id, result: method === 'Target.createBrowserContext' ? { browserContextId: 'c' } : {} })
    await vi.advanceTimersByTimeAsync(0)
  }
  return { contexts, sent, answerAll }
}

describe('a shared context', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is closed after a minute without use, and then opened again', async () => {
    const { contexts, sent, answerAll } = open()
    const [first, second] = [contexts.enter('key', {}), contexts.enter('key', {})]
    expect(second).toBe(first)
    expect(sent('Target.createBrowserContext')).toHaveLength(1)
    await answerAll()
    first.leave()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(sent('Target.disposeBrowserContext')).toHaveLength(0)
    second.leave()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(contexts.enter('key', {})).toBe(first)
    first.leave()
    await vi.advanceTimersByTimeAsync(61_000)
    expect(sent('Target.disposeBrowserContext')).toMatchObject([{ params: { browserContextId: 'c' } }])
    expect(contexts.enter('key', {})).not.toBe(first)
  })

  test('is opened for each key and proxy', () => {
    const { contexts } = open()
    const ways = [contexts.enter('a', {}), contexts.enter('b', {}), contexts.enter('a', { proxyServer: '127.0.0.1:1' })]
    expect(new Set(ways).size).toBe(3)
  })

  test('runs its setup once for all visits, and again after a failure', async () => {
    const { contexts } = open()
    const context = contexts.enter('key', {})
    const work = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('failed')).mockResolvedValue('done')
    await expect(context.once(work)).rejects.toThrow('failed')
    expect(await Promise.all([context.once(work), context.once(work)])).toEqual(['done', 'done'])
    expect(work).toHaveBeenCalledTimes(2)
  })
})

test('a page is closed after fifty visits, when its visit failed and when it crashed', async () => {
  const pool = createPool({ launch: () => openHere(), log: quiet, maxPages: 4 })
  const { signal } = new AbortController()
  const reuse = { context: 'key', page: 'setup' }
  const visit = (work: (id: string) => Promise<unknown> | unknown = () => {}) =>
    pool.withTab({ contextOptions: {}, reuse, signal, teamId: 'red', tries: 1 }, async (tab) => {
      await work(tab.targetId)
      return tab
    })
  try {
    const pages: string[] = []
    for (let times = 0; times < 52; times++) pages.push((await visit()).targetId)
    expect(new Set(pages.slice(0, 50)).size).toBe(1)
    expect(pages.slice(50)).toEqual([pages[50], pages[50]])
    expect(pages[50]).not.toBe(pages[0])
    await expect(visit(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    const { targetId, session } = await visit()
    expect(targetId).not.toBe(pages[50])
    session.send('Page.crash', {}).catch(() => undefined)
    await session.ended
    expect((await visit()).targetId).not.toBe(targetId)
  } finally {
    await pool.close()
  }
})
