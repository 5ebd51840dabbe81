import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Contestant } from './contestant.ts'
import type { Lane, Outcome } from './lane.ts'

/** Fails with the cause if the contestant cannot be loaded here. */
export async function openPeer(contestant: Contestant): Promise<Lane> {
  const file = join(import.meta.dirname, 'peer-program.ts')
  const child = fork(file, [contestant.id], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const { pid } = child
  if (pid === undefined) throw new Error('The process of a contestant did not start')
  const loaded = (await answer(child)) as { fault?: string }
  if (loaded.fault !== undefined) throw new Error(loaded.fault)
  return {
    contestant,
    pid,
    async run(job, check) {
      child.send({ job, check })
      return (await answer(child)) as Outcome
    },
    async end() {
      const exited = once(child, 'exit')
      child.disconnect()
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
