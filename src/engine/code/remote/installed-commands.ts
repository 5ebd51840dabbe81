import { type Execution, startExecution } from '../execution.ts'
import type { Program, Sandbox } from '../sandbox/sandbox.ts'
import { type BridgeEnd, createBridgeEnd } from './bridge.ts'
import type { ChannelOptions, Commands, Ran } from './channel.ts'

type Held = { execution: Execution; bridge: BridgeEnd; calls: Map<number, PromiseWithResolvers<Ran>> }

/**
 * agent-browser itself. Its daemon keeps the references, so one sandbox lasts from the first command to the end of the session,
 * or until code leaves a command that is not over.
 */
export function createInstalledCommands(program: Program, sandbox: Sandbox, options: ChannelOptions): Commands {
  let held: Held | undefined
  let count = 0
  let isOpen = true

  function start(): Held {
    const execution = startExecution(sandbox.command(program), options.limits)
    const calls: Held['calls'] = new Map()
    const bridge = createBridgeEnd(execution, options, {
      message({ ran }) {
        const { id, ...rest } = ran as Ran & { id: number }
        calls.get(id)?.resolve(rest)
        calls.delete(id)
      },
      browserGone() {
        calls.forEach(({ reject }) => reject(new Error('The browser is gone.')))
        execution.kill()
      },
    })
    execution.watch(execution.kill)
    void execution.ended.then(() => {
      calls.forEach(({ resolve }) => resolve(ended))
      return bridge.close()
    })
    return { execution, bridge, calls }
  }

  async function end(): Promise<void> {
    const current = held
    held = undefined
    current?.execution.kill()
    await current?.execution.ended
  }
  const leave = () => void end()

  return {
    async run(args, { input, signal }) {
      // Calls take turns, so nobody waits for the last one any more; its daemon would all the same.
      if (held && held.calls.size > 0) await end()
      signal.throwIfAborted()
      if (!isOpen) return ended
      if (!held || held.execution.hasEnded()) held = start()
      const { bridge, calls } = held
      const id = ++count
      const call = Promise.withResolvers<Ran>()
      calls.set(id, call)
      signal.addEventListener('abort', leave, { once: true })
      bridge.send({ call: { id, args, input, pageId: options.pageId() } })
      return call.promise.finally(() => signal.removeEventListener('abort', leave))
    },
    close() {
      isOpen = false
      return end()
    },
  }
}

const ended: Ran = {
  exitCode: 1,
  stdout: '',
  stderr: '✗ agent-browser was ended; it may have taken too much memory.\n',
}
