/**
 * Measures the cost of a live view: frames, CPU of the browser and of Node, each with no viewer, with one and with
 * several. See README.md.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type WebSocket, WebSocketServer } from 'ws'
import { openBrowser } from '../src/engine/browser/launch/launcher.ts'
import { createLiveView } from '../src/engine/session/live-view/live-view.ts'
import { createTabs } from '../src/engine/session/page/tabs.ts'
import { createPeople } from '../src/engine/session/people.ts'
import { createLog } from '../src/kernel/log.ts'
import { browserHere } from '../test/browser/programs/machine.ts'
import { positive, writeJson } from './lib/flags.ts'
import { cpuMsOf, treeOf } from './lib/process-tree.ts'
import { median } from './lib/statistics.ts'
import { table } from './lib/table.ts'
import { peerOf } from './live-view/peer.ts'

type Sample = { viewers: number; fps: number; kbPerFrame: number; browserCpu: number; nodeCpu: number }

const viewport = { width: 1280, height: 800 }
const warmUpMs = 1000
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    json: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
})
const rounds = positive('--rounds', flags.rounds)
const ms = positive('--seconds', flags.seconds) * 1000

/** Moves at 60 fps without any script. */
const moving = `data:text/html,${encodeURIComponent(`<style>@keyframes turn { to { rotate: 360deg } } body { margin: 0; background: linear-gradient(45deg, navy, teal); overflow: hidden }
  div { position: absolute; left: 340px; top: 100px; width: 600px; height: 600px; background: conic-gradient(red, gold, green, blue, red); animation: turn 3s linear infinite }</style><div></div><h1 style="color:white">A page that moves</h1>`)}`

async function openPage() {
  const found = await browserHere('full')
  const log = createLog('error', (line) => process.stderr.write(line))
  const browser = await openBrowser(found, { log, windowSize: viewport })
  const { connection } = browser
  const { browserContextId: contextId } = await connection.browser.send('Target.createBrowserContext', {})
  const tabs = await createTabs(connection, { contextId }, AbortSignal.timeout(10_000))
  const { session } = tabs.current()
  await session.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false })
  await session.send('Page.navigate', { url: moving })
  const live = await createLiveView({
    connection,
    tabs,
    viewport,
    log,
    people: createPeople({ changed: () => undefined, isWatched: () => true }),
    life: { endsAt: () => Number.POSITIVE_INFINITY, extend: () => false, end: () => undefined },
    onActivity: () => undefined,
    onChange: () => undefined,
    files: () => [],
  })
  return { browser, live }
}

async function serve(take: (socket: WebSocket) => void) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  new WebSocketServer({ server }).on('connection', take)
  return { address: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** Runs the viewers in a separate process, so their cost does not count for the server. */
async function startViewers(address: string, count: number) {
  const child = fork(join(import.meta.dirname, 'live-view/viewers.ts'), [address, String(count)])
  const ask = async () => {
    child.send('count')
    const [counted] = (await once(child, 'message')) as [{ frames: number; bytes: number }]
    return counted
  }
  await once(child, 'message')
  return {
    ask,
    async end() {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

const page = await openPage()
const server = await serve((socket) => page.live.join(peerOf(socket), 'view'))
const browserCpu = () => cpuMsOf(treeOf(page.browser.pid!))
const nodeCpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function measure(viewers: number): Promise<Sample> {
  const audience = viewers > 0 ? await startViewers(server.address, viewers) : undefined
  await sleep(warmUpMs)
  const seen = await audience?.ask()
  const before = { browser: browserCpu(), node: nodeCpu(), at: performance.now() }
  await sleep(ms)
  const spentMs = performance.now() - before.at
  const [browserMs, nodeMs] = [browserCpu() - before.browser, nodeCpu() - before.node]
  const now = await audience?.ask()
  await audience?.end()
  const frames = now && seen ? now.frames - seen.frames : 0
  return {
    viewers,
    fps: viewers > 0 ? frames / viewers / (spentMs / 1000) : 0,
    kbPerFrame: now && seen && frames > 0 ? (now.bytes - seen.bytes) / frames / 1000 : 0,
    browserCpu: (browserMs / spentMs) * 100,
    nodeCpu: (nodeMs / spentMs) * 100,
  }
}

const samples: Sample[] = []
for (let round = 0; round < rounds; round++) for (const viewers of [0, 1, 4]) samples.push(await measure(viewers))

const medianOf = (viewers: number, key: Exclude<keyof Sample, 'viewers'>) =>
  median(samples.filter((each) => each.viewers === viewers).map((each) => each[key]))
const rows = [0, 1, 4].map((viewers) => [
  String(viewers),
  medianOf(viewers, 'fps').toFixed(1),
  medianOf(viewers, 'kbPerFrame').toFixed(0),
  medianOf(viewers, 'browserCpu').toFixed(0),
  medianOf(viewers, 'nodeCpu').toFixed(1),
])
process.stdout.write(`${table(['viewers', 'fps each', 'kB a frame', 'browser CPU %', 'Node CPU %'], rows)}\n`)
const ratio = medianOf(4, 'browserCpu') / medianOf(1, 'browserCpu')
process.stdout.write(`\nBrowser CPU of 4 viewers: ${ratio.toFixed(2)} of that of 1 (target 0.9 to 1.1)\n`)
await writeJson(flags.json, samples)
server.close()
await page.live.close()
await page.browser.close()
const isMet = ratio < 1.1 && medianOf(4, 'nodeCpu') <= 10
process.exit(flags.check && !isMet ? 1 : 0)
