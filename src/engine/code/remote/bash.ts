import { createFrameSplitter } from '../../../util/nul-frames.ts'
import type { Connection } from '../../browser/cdp/connection.ts'
import type { CommandState } from '../agent-browser/arguments.ts'
import { runCommand } from '../agent-browser/run.ts'
import { type Api, createApi } from '../playwright/context.ts'
import { actionTimeoutMs, type ChannelOptions, type Commands, type OpenChannel, type CommandResult } from './channel.ts'
import { connectInProcess } from './client.ts'

/** Bash code calls agent-browser commands, which run outside its process: their state outlives the code. */
export const bashChannel =
  (commands: Commands): OpenChannel =>
  (execution) => {
    const over = new AbortController()
    return {
      begin({ code, timeoutMs }) {
        const { promise: never } = Promise.withResolvers<never>()
        const take = readCalls((id, args, input) => {
          commands
            .run(args, { input, timeoutMs: actionTimeoutMs(timeoutMs), signal: over.signal })
            .then((ran) => execution.socket.write(answerTo(id, ran)))
            .catch(() => execution.kill())
        })
        execution.socket.on('data', (chunk: Buffer) => {
          if (take(chunk) === 'broken') execution.kill()
        })
        execution.socket.write(`${code.replaceAll('\0', '')}\0`)
        return never
      },
      end: async () => over.abort(),
    }
  }

/** In the format that code-child.sh reads: lengths in bytes, then the contents. */
function answerTo(id: string, { exitCode, stdout, stderr, file }: CommandResult): string {
  const parts = [stdout, stderr, file?.base64 ?? '']
  const lengths = parts.map((part) => Buffer.byteLength(part)).join(' ')
  return `${id} ${exitCode} ${lengths} ${file?.path.replaceAll('\n', '') ?? ''}\n${parts.join('')}`
}

/** Of one call: more than any command needs. */
const maxArguments = 1000
const maxCallBytes = 16 * 1024 * 1024

/** Parses calls from NUL-terminated fields: id, number of arguments, arguments, stdin. */
function readCalls(emit: (id: string, args: readonly string[], input: string) => void) {
  let pieces: string[] = []
  let held = 0
  let isSound = true
  const take = createFrameSplitter(maxCallBytes, (piece) => {
    held += piece.length
    pieces.push(piece.toString('utf8'))
    const count = Number(pieces[1] ?? 0)
    isSound &&= held <= maxCallBytes && count <= maxArguments
    if (!isSound || pieces.length < 2 || pieces.length < count + 3) return
    const [id = '', , ...args] = pieces
    pieces = []
    held = 0
    emit(id.replace(/[^\w.]/g, ''), args.slice(0, -1), args.at(-1)!)
  })
  return (chunk: Buffer) => (isSound && take(chunk) === 'ok' && isSound ? 'ok' : 'broken')
}

type OpenApi = { connection: Connection; api: Api; state: CommandState }

/** The built-in part of agent-browser. */
export function createBuiltInCommands(options: ChannelOptions): Commands {
  let held: Promise<OpenApi> | undefined
  const hold = () => {
    held ??= openApi(options).then((fresh) => {
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

async function openApi({ connection: shared, reach, pageId }: ChannelOptions): Promise<OpenApi> {
  const connection = await connectInProcess(shared, reach)
  const api = await createApi(connection, { contextId: reach.contextId, timeoutMs: 30_000 })
  return { connection, api, state: { pageId: pageId(), refs: undefined } }
}
