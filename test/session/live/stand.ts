import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { WebSocket, WebSocketServer } from 'ws'
import type { ClientSocket } from '../../../src/contracts/session-port.ts'
import {
  type LivePage,
  livePage,
  createLiveView,
  type LiveView,
} from '../../../src/engine/session/live-view/live-view.ts'
import { openHere, quiet } from '../../browser/programs/machine.ts'
import { listen } from '../../helpers/listen.ts'
import { sharedChromium } from '../../helpers/shared-chromium.ts'
import type { ShownFile } from '../../../src/engine/session/live-view/messages.ts'
import { createPeople } from '../../../src/engine/session/people.ts'
import { startSite } from '../../helpers/site.ts'
import type { LiveTab } from '../../../src/engine/session/page/live-tab.ts'
import { createTabs } from '../../../src/engine/session/page/tabs.ts'
import { vi } from 'vitest'
import { liveRoutes } from './pages.ts'

const viewport = { width: 1280, height: 800 }

/** Adapts a WebSocket to the port of the engine. */
function peerOf(socket: WebSocket): ClientSocket {
  return {
    send: (message) => socket.send(message),
    bufferedBytes: () => socket.bufferedAmount,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    listen({ message, closed }) {
      socket.on('message', (data, isBinary) => message(isBinary ? (data as Buffer) : String(data)))
      socket.on('close', closed)
    },
    close: (code, reason) => socket.close(code, reason),
  }
}

/** Opens a browser, and a session with a live view in it. */
async function openSession() {
  const site = await startSite({ routes: liveRoutes })
  const browser = await openHere(
    { windowSize: viewport, more: ['--host-resolver-rules=MAP other.test 127.0.0.1'] },
    'full',
  )
  const { connection } = browser
  const counts = { activity: 0, changes: 0 }
  const { browser: root } = connection
  const { browserContextId: contextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true })
  const metrics = { ...viewport, deviceScaleFactor: 1, mobile: false }
  const prepare = async ({ session }: LiveTab) =>
    void (await session.send('Emulation.setDeviceMetricsOverride', metrics))
  const tabs = await createTabs(connection, { contextId, prepare }, AbortSignal.timeout(20_000))
  const open = async (url: string) => {
    const { targetId } = await tabs.open(AbortSignal.timeout(20_000))
    const session = await connection.attach(targetId)
    await session.send('Page.enable', {})
    const loaded = new Promise<void>((resolve) => void session.on('Page.loadEventFired', () => resolve()))
    await session.send('Page.navigate', { url: URL.parse(url, site.origin)?.href ?? url })
    await loaded
    /** Value of an expression in the page. */
    const value = async (expression: string) =>
      (await session.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })).result.value
    return { targetId, session, value }
  }
  const people = createPeople(
    { changed: () => live?.update(), isWatched: () => live?.isWatched() ?? false },
    { patienceMs: 60_000, graceMs: 300 },
  )
  const files: ShownFile[] = []
  const life = { endsAt: Date.now() + 600_000, calls: [] as string[] }
  let live: LiveView | undefined
  live = await createLiveView({
    people,
    life: {
      endsAt: () => life.endsAt,
      extend() {
        life.calls.push('extend')
        life.endsAt += 600_000
        return true
      },
      end: () => void life.calls.push('end'),
    },
    files: () => files,
    connection,
    tabs,
    viewport,
    log: quiet,
    onActivity: () => (counts.activity += 1),
    onChange: () => (counts.changes += 1),
  })
  const closeTabs = async () => {
    for (const targetId of tabs.targetIds()) await root.send('Target.closeTarget', { targetId })
    await vi.waitUntil(() => tabs.targetIds().length === 0)
  }
  await closeTabs()
  return { site, browser, live, people, life, files, open, closeTabs, counts, current: tabs.currentTarget }
}

/** Serves the live view over HTTP. */
async function serve(live: LiveView, page: LivePage) {
  const sockets = new Set<WebSocket>()
  const server = createServer((request, response) => {
    if (!/^\/live\/(?:view|control)$/.test(request.url ?? '')) return void response.writeHead(404).end()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', page.contentSecurityPolicy)
    response.end(page.html)
  })
  const wss = new WebSocketServer({ noServer: true })
  let isRefusing = false
  server.on('upgrade', (request, socket, head) => {
    const role = /^\/live\/(view|control)\/ws$/.exec(request.url ?? '')?.[1]
    if (!role || isRefusing) return void socket.destroy()
    wss.handleUpgrade(request, socket, head, (accepted) => {
      sockets.add(accepted)
      accepted.on('close', () => sockets.delete(accepted))
      live.join(peerOf(accepted), role as 'view' | 'control')
    })
  })
  const { origin, close } = await listen(server)
  return {
    address: (role: 'view' | 'control') => `${origin}/live/${role}`,
    sockets,
    refuse: (is: boolean) => (isRefusing = is),
    async close() {
      for (const socket of sockets) socket.terminate()
      close()
      await once(server, 'close')
    },
  }
}

/** Opens a session, a server for its live view, and a second browser for viewers. */
export async function openStand(page?: LivePage) {
  const session = await openSession()
  const server = await serve(session.live, page ?? (await livePage()))
  const viewers = await sharedChromium()
  return {
    ...session,
    server,
    viewers,
    view: (role: 'view' | 'control', options: Parameters<Browser['newPage']>[0] = {}) =>
      openViewer(viewers, server.address(role), options),
    /** Connects a viewer without a browser. */
    async raw(role: 'view' | 'control') {
      const socket = new WebSocket(`${server.address(role).replace('http', 'ws')}/ws`)
      const messages: Record<string, unknown>[] = []
      const closed = once(socket, 'close') as Promise<[code: number, reason: Buffer]>
      socket.on('message', (data, isBinary) => {
        if (!isBinary) messages.push(JSON.parse(String(data)) as Record<string, unknown>)
      })
      await once(socket, 'open')
      return { socket, messages, closed, say: (message: object) => socket.send(JSON.stringify(message)) }
    },
    async close() {
      await server.close()
      await session.live.close()
      await session.browser.close()
      await session.site.close()
    },
  }
}
export type Stand = Awaited<ReturnType<typeof openStand>>

async function openViewer(viewers: Browser, address: string, options: Parameters<Browser['newPage']>[0]) {
  const context = await viewers.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  // The time limit of the test applies.
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await page.goto(address)
  await page.locator('body:not(.joining)').waitFor()
  return { page, faults, at: (x: number, y: number) => placeOf(page, x, y) }
}

/** Converts a point of the shown page to the window of the viewer. */
async function placeOf(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const box = (await page.locator('#screen').boundingBox())!
  return { x: box.x + (x / viewport.width) * box.width, y: box.y + (y / viewport.height) * box.height }
}
