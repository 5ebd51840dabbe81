import type { CodeJob } from '../../contracts/session-port.ts'
import { createFrameSplitter, createFrames } from '../../util/nul-frames.ts'
import type { Connection } from '../browser/cdp/cdp-connection.ts'
import type { CdpMessage } from '../browser/cdp/cdp-wire.ts'
import { refusal, type Reach } from './cdp-allowed.ts'
import type { CommandCall, CommandResult } from './child/agent-browser.ts'
import type { BrowserMessage, ConnectOptions } from './child/connect-playwright.ts'
import { type CodeLimits, type Execution, startExecution } from './execution.ts'
import type { Command } from './sandbox/run-in-sandbox.ts'

/** Outcome of the code, as reported by its process. */
export type CodeOutcome = { lastValue?: string | null; error?: string }
export const browserGone: CodeOutcome = { error: 'The browser of the session is gone.' }
/** This program's end of file descriptor 3 of a process that runs code. */
export type Channel = {
  /**
   * Sends the code. Resolves with the outcome that the process reports; never if the process exits without a report.
   */
  begin(job: CodeJob): Promise<CodeOutcome>
  end(): Promise<void>
}
/**
 * Calls `listener` with the browser's events of each download, and with the bytes of a complete one. Returns a function
 * that stops this.
 */
type FollowDownloads = (listener: (event: CdpMessage, bytes?: Buffer) => void) => () => void
/** Stored secrets, which code uses by name without seeing their values. */
type CodeSecrets = {
  nameIn(text: unknown): string | undefined
  /** Types a secret into the focused field of the current tab. Rejects with the reason. */
  type(name: string, signal: AbortSignal): Promise<void>
  hide<T>(value: T): T
  refusalOf(message: CdpMessage): string | undefined
}
export type ChannelOptions = {
  connection: Pick<Connection, 'client'>
  reach: Reach
  limits: CodeLimits
  followDownloads?: FollowDownloads | undefined
  pageId(): string | undefined
  secrets?: CodeSecrets | undefined
}
type OpenChannel = (execution: Execution, options: ChannelOptions) => Channel

/** Returns the timeout in ms of a Playwright action, shorter than that of the code, so errors name the action. */
const actionTimeoutMs = (timeoutMs: number) => Math.min(30_000, Math.max(timeoutMs - 1000, timeoutMs / 2))

type FromProcess = { done: CodeOutcome; ran: CommandResult & { id: string }; cdp: CdpMessage }
type FromProcessHandlers = {
  message(message: Partial<FromProcess>): void
  browserGone(): void
  /** Called if a secret may not be typed; the code must end, as Playwright would retry until its timeout. */
  refused(reason: string): void
}

/** Connects a process that runs Playwright to the browser, as a client limited to the allowed calls. */
function createPlaywrightEnd(execution: Execution, options: ChannelOptions, handlers: FromProcessHandlers) {
  const { connection, reach, limits, followDownloads, pageId, secrets } = options
  let close: (() => Promise<void>) | undefined
  let listener: ((cdp: CdpMessage) => void) | undefined
  let isOver = false
  const frames = createFrames<FromProcess>(
    execution.socket,
    {
      message: ({ cdp, ...message }) => (cdp ? listener?.(cdp) : handlers.message(message)),
      broken: () => execution.kill(),
    },
    limits.maxMessageBytes,
  )
  const deliver = (message: BrowserMessage) => {
    frames.send(secrets ? secrets.hide(message) : message)
    // Code that does not read its messages would otherwise fill our memory.
    if (frames.waiting() > limits.maxMessageBytes) execution.kill()
  }

  return {
    send: frames.send,
    async connect(job: { actionTimeoutMs: number; code?: string }): Promise<void> {
      const client = await connection.client({
        receive: (cdp) => deliver({ cdp }),
        ended: () => {
          if (!isOver) handlers.browserGone()
        },
        rejectionOf: (message) => refusal(message, reach) ?? secrets?.refusalOf(message),
        contextId: reach.contextId,
      })
      const unfollow = followDownloads?.((cdp, bytes) =>
        deliver({ cdp, ...(bytes && { file: bytes.toString('base64') }) }),
      )
      close = async () => {
        unfollow?.()
        await client.close()
      }
      if (isOver) return close()
      listener = (cdp) => {
        if (secrets && typesSecret(cdp, secrets, { ...handlers, deliver })) return
        client.send(cdp)
        if (!client.isFull()) return
        frames.pause()
        void client.drained().then(frames.resume)
      }
      const whole: ConnectOptions = { ...job, pageId: pageId(), contextId: reach.contextId }
      frames.send({ job: whole })
    },
    async close() {
      isOver = true
      await close?.()
    },
  }
}

const secretMs = 10_000

/** Types the secret that a message would insert by name. Returns false for any other message. */
function typesSecret(
  message: CdpMessage,
  secrets: CodeSecrets,
  { deliver, refused }: Pick<FromProcessHandlers, 'refused'> & { deliver(message: BrowserMessage): void },
): boolean {
  const { id, sessionId, method, params } = message
  const name = method === 'Input.insertText' ? secrets.nameIn(params?.['text']) : undefined
  if (name === undefined) return false
  const ids = { ...(id !== undefined && { id }), ...(sessionId !== undefined && { sessionId }) }
  secrets.type(name, AbortSignal.timeout(secretMs)).then(
    () => deliver({ cdp: { ...ids, result: {} } }),
    (cause: unknown) => refused((cause as Error).message),
  )
  return true
}

