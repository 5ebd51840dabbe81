import { readFileSync } from 'node:fs'
import { treeOf } from '../lib/process-tree.ts'
import type { Dice } from './dice.ts'

type Victim = readonly [kind: string, pattern: RegExp]

/** Processes that may be killed at any moment with no loss but their current work, by their command line. */
const victims: readonly [Victim, ...Victim[]] = [
  ['browser', /--remote-debugging-pipe(?!.*--type=)/],
  ['process of a page', /--type=renderer/],
  ['network process of a browser', /network\.mojom/],
  ['converter', /convert-child/],
  ['session code', /code-child|bwrap/],
]

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Kills one process below the server every `everyMs`, and counts them. */
export function startKilling(pid: number, dice: Dice, everyMs: number) {
  const killed = new Map<string, number>()
  const kill = () => {
    const commands = treeOf(pid)
      .filter((each) => each.pid !== pid)
      .map((each) => ({ pid: each.pid, command: commandOf(each.pid) }))
    const [kind, pattern] = dice.one(victims)
    const [first, ...others] = commands.filter(({ command }) => pattern.test(command))
    if (!first) return
    process.kill(dice.one([first, ...others]).pid, 'SIGKILL')
    killed.set(kind, (killed.get(kind) ?? 0) + 1)
  }
  const timer = setInterval(() => {
    try {
      kill()
    } catch (thrown) {
      // It may have ended by itself.
      if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown
    }
  }, everyMs)
  return { killed: killed as ReadonlyMap<string, number>, stop: () => clearInterval(timer) }
}
