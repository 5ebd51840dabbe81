import { stripVTControlCharacters } from 'node:util'
import type { CodeJob, CodeResult, Language } from '../../contracts/session-port.ts'
import { fail } from '../../kernel/error.ts'
import { sanitiseText } from '../../util/sanitise-text.ts'
import {
  bashChannel,
  browserGone,
  type Channel,
  type ChannelOptions,
  type CodeOutcome,
  createCommands,
  playwrightChannel,
} from './channels.ts'
import {
  type CodeLimits,
  defaultLimits,
  type ProcessEnd,
  type Excess,
  type Execution,
  startExecution,
} from './execution.ts'
import { commandsProgram, type FindPrograms, programFor, type ProgramSettings } from './sandbox/programs.ts'
import type { Sandbox } from './sandbox/run-in-sandbox.ts'

export type CodeOptions = Omit<ChannelOptions, 'limits'> & {
  sandboxFor(language: Language): Promise<Sandbox | undefined>
  programsFor: FindPrograms
}
export type CodeRunners = ReturnType<typeof createCodeRunners>

/** Creates a function that runs code in a session. Each language gets its runner on first use. */
export function createCodeRunners({ sandboxFor, programsFor, ...shared }: CodeOptions) {
  const created = new Map<Language, Promise<CodeRunner>>()
  let isOpen = true

  async function create(language: Language): Promise<CodeRunner> {
    const sandbox = await sandboxFor(language)
    if (!sandbox) return fail('SANDBOX_UNAVAILABLE')
    const programs = await programsFor(language, sandbox)
    if (!isOpen) return fail('SESSION_GONE')
    // If started ahead, Python would keep a second process waiting, that of Playwright.
    return createCodeRunner({
      ...shared,
      language,
      sandbox,
      programs,
      start: language === 'python' ? 'on demand' : 'ahead',
    })
  }

  function runnerOf(language: Language): Promise<CodeRunner> {
    const runner = created.get(language) ?? create(language)
    created.set(language, runner)
    // The next call tries again, because the operator may have installed the missing program meanwhile.
    runner.catch(() => created.delete(language))
    return runner
  }

  return {
    /** Starts a process for the first code in advance, if the language is available on this machine. */
    warm: (language: Language) => void runnerOf(language).catch(() => undefined),
    /** Runs code. Fails with SANDBOX_UNAVAILABLE, FEATURE_UNAVAILABLE, or the signal's reason. */
    run: async ({ language, ...job }: CodeJob & { language: Language }, signal: AbortSignal) =>
      (await runnerOf(language)).run(job, signal),
    async close() {
      isOpen = false
      const runners = await Promise.allSettled(created.values())
      await Promise.all(runners.map((runner) => (runner.status === 'fulfilled' ? runner.value.close() : undefined)))
    },
  }
}

export type CodeRunnerOptions = Partial<Omit<ChannelOptions, 'connection' | 'limits'>> & {
  connection: ChannelOptions['connection']
  language: Language
  sandbox: Sandbox
  programs?: ProgramSettings
  limits?: Partial<CodeLimits>
  /** `ahead` keeps a started process ready, so code need not wait for its start. */
  start?: 'ahead' | 'on demand'
}

export type CodeRunner = ReturnType<typeof createCodeRunner>

type StartedProgram = { execution: Execution; channel: Channel }