/** Channel for Node code in the Playwright process itself, and for Python code in its child process. */
export const playwrightChannel: OpenChannel = (execution, options) => {
  const { promise: done, resolve } = Promise.withResolvers<CodeOutcome>()
  const end = createPlaywrightEnd(execution, options, {
    message({ done: outcome = {} }) {
      resolve(outcome)
      execution.socket.end()
    },
    browserGone() {
      resolve(browserGone)
      execution.kill()
    },
    refused(error) {
      resolve({ error })
      execution.kill()
    },
  })
  return {
    async begin({ code, timeoutMs }) {
      await end.connect({ code, actionTimeoutMs: actionTimeoutMs(timeoutMs) })
      return done
    },
    end: end.close,
  }
}

/** Runs agent-browser commands in a process that starts with the first command and keeps state such as element refs. */
export function createCommands(command: Command, options: ChannelOptions) {
  type Host = {
    execution: Execution
    end: ReturnType<typeof createPlaywrightEnd>
    calls: Map<string, PromiseWithResolvers<CommandResult>>
  }
  let host: Host | undefined
  let count = 0
  let isOpen = true

  function start(): Host {
    const execution = startExecution(command, options.limits)
    const calls: Host['calls'] = new Map()
    const gone = () => {
      calls.forEach(({ reject }) => reject(new Error(browserGone.error)))
      execution.kill()
    }
    const end = createPlaywrightEnd(execution, options, {
      message({ ran }) {
        if (ran) calls.get(ran.id)?.resolve(ran)
      },
      browserGone: gone,
      refused(reason) {
        calls.forEach(({ resolve }) => resolve({ exitCode: 1, stdout: '', stderr: `✗ ${reason}\n` }))
        execution.kill()
      },
    })
    execution.watch(execution.kill)
    void execution.ended.then(() => {
      calls.forEach(({ resolve }) => resolve(killed))
      return end.close()
    })
    end.connect({ actionTimeoutMs: 30_000 }).catch(gone)
    return { execution, end, calls }
  }

  return {
    /** Rejects if the browser is gone. */
    async run(call: CommandCall): Promise<CommandResult> {
      if (!isOpen) return killed
      if (!host || host.execution.hasEnded()) host = start()
      const { end, calls } = host
      // The ids that code chooses may repeat.
      const id = String(++count)
      const pending = Promise.withResolvers<CommandResult>()
      calls.set(id, pending)
      end.send({ call: { ...call, id } })
      return pending.promise.finally(() => calls.delete(id))
    },
    async close() {
      isOpen = false
      host?.execution.kill()
      await host?.execution.ended
    },
  }
}

const killed: CommandResult = {
  exitCode: 1,
  stdout: '',
  stderr: '✗ agent-browser was killed; it may have used too much memory.\n',
}

/**
 * Creates the channel of bash code, which calls agent-browser commands. They run outside its process, so their state
 * outlives the code.
 */
export const bashChannel =
  (commands: ReturnType<typeof createCommands>): OpenChannel =>
  (execution) => ({
    begin({ code, timeoutMs }) {
      const { promise: never } = Promise.withResolvers<never>()
      const take = readCalls((id, args, input) => {
        commands
          .run({ id, args, input, timeoutMs: actionTimeoutMs(timeoutMs) })
          .then((ran) => execution.socket.write(answerTo(id, ran)))
          .catch(() => execution.kill())
      })
      execution.socket.on('data', (chunk: Buffer) => {
        if (take(chunk) === 'broken') execution.kill()
      })
      execution.socket.write(`${code.replaceAll('\0', '')}\0`)
      return never
    },
    end: async () => {},
  })

/** Encodes a result in the format that code-child.sh reads: lengths in bytes, then the contents. */
function answerTo(id: string, { exitCode, stdout, stderr, file }: CommandResult): string {
  const parts = [stdout, stderr, file?.base64 ?? '']
  const lengths = parts.map((part) => Buffer.byteLength(part)).join(' ')
  return `${id} ${exitCode} ${lengths} ${file?.path.replaceAll('\n', '') ?? ''}\n${parts.join('')}`
}

/** Limits of one call, larger than any command needs. */
const maxArguments = 1000
const maxCallBytes = 16 * 1024 * 1024

/** Parses calls from NUL-terminated fields: id, number of arguments, arguments, stdin. */
function readCalls(emit: (id: string, args: readonly string[], input: string) => void) {
  let fields: string[] = []
  let size = 0
  let isValid = true
  const take = createFrameSplitter(maxCallBytes, (field) => {
    size += field.length
    fields.push(field.toString('utf8'))
    const count = Number(fields[1] ?? 0)
    isValid &&= size <= maxCallBytes && count <= maxArguments
    if (!isValid || fields.length < 2 || fields.length < count + 3) return
    const [id = '', , ...args] = fields
    fields = []
    size = 0
    emit(id.replace(/[^\w.]/g, ''), args.slice(0, -1), args.at(-1)!)
  })
  return (chunk: Buffer) => (isValid && take(chunk) === 'ok' && isValid ? 'ok' : 'broken')
}
