import type { CodeJob, CodeResult, Language } from '../../contracts/session.ts'
import { fail } from '../../kernel/error.ts'
import type { Connection } from '../browser/cdp/connection.ts'
import type { Reach } from './cdp-allowed.ts'
import { type CodeRunner, createCodeRunner } from './runner.ts'
import type { FindPrograms } from './sandbox/installed.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

export type CodeOptions = {
  connection: Pick<Connection, 'client'>
  sandboxFor(language: Language): Promise<Sandbox | undefined>
  programsFor: FindPrograms
  reach: Reach
  /** Target of the tab that code starts on. */
  pageId(): string | undefined
}
export type CodeRunners = {
  /** Starts a process for the first code ahead of time, if this machine has the language. */
  warm(language: Language): void
  /** Fails with SANDBOX_UNAVAILABLE, FEATURE_UNAVAILABLE, or the signal's reason. */
  run(job: CodeJob & { language: Language }, signal: AbortSignal): Promise<CodeResult>
  close(): Promise<void>
}

/** The code runners of one session, created when their language is first used. */
export function createCodeRunners({ sandboxFor, programsFor, ...shared }: CodeOptions): CodeRunners {
  const made = new Map<Language, Promise<CodeRunner>>()
  let isOpen = true

  async function make(language: Language): Promise<CodeRunner> {
    const sandbox = await sandboxFor(language)
    if (!sandbox) return fail('SANDBOX_UNAVAILABLE')
    const programs = await programsFor(language, sandbox)
    if (!isOpen) return fail('SESSION_GONE')
    return createCodeRunner({ ...shared, language, sandbox, programs, start: 'ahead' })
  }

  function runnerOf(language: Language): Promise<CodeRunner> {
    const runner = made.get(language) ?? make(language)
    made.set(language, runner)
    // Retried next time: the operator may have installed what was missing.
    runner.catch(() => made.delete(language))
    return runner
  }

  return {
    warm: (language) => void runnerOf(language).catch(() => undefined),
    run: async ({ language, ...job }, signal) => (await runnerOf(language)).run(job, signal),
    async close() {
      isOpen = false
      const runners = await Promise.allSettled(made.values())
      await Promise.all(runners.map((runner) => (runner.status === 'fulfilled' ? runner.value.close() : undefined)))
    },
  }
}
