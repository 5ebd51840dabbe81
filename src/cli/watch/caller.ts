import { localTeam } from '../../app/app.ts'
import { type CommandContext, UsageError } from '../command.ts'

/** How long what is under way may take once the command is told to end, so that its last pages are still written. */
const graceMs = 1500

export type Call = ReturnType<typeof callerOf>

/** Runs operations of the app by name. What is under way when the signal aborts has a moment left to end. */
export function callerOf({ app }: CommandContext, signal: AbortSignal) {
  const ending = new AbortController()
  const end = () => void setTimeout(() => ending.abort(), graceMs).unref()
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  return async <Output>(name: string, input: object): Promise<Output> => {
    const operation = app.operations.find((each) => each.name === name)
    if (!operation) throw new UsageError(`This version has no operation ${name}.`)
    const ctx = app.newCtx({ team: localTeam, signal: ending.signal, baseUrl: '' })
    return (await app.invoke(operation, input, ctx)) as Output
  }
}
