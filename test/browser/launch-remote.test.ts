import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from '../../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../../src/engine/browser/find/machine-probes.ts'
import { openBrowser } from '../../src/engine/browser/launch/launcher.ts'
import { type Listening, serve } from '../helpers/listen.ts'
import { tempDir } from '../helpers/program.ts'
import { browserHere, quiet } from './programs/machine.ts'

const remote = async (browserCdpUrl: string) => findBrowser('shell', { browserCdpUrl }, machineProbes(''))
const open = async (url: string, startTimeoutMs = 20_000, signal?: AbortSignal) =>
  openBrowser(await remote(url), { log: quiet, startTimeoutMs }, signal)

describe('a browser that already runs', () => {
  const profile = tempDir()
  let endpoint = ''
  let stop: () => Promise<void>

  beforeAll(async () => {
    const { path, env } = await browserHere()
    const line = [
      '--headless',
      '--no-sandbox',
      '--remote-debugging-port=0',
      `--user-data-dir=${join(profile.path, 'its')}`,
    ]
    const running = spawn(path, line, {
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = new Promise((resolve) => running.once('exit', resolve))
    stop = async () => {
      process.kill(-(running.pid ?? 0), 'SIGKILL')
      await ended
      profile.remove()
    }
    for await (const said of createInterface({ input: running.stderr })) {
      endpoint = /DevTools listening on (ws:\S+)/.exec(said)?.[1] ?? ''
      if (endpoint) break
    }
    running.stderr.resume()
  })
  afterAll(() => stop())

  test.each([
    ['WebSocket', () => endpoint],
    ['debugging port', () => new URL(endpoint).origin.replace('ws:', 'http:')],
    ['debugging port, with a slash', () => `${new URL(endpoint).origin.replace('ws:', 'http:')}/`],
  ])('is reached by its %s, and stays open', async (_, url) => {
    const browser = await open(url())
    expect(browser).toMatchObject({ kind: 'remote', pid: undefined })
    const { targetId } = await browser.connection.browser.send('Target.createTarget', { url: 'about:blank' })
    const session = await browser.connection.attach(targetId)
    const { result } = await session.send('Runtime.evaluate', { expression: '"ż".repeat(3_000_000)' })
    expect(result.value).toHaveLength(3_000_000)
    await browser.close()
    expect(await browser.closed).toEqual({ why: 'closed', detail: 'was closed here' })
    expect(await session.ended).toBe('closed')
    const again = await open(url())
    const { targetInfos } = await again.connection.browser.send('Target.getTargets', {})
    expect(targetInfos.map((info) => info.targetId)).toContain(targetId)
    await again.close()
  })

  test('that dies fails all calls', async () => {
    const browser = await open(endpoint)
    const { targetId } = await browser.connection.browser.send('Target.createTarget', { url: 'about:blank' })
    const session = await browser.connection.attach(targetId)
    const waiting = session.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true })
    const told = expect(waiting).rejects.toMatchObject({ why: 'closed' })
    await stop()
    await told
    expect(await browser.closed).toMatchObject({ why: 'died' })
  })
})

describe('a remote browser that cannot be reached', () => {
  const secret = 'hunter2'
  const servers: Listening[] = []
  const listening = async (answer: string | 'nothing') => {
    const server = await serve((_, response) => answer !== 'nothing' && response.end(answer))
    servers.push(server)
    return server.place
  }
  afterAll(() => servers.forEach((server) => server.close()))

  test.each([
    ['is no browser', async () => `http://${await listening('<html>')}/?token=${secret}`],
    ['names no WebSocket', async () => `http://${await listening('{}')}/?token=${secret}`],
    ['takes no WebSocket', async () => `ws://${await listening('hello')}/${secret}`],
    ['never answers', async () => `http://${await listening('nothing')}/?token=${secret}`],
    ['never opens', async () => `ws://${await listening('nothing')}/${secret}`],
    ['has gone', async () => `ws://127.0.0.1:1/${secret}`],
    ['has no address', async () => 'nonsense'],
  ])('(it %s) is reported without its address', async (_, url) => {
    const error: unknown = await open(await url(), 300).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'BROWSER_UNAVAILABLE',
      message: 'The remote browser at GOSSAMER_BROWSER_CDP_URL did not answer.',
      hint: expect.stringContaining('GOSSAMER_BROWSER_CDP_URL'),
    })
    expect(JSON.stringify(error)).not.toContain(secret)
  })

  test('is not waited for after the caller has left', async () => {
    const abort = new AbortController()
    const opening = open(`ws://${await listening('nothing')}`, 20_000, abort.signal)
    abort.abort(new Error('gone'))
    await expect(opening).rejects.toThrow('gone')
  })
})
