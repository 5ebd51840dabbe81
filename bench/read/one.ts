/** Reads one hard page in a separate process and prints its cost: CPU ms, growth of resident memory in MB, outcome. */
import { createReader } from '../../src/engine/html/worker/html-reader.ts'
import { hardPages } from './pages.ts'
import { never, requestOf } from './request.ts'

const bytesOfMb = 1024 * 1024
const read = createReader({ maxThreads: 1 })
await read(requestOf('<p>warm</p>'), never)
const html = Buffer.from(`<main>${hardPages[process.argv[2] ?? '']?.() ?? ''}`).toString()
const before = { rss: process.memoryUsage().rss, cpu: process.cpuUsage() }
const outcome = await read(requestOf(html), never).then(
  ({ warning }) => (warning === undefined ? 'whole' : 'cut'),
  (error: { code?: string }) => error.code ?? 'failed',
)
const { user, system } = process.cpuUsage(before.cpu)
const peakMb = process.resourceUsage().maxRSS / 1024 - before.rss / bytesOfMb
console.log(JSON.stringify({ mb: html.length / 1e6, cpuMs: (user + system) / 1000, peakMb, outcome }))
