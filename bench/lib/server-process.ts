import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { onLines } from './lines.ts'
import { answerTimeoutMs, resultOf, type Answer, type McpClient } from './mcp-client.ts'
import { aliveAmong, treeOf } from './process-tree.ts'

type Child = ChildProcessByStdio<Writable, Readable, Readable>

export type Command = { file: string; args: readonly string[]; env: Readonly<Record<string, string>>; cwd: string }

export type ServerProcess = {
  pid: number
  client: McpClient
  /**
   * Closes stdin, as an exiting client does. Returns the ms until the server exited; undefined if it had to be killed.
   */
  end(): Promise<number | undefined>
}

const exitTimeoutMs = 5000

/**
 * Runs a JavaScript file as an MCP server over stdio, with this process's node binary and only the given environment.
 */
export function startServer({ file, args, env, cwd }: Command): ServerProcess {
  const child = spawn(process.execPath, [file, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const { pid } = child
  if (pid === undefined) throw new Error(`${file} could not be started`)
  return { pid, client: stdioClient(child, lastWords(child.stderr)), end: () => endTree(child, pid) }
}

function stdioClient(child: Child, heard: () => string): McpClient {
  const waiting = new Map<unknown, (answer: Answer) => void>()
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const give = (answer: Answer) => waiting.get(answer.id)?.(answer)
  let lastId = 0

  onLines(child.stdout, (line) => {
    const message = JSON.parse(line) as Answer
    // To a client without capabilities, a server may send no request but a ping.
    if (message.method === undefined) give(message)
    else if (message.id !== undefined) send({ id: message.id, result: {} })
  })
  child.once('exit', (code) => {
    for (const id of waiting.keys()) give({ id, error: { message: `the server exited (${code}). ${heard()}` } })
  })
  child.stdin.on('error', () => {})

  return {
    async call(method, params) {
      const id = ++lastId
      const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve))
      const timer = setTimeout(() => give({ id, error: { message: `no answer in time. ${heard()}` } }), answerTimeoutMs)
      send({ id, method, params })
      try {
        return resultOf(method, await answer)
      } finally {
        clearTimeout(timer)
        waiting.delete(id)
      }
    },
    notify: async (method) => void send({ method }),
  }
}

/** Drains a stream, since a full pipe would block the server, and keeps its end for error messages. */
function lastWords(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-1000)
  })
  return () => text.trim()
}

async function endTree(child: Child, pid: number): Promise<number | undefined> {
  const tree = treeOf(pid)
  const startedAt = performance.now()
  child.stdin.end()
  const isGone = await exited(child)
  const tookMs = performance.now() - startedAt
  for (const left of aliveAmong(tree)) killIfThere(left.pid)
  return isGone ? tookMs : undefined
}

/** A process may be gone already, because it ended together with one that was killed before it. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function exited(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true)
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), exitTimeoutMs)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
