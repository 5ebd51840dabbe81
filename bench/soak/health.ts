import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Asked } from './health-program.ts'

export type Health = { asked: number; failed: number; p50: number; p99: number; idleP99: number }

/** Requests /health four times a second until stopped, from an otherwise idle process. */
export function startHealth(url: string): { stop(): Promise<Health> } {
  const program = join(import.meta.dirname, 'health-program.ts')
  const child = spawn(process.execPath, [program, `${url}/health`], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = text(child.stdout)
  const exited = once(child, 'exit')
  return {
    async stop() {
      child.stdin.end()
      await exited
      const asked = JSON.parse(await said) as Asked[]
      const times = asked.map(({ tookMs }) => tookMs)
      return {
        asked: asked.length,
        failed: asked.filter(({ isOk }) => !isOk).length,
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
        idleP99: quantile(
          asked.map(({ lateMs }) => lateMs),
          0.99,
        ),
      }
    },
  }
}

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
