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

describe('a running browser', () => {
  const profile = tempDir()
  let endpoint = ''
  let stop: () => Promise<void>

  beforeAll(async () => {
    const { path, env } = await browserHere()
    const line = `--headless --no-sandbox --remote-debugging-port=0 --user-data-dir=${join(profile.path, 'its')}`.split(
      ' ',
    )
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
    for await (const logLine of createInterface({ input: running.stderr })) {
      endpoint = /DevTools listening on (ws:\S+)/.exec(logLine)?.[1] ?? ''
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
    expect(browser.pid).toBeUndefined()
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

  test('that is killed fails all calls', async () => {
    const browser = await open(endpoint)
    const { targetId } = await browser.connection.browser.send('Target.createTarget', { url: 'about:blank' })
    const session = await browser.connection.attach(targetId)
    const waiting = session.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true })
    const rejection = expect(waiting).rejects.toMatchObject({ why: 'closed' })
    await stop()
    await rejection
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
    ['is not a browser', async () => `http://${await listening('<html>')}/?token=${secret}`],
    ['returns no WebSocket URL', async () => `http://${await listening('{}')}/?token=${secret}`],
    ['refuses WebSockets', async () => `ws://${await listening('hello')}/${secret}`],
    ['never responds', async () => `http://${await listening('nothing')}/?token=${secret}`],
    ['never opens', async () => `ws://${await listening('nothing')}/${secret}`],
    ['is closed', async () => `ws://127.0.0.1:1/${secret}`],
    ['has an invalid URL', async () => 'nonsense'],
  ])('because it %s is reported without its URL', async (_, url) => {
    const error: unknown = await open(await url(), 300).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'BROWSER_UNAVAILABLE',
      message: 'The remote browser at GOSSAMER_BROWSER_CDP_URL did not answer.',
      hint: expect.stringContaining('GOSSAMER_BROWSER_CDP_URL'),
    })
    expect(JSON.stringify(error)).not.toContain(secret)
  })

  test('is not awaited after the caller has aborted', async () => {
    const abort = new AbortController()
    const opening = open(`ws://${await listening('nothing')}`, 20_000, abort.signal)
    abort.abort(new Error('gone'))
    await expect(opening).rejects.toThrow('gone')
  })
})
