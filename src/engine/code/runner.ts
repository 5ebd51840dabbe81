import type { CodeJob, CodeResult, Language } from '../../contracts/session.ts'
import { fail } from '../../kernel/error.ts'
import type { Connection } from '../browser/cdp/connection.ts'
import type { Reach } from './cdp-allowed.ts'
import { type Ended, type Execution, startExecution } from './execution.ts'
import { type CodeLimits, defaultLimits, type Excess } from './limits.ts'
import { bashChannel, createOwnCommands } from './remote/bash.ts'
import {
  browserGone,
  type Channel,
  type ChannelOptions,
  type Commands,
  type Done,
  type OpenChannel,
} from './remote/channel.ts'
import { createInstalledCommands } from './remote/installed-commands.ts'
import { openNodeChannel } from './remote/node.ts'
import { openPythonChannel, openPlaywrightChannel } from './remote/python.ts'
import { commandsProgram, inOwnContext, programFor, type ProgramSettings } from './sandbox/programs.ts'
import type { Program, Sandbox } from './sandbox/sandbox.ts'

export type CodeRunnerOptions = {
  /** The session's browser. */
  connection: Pick<Connection, 'client'>
  language: Language
  sandbox: Sandbox
  programs?: ProgramSettings
  reach?: Reach
  limits?: Partial<CodeLimits>
  /** Target of the page that code starts on; the newest by default. */
  pageId?: () => string | undefined
  /** `ahead` has a program waiting, so that code need not wait for its start. */
  start?: 'ahead' | 'on demand'
}

export type CodeRunner = {
  readonly language: Language
  readonly strength: Sandbox['strength']
  readonly warning: string | undefined
  /** Fails only with the signal's reason, or FEATURE_UNAVAILABLE when the program cannot be started; whatever code does is a result. */
  run(job: CodeJob, signal: AbortSignal): Promise<CodeResult>
  /** Ends what runs and what waits. */
  close(): Promise<void>
}

type Started = { execution: Execution; channel: Channel }

/** Runs pieces of code on the browser of one session, each in a process of its own that is gone when it is over. */
export function createCodeRunner(options: CodeRunnerOptions): CodeRunner {
  const { language, sandbox, connection, reach = {}, start = 'ahead', pageId = () => undefined } = options
  const limits = { ...defaultLimits, ...options.limits }
  const programs = reach.contextId === undefined ? (options.programs ?? {}) : inOwnContext(options.programs ?? {})
  const program = programFor(language, sandbox, programs)
  if (!program)
    fail('FEATURE_UNAVAILABLE', {
      message: `There is no program on this machine that runs ${language} code.`,
      hint: `Use another language, or have the operator install ${language}.`,
    })
  const command = sandbox.command(program)
  const shared = { connection, reach, limits, pageId }
  const commands = language === 'bash' ? commandsOf(commandsProgram(sandbox, programs), sandbox, shared) : undefined
  const openChannel = commands ? bashChannel(commands) : channelOf(program)
  const all = new Set<Execution>()
  let spare: Started | undefined
  let isOpen = true

  function started(): Started {
    const execution = startExecution(command, limits)
    all.add(execution)
    void execution.ended.then(() => all.delete(execution))
    return { execution, channel: openChannel(execution, shared) }
  }

  function taken(): Started {
    const waiting = spare
    spare = undefined
    return waiting && !waiting.execution.hasEnded() ? waiting : started()
  }

  if (start === 'ahead') spare = started()

  return {
    language,
    strength: sandbox.strength,
    warning: sandbox.warning,
    async run(job, signal) {
      signal.throwIfAborted()
      const running = taken()
      try {
        const outcome = await outcomeOf(running, job, signal)
        signal.throwIfAborted()
        if (outcome.end.error !== undefined)
          fail('FEATURE_UNAVAILABLE', { message: `The program that runs ${language} code could not be started.` })
        return resultOf(running.execution, outcome, job, sandbox.warning)
      } finally {
        if (isOpen && start === 'ahead') spare ??= started()
      }
    },
    async close() {
      isOpen = false
      const ends = Array.from(all, (execution) => {
        execution.kill()
        return execution.ended
      })
      await Promise.all([...ends, commands?.close()])
    },
  }
}

function channelOf({ language, via }: Program): OpenChannel {
  if (language === 'node') return openNodeChannel
  return via === 'bridge' ? openPlaywrightChannel : openPythonChannel
}

function commandsOf(program: Program | undefined, sandbox: Sandbox, shared: ChannelOptions): Commands {
  return program ? createInstalledCommands(program, sandbox, shared) : createOwnCommands(shared)
}

type Outcome = { end: Ended; done: Done; ending: 'itself' | 'time' | Excess }

async function outcomeOf({ execution, channel }: Started, job: CodeJob, signal: AbortSignal): Promise<Outcome> {
  const outcome: Outcome = { end: { code: null, signal: null }, done: {}, ending: 'itself' }
  const stop = (ending: Outcome['ending']) => {
    if (outcome.ending === 'itself' && !execution.hasEnded()) outcome.ending = ending
    execution.kill()
  }
  const timer = setTimeout(() => stop('time'), job.timeoutMs)
  const leave = () => execution.kill()
  signal.addEventListener('abort', leave, { once: true })
  execution.watch(stop)
  try {
    const begun = channel.begin(job).then((done) => Object.assign(outcome, { done }))
    begun.catch(() => {
      outcome.done = browserGone
      execution.kill()
    })
    outcome.end = await execution.ended
    return outcome
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    await channel.end()
  }
}

function resultOf(execution: Execution, outcome: Outcome, job: CodeJob, warning: string | undefined): CodeResult {
  const stdout = execution.stdout()
  const error = errorOf(outcome, job)
  return {
    success: true,
    stdout,
    result: stdout,
    lastValue: outcome.done.lastValue ?? null,
    stderr: [execution.stderr(), ...(warning === undefined ? [] : [`[warning] ${warning}\n`])].join(''),
    exitCode: outcome.ending === 'itself' ? outcome.end.code : null,
    killed: outcome.ending === 'time',
    ...(error !== undefined && { error }),
  }
}

function errorOf({ ending, end, done }: Outcome, { timeoutMs }: CodeJob): string | undefined {
  if (ending === 'time') return `Execution timed out after ${timeoutMs / 1000} s.`
  if (ending === 'memory') return 'The code was ended: it took more memory than code may take.'
  if (ending === 'processes') return 'The code was ended: it started more processes than code may start.'
  if (done.error !== undefined) return done.error
  if (end.signal !== null)
    return `The code was ended by ${end.signal}; most often it took more memory than code may take.`
  return end.code === 0 ? undefined : `The code ended with exit code ${end.code}.`
}