/** Runs code of one language on the browser of one session; each call has its own process. */
export function createCodeRunner(options: CodeRunnerOptions) {
  const { language, sandbox, programs = {}, start = 'ahead' } = options
  const limits = { ...defaultLimits, ...options.limits }
  const program = programFor(language, sandbox, programs)
  const commandsOf = language === 'bash' ? commandsProgram(sandbox, programs) : undefined
  if (!program || (language === 'bash' && !commandsOf))
    fail('FEATURE_UNAVAILABLE', {
      message: `${language} is not installed on this machine.`,
      hint: `Use another language, or ask the operator to install ${language}.`,
    })
  const command = sandbox.command(program)
  const shared = { reach: {}, pageId: () => undefined, ...options, limits }
  const commands = commandsOf && createCommands(sandbox.command(commandsOf), shared)
  const openChannel = commands ? bashChannel(commands) : playwrightChannel
  const all = new Set<Execution>()
  let spare: StartedProgram | undefined
  let isOpen = true

  function startProgram(): StartedProgram {
    const execution = startExecution(command, limits)
    all.add(execution)
    void execution.ended.then(() => all.delete(execution))
    return { execution, channel: openChannel(execution, shared) }
  }

  function takeProgram(): StartedProgram {
    const waiting = spare
    spare = undefined
    return waiting && !waiting.execution.hasEnded() ? waiting : startProgram()
  }

  if (start === 'ahead') spare = startProgram()

  return {
    language,
    strength: sandbox.strength,
    warning: sandbox.warning,
    /** Fails only with the signal's reason, or with FEATURE_UNAVAILABLE; errors of the code are results. */
    async run(job: CodeJob, signal: AbortSignal): Promise<CodeResult> {
      signal.throwIfAborted()
      const running = takeProgram()
      try {
        const outcome = await waitForEnd(running, job, signal)
        signal.throwIfAborted()
        if (outcome.end.error !== undefined)
          fail('FEATURE_UNAVAILABLE', { message: `The program that runs ${language} code could not be started.` })
        return codeResultOf(running.execution, outcome, job, sandbox.warning)
      } finally {
        if (isOpen && start === 'ahead') spare ??= startProgram()
      }
    },
    async close() {
      isOpen = false
      for (const { kill } of all) kill()
      await Promise.all([...Array.from(all, ({ ended }) => ended), commands?.close()])
    },
  }
}

type Outcome = { end: ProcessEnd; done: CodeOutcome; ending: 'itself' | 'time' | Excess }

async function waitForEnd({ execution, channel }: StartedProgram, job: CodeJob, signal: AbortSignal): Promise<Outcome> {
  const outcome: Outcome = { end: { code: null, signal: null }, done: {}, ending: 'itself' }
  const stop = (ending: Outcome['ending']) => {
    if (outcome.ending === 'itself' && !execution.hasEnded()) outcome.ending = ending
    execution.kill()
  }
  const timer = setTimeout(() => stop('time'), job.timeoutMs)
  const onAbort = () => execution.kill()
  signal.addEventListener('abort', onAbort, { once: true })
  execution.watch(stop)
  try {
    const running = channel.begin(job).then((done) => Object.assign(outcome, { done }))
    running.catch(() => {
      outcome.done = browserGone
      execution.kill()
    })
    outcome.end = await execution.ended
    return outcome
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    await channel.end()
  }
}

/** Sanitises output, which may contain page text. */
const printable = (text: string): string => sanitiseText(stripVTControlCharacters(text))

function codeResultOf(execution: Execution, outcome: Outcome, job: CodeJob, warning: string | undefined): CodeResult {
  const stdout = printable(execution.stdout())
  const { lastValue = null } = outcome.done
  const error = errorOf(outcome, job)
  return {
    success: true,
    stdout,
    result: stdout,
    lastValue: lastValue === null ? null : printable(lastValue),
    stderr: [printable(execution.stderr()), ...(warning === undefined ? [] : [`[warning] ${warning}\n`])].join(''),
    exitCode: outcome.ending === 'itself' ? outcome.end.code : null,
    killed: outcome.ending === 'time',
    ...(error !== undefined && { error: printable(error) }),
  }
}

function errorOf({ ending, end, done }: Outcome, { timeoutMs }: CodeJob): string | undefined {
  if (ending === 'time') return `Execution timed out after ${timeoutMs / 1000} s.`
  if (ending === 'memory') return 'The code was killed: it exceeded the memory limit.'
  if (ending === 'processes') return 'The code was killed: it exceeded the limit of processes.'
  if (done.error !== undefined) return done.error
  if (end.signal !== null)
    return `The code was killed by ${end.signal}, most likely because it exceeded the memory limit.`
  return end.code === 0 ? undefined : `The code exited with code ${end.code}.`
}
