import { Socket } from 'node:net'
import { createFrames, type Frames } from '../frames.ts'
import { listenForCdp, type Relayed } from './cdp-bridge.ts'
import { type CommandCall, runCommand } from './run-command.ts'
import { startCode } from './start-code.ts'

/**
 * Gives programs that know a browser by its address the one behind file descriptor 3. Arguments: `code` and a program, which is
 * started at once and ends this process with its own end; or `commands` and a program, which is started for each call that comes.
 */
const [mode, file = '', ...args] = process.argv.slice(2)
const socket = new Socket({ fd: 3, readable: true, writable: true })
let firstPage: string | undefined
const send: Frames['send'] = (told) => frames.send(told)
const code = mode === 'code' ? startCode(file, args, (done) => send({ done })) : undefined
const bridge = await listenForCdp(send, () => firstPage)
// What has come meanwhile waits in the socket.
const frames = createFrames(socket, { message: take, broken: () => process.exit(70) }, Number.POSITIVE_INFINITY)
socket.on('end', leave).on('error', leave)

function take(told: Record<string, unknown>): void {
  if ('client' in told) return bridge.hear(told as Relayed)
  if ('job' in told) return code?.begin({ ...(told['job'] as object), endpoint: bridge.endpoint })
  const { pageId, ...call } = told['call'] as CommandCall & { pageId?: string }
  firstPage = pageId
  void runCommand(file, bridge.endpoint, call).then((ran) => send({ ran }))
}

/** Code is let come to its end, which is ours. */
function leave(): void {
  if (code) code.end()
  else process.exit()
}
