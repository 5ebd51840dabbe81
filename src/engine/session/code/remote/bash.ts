import type { Connection } from '../../../browser/cdp/connection.ts'
import { type Api, createApi } from '../api/context.ts'
import { splitAtNul } from '../frames.ts'
import { runCommand } from './agent-browser/run.ts'
import type { CommandState } from './agent-browser/scope.ts'
import { actionTimeoutMs, type ChannelOptions, type OpenChannel } from './node.ts'
import { connectAsCode } from './own-client.ts'

type Held = { connection: Connection; api: Api; state: CommandState }

/** References such as @e3 hold from one piece of code to the next, so what the commands know stays as long as the session. */
export function createBashChannels(): { open: OpenChannel; close(): Promise<void> } {
  let held: Promise<Held> | undefined
  const hold = (options: ChannelOptions) => {
    held ??= holdOf(options).then((fresh) => {
      void fresh.connection.closed.then(() => (held = undefined))
      return fresh
    })
    held.catch(() => (held = undefined))
    return held
  }

  return {
    open: (execution, options) => ({
      begin({ code, timeoutMs }) {
        const { promise: never } = Promise.withResolvers<never>()
        const work = async (id: string, args: readonly string[]) => {
          const { api, state } = await hold(options)
          api.setTimeout(actionTimeoutMs(timeoutMs))
          const { text, exitCode, file } = await runCommand(api.context, state, args)
          const bytes = file?.bytes.toString('base64') ?? ''
          execution.socket.write(
            `${id} ${exitCode} ${Buffer.byteLength(text)} ${bytes.length} ${file?.path.replaceAll('\n', '') ?? ''}\n${text}${bytes}`,
          )
        }
        const take = readCalls((id, args) => {
          work(id, args).catch(() => execution.kill())
        })
        execution.socket.on('data', (chunk: Buffer) => {
          if (take(chunk) === 'broken') execution.kill()
        })
        execution.socket.write(`${code.replaceAll('\0', '')}\0`)
        return never
      },
      end: async () => {},
    }),
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

/** Of one call: more than any command needs. */
const maxArguments = 1000
const maxCallBytes = 16 * 1024 * 1024

/** Calls out of pieces that end with NUL: an id, a number, and so many arguments. */
function readCalls(emit: (id: string, args: readonly string[]) => void) {
  let pieces: string[] = []
  let held = 0
  let isSound = true
  const take = splitAtNul(maxCallBytes, (piece) => {
    held += piece.length
    pieces.push(piece.toString('utf8'))
    const count = Number(pieces[1] ?? 0)
    isSound &&= held <= maxCallBytes && count <= maxArguments
    if (!isSound || pieces.length < 2 || pieces.length < count + 2) return
    const [id = '', , ...args] = pieces
    pieces = []
    held = 0
    emit(id.replace(/[^\w.]/g, ''), args)
  })
  return (chunk: Buffer) => (isSound && take(chunk) === 'ok' && isSound ? 'ok' : 'broken')
}
