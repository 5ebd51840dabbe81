/** Measures how the largest and worst bodies delay health checks of the server: see README.md. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { worstBodies } from '../test/attack/bodies.ts'
import { ourServer } from './lib/contestants.ts'
import { commonFlags, positive, userPath, writeJson } from './lib/flags.ts'
import { aliveAmong, rssMbOf, treeOf } from './lib/process-tree.ts'
import { addressOf } from './lib/serve.ts'
import { table } from './lib/table.ts'
import { describeTargets, exitCode } from './lib/targets.ts'
import { withWorkDir } from './lib/work-dir.ts'
import { type Health, startHealth } from './soak/health.ts'

const { values } = parseArgs({
  options: { ...commonFlags, count: { type: 'string', default: '40' }, only: { type: 'string' } },
})
const count = positive('--count', values.count)
const teams = ['red', 'green', 'blue'] as const

type Sent = { path: string; body: Buffer; type?: string }
const list = <T>(length: number, of: (index: number) => T) => Array.from({ length }, (_, at) => of(at))
const json = (path: string, value: unknown): Sent => ({ path, body: Buffer.from(JSON.stringify(value)) })
/** Addresses that the server refuses to visit, so no request leaves the machine. */
const batch = (more: string) => () => [
  json('/v2/batch/scrape', { urls: list(100_000, (at) => `http://127.0.0.1:9/page/${at}${more}`), maxConcurrency: 1 }),
]

/** A form with a file of 50 MB, of an unsupported type. */
function form(): Sent {
  const head = '--mark\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), Buffer.alloc(50_000_000), Buffer.from('\r\n--mark--\r\n')])
  return { path: '/v2/parse', body, type: 'multipart/form-data; boundary=mark' }
}

const kinds: Readonly<Record<string, () => readonly Sent[]>> = {
  'a megabyte that is wrong': () => worstBodies.map(({ path, text: body }) => ({ path, body: Buffer.from(body) })),
  '100,000 URLs, 3 MB': batch(''),
  '100,000 URLs, 60 MB': batch('a'.repeat(570)),
  '100,000 that are none, 1 MB': () => [json('/v2/batch/scrape', { urls: list(100_000, (at) => `x${at}`) })],
  'a file in base64, 60 MB': () => [
    json('/v2/parse', { file: { filename: 'a.pdf', base64: 'A'.repeat(60_000_000) }, formats: ['none'] }),
  ],
  'a file as a part, 50 MB': () => [form()],
}

/** Returns the status of the answer; 0 if there was none. */
async function send(url: string, { path, body, type = 'application/json' }: Sent, team: string): Promise<number> {
  const headers = { authorization: `Bearer key-of-${team}`, 'content-type': type }
  const sent = request(url + path, { method: 'POST', headers: { ...headers, 'content-length': body.byteLength } })
  // A server that refuses a body may close before all of it was sent.
  sent.on('error', () => {})
  sent.end(body)
  try {
    const [response] = await once(sent, 'response')
    await text(response)
    return response.statusCode ?? 0
  } catch {
    return 0
  }
}

type Measured = { kind: string; health: Health; maxMb: number; tookMs: number; statuses: Record<string, number> }

async function measure(kind: string, bodies: readonly Sent[], workDir: string): Promise<Measured> {
  const keys = teams.map((team) => `${team}:key-of-${team}`).join(',')
  const { file, env, cwd } = ourServer(userPath(values.server), workDir, { GOSSAMER_API_KEYS: keys })
  const child = spawn(process.execPath, [file, 'serve', '--port', '0'], {
    env,
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  const url = await addressOf(child)
  const server = treeOf(child.pid ?? 0).slice(0, 1)
  // Modules loaded with the first calls must not count as the cost of bodies.
  for (const body of bodies.slice(0, 1)) await send(url, body, 'red')
  let maxMb = 0
  const sampling = setInterval(() => void (maxMb = Math.max(maxMb, rssMbOf(aliveAmong(server)))), 100)
  const health = startHealth(url)
  const startedAt = performance.now()
  const answers = await Promise.all(
    list(count, (at) => send(url, bodies[at % bodies.length]!, teams[at % teams.length] ?? 'red')),
  )
  const tookMs = performance.now() - startedAt
  const asked = await health.stop()
  clearInterval(sampling)
  child.kill('SIGTERM')
  await exited
  const statuses = Object.fromEntries(
    Object.entries(Object.groupBy(answers, String)).map(([status, all]) => [status, all?.length ?? 0]),
  )
  return { kind, health: asked, maxMb, tookMs, statuses }
}

const row = ({ kind, health, maxMb, tookMs, statuses }: Measured) => [
  kind,
  Object.entries(statuses)
    .map(([status, many]) => `${many} × ${status}`)
    .join(', '),
  (tookMs / 1000).toFixed(1),
  health.p50.toFixed(0),
  health.p99.toFixed(0),
  health.idleP99.toFixed(0),
  maxMb.toFixed(0),
]

const chosen = Object.entries(kinds).filter(([kind]) => values.only === undefined || kind.includes(values.only))
const all: Measured[] = []
for (const [kind, make] of chosen) all.push(await withWorkDir((workDir) => measure(kind, make(), workDir)))

console.log(`${count} at once, Node ${process.version}\n`)
console.log(table(['bodies', 'answers', 's', 'health p50', 'p99', 'idle p99', 'RSS MB'], all.map(row)))
const targets = all.flatMap(({ kind, health, maxMb }) => [
  { what: `${kind}: /health, p99`, limit: 200, measured: health.p99, unit: 'ms' },
  { what: `${kind}: /health that failed`, limit: 0, measured: health.failed, unit: '' },
  { what: `${kind}: RSS of the server`, limit: 600, measured: maxMb, unit: 'MB' },
])
console.log(`\n${describeTargets(targets)}`)
await writeJson(values.json, { count, all })
process.exitCode = exitCode(targets, values.check)
