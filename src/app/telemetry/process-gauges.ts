import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Meter } from '@opentelemetry/api'
import { version } from '../../version.ts'

const nanoseconds = 1e9
const sampledMs = 20

/** What the process takes, under the names that Node's usual Prometheus client gives them, which dashboards know. */
export function observeProcess(meter: Meter): { close(): void } {
  const loop = monitorEventLoopDelay({ resolution: sampledMs })
  loop.enable()
  const gauge = (name: string, description: string, read: () => number) =>
    meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read()))
  const startedAt = Date.now() / 1000 - process.uptime()

  meter
    .createObservableCounter('process_cpu_seconds_total', { description: 'CPU time of all threads, in seconds.' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage()
      result.observe((user + system) / 1e6)
    })
  gauge('process_start_time_seconds', 'When the process started, seconds since the epoch.', () => startedAt)
  gauge('process_resident_memory_bytes', 'Memory in RAM.', () => process.memoryUsage.rss())
  gauge('nodejs_heap_size_used_bytes', 'Heap in use by the main thread.', () => getHeapStatistics().used_heap_size)
  gauge('nodejs_heap_size_total_bytes', 'Heap of the main thread.', () => getHeapStatistics().total_heap_size)
  gauge(
    'nodejs_eventloop_lag_p99_seconds',
    'How late timers of the main thread came: 99 % came sooner, since the last look.',
    () => {
      // Timers fire a sample apart where nothing holds them up.
      const lag = Math.max(0, loop.percentile(99) / nanoseconds - sampledMs / 1000)
      loop.reset()
      return Number.isFinite(lag) ? lag : 0
    },
  )
  meter
    .createObservableGauge('gossamer_build_info', { description: 'Always 1; the labels say what runs.' })
    .addCallback((result) => result.observe(1, { version, node: process.version }))
  return { close: () => loop.disable() }
}
