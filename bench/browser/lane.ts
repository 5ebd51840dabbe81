import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMsOf, type Process, treeOf } from '../lib/process-tree.ts'
import type { Contestant } from './contestant.ts'

export type Task = { urls: readonly string[]; concurrency: number }
export type Outcome = { wallMs: number; tookMs: readonly number[]; faults: readonly string[] }
/** CPU of the contestant's process and of all processes of its browser, ms; their peak memory, MB (10⁶ bytes). */
export type Cost = { nodeMs: number; browserMs: number; nodeMb: number; browserMb: number }

/** A contestant in a process of its own. */
export type Lane = {
  contestant: Contestant
  run(task: Task): Promise<Outcome & Cost>
  memory(): Memory
  end(): Promise<void>
}
type Memory = Pick<Cost, 'nodeMb' | 'browserMb'>

const sampleEveryMs = 250
/** Work after a page is part of its cost: closing its context, opening a spare one. */
const afterMs = 300

export async function openLane(contestant: Contestant, browserPath: string): Promise<Lane> {
  const file = join(import.meta.dirname, 'lane-program.ts')
  const child = fork(file, [contestant.id, browserPath], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const { pid } = child
  if (pid === undefined) throw new Error('The process of a contestant did not start')
  await answer(child)
  return {
    contestant,
    run: (task) => measured(child, pid, task),
    memory: () => memoryOf(pid),
    async end() {
      const exited = once(child, 'exit')
      child.send('end')
      await exited
    },
  }
}

async function answer(child: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const { signal } = over
  const gone = once(child, 'exit', { signal }).then(() => {
    throw new Error('The process of a contestant ended')
  })
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), gone])) as [unknown]
    return message
  } finally {
    over.abort()
    gone.catch(() => undefined)
  }
}

function ask(child: ChildProcess, what: Task | 'cpu'): Promise<unknown> {
  child.send(what)
  return answer(child)
}

/**
 * The CPU of ended children counts for the processes that waited for them, so the sum is right even if a browser is
 * replaced.
 */
async function cpuOf(child: ChildProcess, pid: number): Promise<Pick<Cost, 'nodeMs' | 'browserMs'>> {
  const nodeMs = (await ask(child, 'cpu')) as number
  return { nodeMs, browserMs: cpuMsOf(treeOf(pid)) - nodeMs }
}

async function measured(child: ChildProcess, pid: number, task: Task): Promise<Outcome & Cost> {
  const before = await cpuOf(child, pid)
  const peak = watchMemory(pid)
  const outcome = (await ask(child, task)) as Outcome
  const memory = peak()
  await sleep(afterMs)
  const after = await cpuOf(child, pid)
  const cpu = { nodeMs: after.nodeMs - before.nodeMs, browserMs: after.browserMs - before.browserMs }
  return { ...outcome, ...cpu, ...memory }
}

function watchMemory(pid: number): () => Memory {
  const samples = [memoryOf(pid)]
  const timer = setInterval(() => samples.push(memoryOf(pid)), sampleEveryMs)
  return () => {
    clearInterval(timer)
    return {
      nodeMb: Math.max(...samples.map(({ nodeMb }) => nodeMb)),
      browserMb: Math.max(...samples.map(({ browserMb }) => browserMb)),
    }
  }
}

function memoryOf(pid: number): Memory {
  const [node, ...browser] = treeOf(pid)
  return { nodeMb: node ? ownMb(node) : 0, browserMb: browser.reduce((sum, each) => sum + ownMb(each), 0) }
}

/** Proportional set size: shared memory is divided among the processes (proc_pid_smaps_rollup). */
function ownMb({ pid }: Process): number {
  try {
    const [, kb] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kb ?? 0) * 1.024e-3
  } catch {
    return 0
  }
}
