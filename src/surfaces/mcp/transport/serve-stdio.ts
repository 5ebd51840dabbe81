import type { Readable, Writable } from 'node:stream'
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio as serveTransport } from '@modelcontextprotocol/server/stdio'
import type { Log } from '../../../kernel/log.ts'
import type { Caller } from '../server-options.ts'
import type { NewServer, MessageCheck, MessageFault } from '../server.ts'
import { isRecord } from '../../../util/json.ts'

/** Passes messages that were already answered to the protocol first, and drops its responses to them. */
function replay(replayed: readonly object[], transport: Transport): void {
  const answered = new Set<string | number | undefined>()
  const start = transport.start.bind(transport)
  const send = transport.send.bind(transport)
  transport.start = async () => {
    await start()
    for (const message of replayed.map(parseJSONRPCMessage)) {
      if (isJSONRPCRequest(message)) answered.add(message.id)
      transport.onmessage?.(message)
    }
  }
  transport.send = async (message, options) => {
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)
    if (isAnswer && answered.delete(message.id)) return
    await send(message, options)
  }
}

export type StdioOptions = Partial<LineOptions> & {
  newServer: NewServer
  caller: Caller
  log: Log
  /** Earlier messages of the client that were already answered. */
  replayed?: readonly object[] | undefined
  input?: Readable
  output?: Writable
  /** Ends the connection from the server's side. */
  signal?: AbortSignal
}

/**
 * Serves one client over a pair of streams, in the protocol version of its first message. Resolves when the client has
 * disconnected (the input ended, or the output failed) or `signal` has fired. The caller then ends the process.
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { newServer, caller, log, input = process.stdin, output = process.stdout, signal } = options
  const wire = createLineTransport(input, output, {
    maxLineBytes: options.maxLineBytes ?? lineDefaults.maxLineBytes,
    lingerMs: options.lingerMs ?? lineDefaults.lingerMs,
    check: options.check,
  })
  if (options.replayed) replay(options.replayed, wire)
  const connection = serveTransport(({ era }) => newServer(caller, era === 'modern' ? 'all' : 'subscribed'), {
    transport: wire,
    onerror: (error) => log.debug('mcp_error', { error }),
  })
  const disconnected = Promise.withResolvers<void>()
  const onClose = wire.onclose
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no listeners
  wire.onclose = () => {
    onClose?.()
    disconnected.resolve()
  }
  const close = () => void connection.close()
  if (signal?.aborted) close()
  signal?.addEventListener('abort', close, { once: true })
  await disconnected.promise
  signal?.removeEventListener('abort', close)
}

type LineOptions = {
  /** A longer message is answered with an error and skipped, so it cannot fill the memory. */
  maxLineBytes: number
  /** Time to finish running requests after the input ended, as in `printf … | gossamer`. */
  lingerMs: number
  /** Checks each message before the protocol does. */
  check?: MessageCheck | undefined
}
const lineDefaults: LineOptions = { maxLineBytes: 16 * 1024 * 1024, lingerMs: 300 }

const newline = 0x0a

/**
 * JSON-RPC messages, one per line. Closes only when the input ends or either side breaks. The SDK's own transport
 * ends the connection at a long line and does not answer a line that is not JSON.
 */
export function createLineTransport(input: Readable, output: Writable, options: LineOptions): Transport {
  const open = new Set<string | number>()
  let linger: NodeJS.Timeout | undefined
  let isClosed = false

  const close = () => {
    if (isClosed) return
    isClosed = true
    clearTimeout(linger)
    input.off('data', receive).off('end', end).off('close', end).off('error', close)
    input.pause()
    transport.onclose?.()
  }
  const end = () => {
    if (open.size === 0) close()
    else linger ??= setTimeout(close, options.lingerMs)
  }
  const write = (message: object) =>
    new Promise<void>((written, failed) => {
      if (isClosed) failed(new Error('The connection is closed'))
      else output.write(`${JSON.stringify(message)}\n`, (error) => (error ? failed(error) : written()))
    })
  const refuse = (code: ProtocolErrorCode, message: string, id: string | number | null) => {
    write({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => {})
  }
  const receive = lineReader(options.maxLineBytes, {
    tooLong: () => refuse(ProtocolErrorCode.ParseError, `A message is longer than ${options.maxLineBytes} bytes`, null),
    line: (text) => {
      const read = parseLine(text, options.check)
      if (!read) return
      if ('code' in read) return refuse(read.code, read.message, read.id)
      if (isJSONRPCRequest(read)) open.add(read.id)
      else if (isCancellation(read)) open.delete(read.params.requestId)
      transport.onmessage?.(read)
    },
  })
  const transport: Transport = {
    start: async () => {
      // The listener is never removed: a late write to a broken pipe must not crash the process.
      output.on('error', close)
      input.on('data', receive).once('end', end).once('close', end).once('error', close)
      if (input.readableEnded || input.destroyed) setImmediate(close)
      // Paused by the reader of the first messages.
      input.resume()
    },
    send: async (message) => {
      await write(message)
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) open.delete(message.id ?? '')
      if (linger && open.size === 0) close()
    },
    close: async () => close(),
  }
  return transport
}

const isCancellation = (message: object): message is { params: { requestId: string | number } } =>
  'method' in message && message.method === 'notifications/cancelled' && 'params' in message

function parseLine(text: string, check: MessageCheck | undefined): JSONRPCMessage | MessageFault | undefined {
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { code: ProtocolErrorCode.ParseError, message: 'Parse error: the line is not JSON', id: null }
  }
  const fault = check?.(value)
  if (fault) return fault
  try {
    return parseJSONRPCMessage(value)
  } catch {
    const id = isRecord(value) ? value['id'] : undefined
    const known = typeof id === 'string' || typeof id === 'number' ? id : null
    return { code: ProtocolErrorCode.InvalidRequest, message: 'Invalid request: not a JSON-RPC message', id: known }
  }
}

/** Splits chunks into lines. Bytes are joined before decoding, because a character may span two chunks. */
function lineReader(maxBytes: number, on: { line(text: string): void; tooLong(): void }): (chunk: Buffer) => void {
  let pieces: Buffer[] = []
  let size = 0
  const add = (piece: Buffer) => {
    size += piece.length
    if (size > maxBytes) pieces = []
    else pieces.push(piece)
  }
  const finish = () => {
    const [text, isTooLong] = [Buffer.concat(pieces).toString('utf8'), size > maxBytes]
    pieces = []
    size = 0
    if (isTooLong) on.tooLong()
    else on.line(text)
  }
  return (chunk) => {
    let start = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, at))
      finish()
      start = at + 1
    }
    add(chunk.subarray(start))
  }
}
