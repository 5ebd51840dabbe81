import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { browserArguments } from '../../src/engine/browser/launch/browser-arguments.ts'
import { type Contestant, onLines } from './contestant.ts'
import { isScripted } from './pages.ts'

/** The protocol alone: the cost of the same steps, hand-written for known pages. */
export const rawCdp: Contestant = {
  id: 'raw',
  name: 'raw CDP',
  pages: 'new context',
  async open(browserPath) {
    const browser = await startBrowser(browserPath)
    return {
      close: () => browser.close(),
      run: onLines(async (url) => {
        const { browserContextId } = await browser.send('Target.createBrowserContext', {})
        const page = await openPage(browser, browserContextId as string)
        const html = await visit(page, url)
        await browser.send('Target.disposeBrowserContext', { browserContextId })
        return html
      }),
    }
  },
}

export const rawWarm: Contestant = {
  id: 'raw-warm',
  name: 'raw CDP, pages used again',
  pages: 'shared context',
  async open(browserPath) {
    const browser = await startBrowser(browserPath)
    const { browserContextId } = await browser.send('Target.createBrowserContext', {})
    const pages: Page[] = []
    return {
      close: () => browser.close(),
      run: onLines(async (url, line) =>
        visit((pages[line] ??= await openPage(browser, browserContextId as string)), url),
      ),
    }
  },
}

type Result = Record<string, unknown>
type Message = { id?: number; method?: string; sessionId?: string; result?: Result; error?: { message: string } }
type Send = (method: string, params: object) => Promise<Result>
type RawBrowser = {
  send(method: string, params: object, sessionId?: string): Promise<Result>
  loaded(sessionId: string): Promise<void>
  close(): Promise<void>
}
type Page = { send: Send; loaded(): Promise<void> }

async function openPage(browser: RawBrowser, browserContextId: string): Promise<Page> {
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
  const id = sessionId as string
  const send: Send = (method, params) => browser.send(method, params, id)
  await send('Page.enable', {})
  return { send, loaded: () => browser.loaded(id) }
}

/** Unlike a scraper of unknown pages, it knows what to wait for. */
const whenDone = `new Promise((done) => { const look = () => document.getElementById('done') ? done() : setTimeout(look, 10); look() })`

async function visit({ send, loaded }: Page, url: string): Promise<string> {
  const load = loaded()
  await send('Page.navigate', { url })
  await load
  if (isScripted(new URL(url).pathname)) await send('Runtime.evaluate', { expression: whenDone, awaitPromise: true })
  const { result } = await send('Runtime.evaluate', {
    expression: 'document.documentElement.outerHTML',
    returnByValue: true,
  })
  return (result as { value: string }).value
}

async function startBrowser(browserPath: string): Promise<RawBrowser> {
  const profileDir = await mkdtemp(join(tmpdir(), 'gossamer-bench-raw-'))
  const sandbox = process.getuid?.() === 0 ? 'off' : 'on'
  const args = browserArguments({ kind: 'shell', profileDir, display: 'headless', sandbox, sharedMemory: 'usual' })
  const child = spawn(browserPath, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const { send, loaded } = speak(child)
  await send('Browser.getVersion', {})
  const exited = new Promise((resolve) => child.once('exit', resolve))
  return {
    send,
    loaded,
    async close() {
      await send('Browser.close', {})
      await exited
      await rm(profileDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function speak(child: ChildProcess): Omit<RawBrowser, 'close'> {
  const [toBrowser, fromBrowser] = [child.stdio[3] as Writable, child.stdio[4] as Readable]
  const waiting = new Map<number, (message: Message) => void>()
  const loading = new Map<string, () => void>()
  let lastId = 0
  let held: Buffer[] = []
  fromBrowser.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      take(JSON.parse(Buffer.concat([...held, chunk.subarray(start, end)]).toString()) as Message)
      held = []
      start = end + 1
    }
    if (start < chunk.length) held.push(chunk.subarray(start))
  })

  function take(message: Message): void {
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    else if (message.method === 'Page.loadEventFired') loading.get(message.sessionId ?? '')?.()
  }

  return {
    loaded: (sessionId) => new Promise((resolve) => loading.set(sessionId, resolve)),
    send: (method, params, sessionId) =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id)
          if (result) resolve(result)
          else reject(new Error(`${method}: ${error?.message}`))
        })
        toBrowser.write(`${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`)
      }),
  }
}
