import { type Execution, startExecution } from '../execution.ts'
import type { Program, Sandbox } from '../sandbox/sandbox.ts'
import { type BridgeEnd, createBridgeEnd } from './bridge.ts'
import type { ChannelOptions, Commands, CommandResult } from './channel.ts'

type RunningBrowser = {
  execution: Execution
  bridge: BridgeEnd
  calls: Map<number, PromiseWithResolvers<CommandResult>>
}

/**
 * The installed agent-browser. Its daemon keeps the element refs, so one sandbox lasts from the first command to the end of
 * the session, or until code abandons a running command.
 */
export function createInstalledCommands(program: Program, sandbox: Sandbox, options: ChannelOptions): Commands {
  let held: RunningBrowser | undefined
  let count = 0
  let isOpen = true

  function start(): RunningBrowser {
    const execution = startExecution(sandbox.command(program), options.limits)
    const calls: RunningBrowser['calls'] = new Map()
    const bridge = createBridgeEnd(execution, options, {
      message({ ran }) {
        if (!ran) return
        const { id, ...rest } = ran
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
      // Calls run one at a time, so a pending one was abandoned; its daemon would keep running it.
      if (held && held.calls.size > 0) await end()
      signal.throwIfAborted()
      if (!isOpen) return ended
      if (!held || held.execution.hasEnded()) held = start()
      const { bridge, calls } = held
      const id = ++count
      const call = Promise.withResolvers<CommandResult>()
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

const ended: CommandResult = {
  exitCode: 1,
  stdout: '',
  stderr: '✗ agent-browser was killed; it may have used too much memory.\n',
}
