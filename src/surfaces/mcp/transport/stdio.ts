import type { Readable, Writable } from 'node:stream'
import { serveStdio as serveTransport } from '@modelcontextprotocol/server/stdio'
import type { Log } from '../../../kernel/log.ts'
import type { Guest } from '../options.ts'
import type { NewServer } from '../server.ts'
import { createLineTransport, lineDefaults, type LineOptions } from './lines.ts'

export type StdioOptions = Partial<LineOptions> & {
  newServer: NewServer
  guest: Guest
  log: Log
  input?: Readable
  output?: Writable
  /** Ends the connection from our side. */
  signal?: AbortSignal
}

/**
 * Serves one client over a pair of streams, in whichever protocol era it opens. Resolves when the client has gone
 * (the input ended, or the output broke) or `signal` fired; ending the process is the caller's business.
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { newServer, guest, log, input = process.stdin, output = process.stdout, signal } = options
  const wire = createLineTransport(input, output, {
    maxLineBytes: options.maxLineBytes ?? lineDefaults.maxLineBytes,
    lingerMs: options.lingerMs ?? lineDefaults.lingerMs,
  })
  const connection = serveTransport(({ era }) => newServer(guest, era === 'modern' ? 'all' : 'subscribed'), {
    transport: wire,
    onerror: (error) => log.debug('mcp_error', { error }),
  })
  const gone = Promise.withResolvers<void>()
  const closed = wire.onclose
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport knows no listeners
  wire.onclose = () => {
    closed?.()
    gone.resolve()
  }
  const close = () => void connection.close()
  if (signal?.aborted) close()
  signal?.addEventListener('abort', close, { once: true })
  await gone.promise
  signal?.removeEventListener('abort', close)
}
