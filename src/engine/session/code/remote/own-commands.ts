import type { Connection } from '../../../browser/cdp/connection.ts'
import { type Api, createApi } from '../api/context.ts'
import { runCommand } from './agent-browser/run.ts'
import type { CommandState } from './agent-browser/scope.ts'
import type { ChannelOptions } from './channel.ts'
import type { Commands } from './commands.ts'
import { connectAsCode } from './own-client.ts'

type Held = { connection: Connection; api: Api; state: CommandState }

/** The commands that are built in. */
export function createOwnCommands(options: ChannelOptions): Commands {
  let held: Promise<Held> | undefined
  const hold = () => {
    held ??= holdOf(options).then((fresh) => {
      void fresh.connection.closed.then(() => (held = undefined))
      return fresh
    })
    held.catch(() => (held = undefined))
    return held
  }

  return {
    async run(args, { timeoutMs }) {
      const { api, state } = await hold()
      api.setTimeout(timeoutMs)
      const { text, exitCode, file } = await runCommand(api.context, state, args)
      return {
        exitCode,
        stdout: exitCode === 0 ? text : '',
        stderr: exitCode === 0 ? '' : text,
        ...(file && { file: { path: file.path, base64: file.bytes.toString('base64') } }),
      }
    },
    async close() {
      const current = await held?.catch(() => undefined)
      current?.connection.close()
    },
  }
}

async function holdOf({ connection: shared, reach, pageId }: ChannelOptions): Promise<Held> {
  const connection = await connectAsCode(shared, reach)
  const api = await createApi(connection, { contextId: reach.contextId, timeoutMs: 30_000 })
  return { connection, api, state: { pageId: pageId(), refs: undefined } }
}
