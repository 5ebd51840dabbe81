import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMsOf, rssMbOf, treeOf } from '../lib/process-tree.ts'
import type { Contestant, Job } from './contestant.ts'
import type { Brought, Check } from './gate.ts'

export type Outcome = Brought & { wallMs: number }
/** CPU of the whole process tree, ms; its peak resident memory, MB (10⁶ bytes). */
export type Sample = Outcome & { cpuMs: number; rssMb: number }

/** A contestant in a separate process that lives for all rounds. */
export type Lane = {
  contestant: Pick<Contestant, 'id' | 'name' | 'makes' | 'finds'>
  pid: number
  /** True if the second of two runs on the same pages is measured. */
  again?: boolean
  run(job: Job, check: Check): Promise<Outcome>
  end(): Promise<void>
}

const sampleEveryMs = 250
/** Work after the end of a run is part of its cost. */
const afterMs = 300

export async function measured(lane: Lane, job: Job, check: Check): Promise<Sample> {
  const before = cpuMsOf(treeOf(lane.pid))
  const peak = watchMemory(lane.pid)
  try {
    const outcome = await lane.run(job, check)
    await sleep(afterMs)
    return { ...outcome, cpuMs: cpuMsOf(treeOf(lane.pid)) - before, rssMb: peak() }
  } finally {
    peak()
  }
}

/** Returns a function that stops watching and returns the peak. */
function watchMemory(pid: number): () => number {
  let most = 0
  const look = () => {
    most = Math.max(most, rssMbOf(treeOf(pid)))
  }
  const timer = setInterval(look, sampleEveryMs)
  look()
  return () => {
    clearInterval(timer)
    look()
    return most
  }
}
