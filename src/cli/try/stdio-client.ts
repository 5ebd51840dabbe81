import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { isRecord, parseJsonObject } from '../../util/json.ts'

/** A server that runs as clients run it. */
export type RunningServer = {
  /** Resolves with the result; rejects with what the server says of a failure, or when it ends before. */
  request(method: string, params: object): Promise<Record<string, unknown>>
  end(): void
}

/** Starts a server over stdio and opens the connection. It writes its log where this program does. */
export async function startOverStdio(command: string, args: readonly string[]): Promise<RunningServer> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  let lastId = 0
  const failAll = (message: string) => {
    for (const { reject } of waiting.values()) reject(new Error(message))
  }
  child.on('error', (error) => failAll(`The server cannot be started: ${error.message}`))
  child.on('close', (code) => failAll(`The server has ended with code ${code}.`))
  // One that has ended takes nothing more; its end is told above.
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = parseJsonObject(line) ?? {}
    const answer = waiting.get(Number(id))
    waiting.delete(Number(id))
    if (isRecord(result)) answer?.resolve(result)
    else answer?.reject(new Error(isRecord(error) ? String(error['message']) : 'The server gave no answer.'))
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const server: RunningServer = {
    request: async (method, params) => {
      lastId += 1
      const answer = Promise.withResolvers<Record<string, unknown>>()
      waiting.set(lastId, answer)
      send({ id: lastId, method, params })
      return answer.promise
    },
    end: () => child.stdin.end(),
  }
  const clientInfo = { name: 'gossamer-try', version: '1.0.0' }
  await server.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return server
}
