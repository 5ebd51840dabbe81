import { hasAccess } from '../app/app.ts'
import type { Config } from '../app/config.ts'
import type { ToolCall } from '../kernel/tool.ts'
import { callableOf, type Input, callAs, missing, ownCliLine, type Way, ways } from '../kernel/written-call.ts'
import { didYouMean } from '../util/words.ts'
import { type CommandContext, UsageError } from './command.ts'

/**
 * The call in the notation of curl, MCP, the command line, the SDK or the library. Fails with UsageError if that way
 * has no such call.
 */
export async function writeCall(
  { app, config, flags, log }: CommandContext,
  { operation, input }: Pick<ToolCall, 'operation' | 'input'>,
): Promise<string> {
  const way = wayOf(flags.as ?? '')
  const callable = callableOf(operation, app.tools)
  // A call that this machine runs itself needs no server.
  if (way === 'cli' && config.remoteUrl === undefined) return ownCliLine(callable, input as Input)
  const hasKey = await needsKey({ app, config }).catch((cause: unknown) => {
    log.warn('the keys could not be read', { cause })
    return true
  })
  const text = callAs(way, callable, input as Input, { origin: originOf(config), hasKey })
  if (text === undefined) throw new UsageError(`--as ${way}: ${missing[way] ?? 'That way has no such call.'}`)
  return text
}

function wayOf(text: string): Way {
  const way = ways.find((each) => each === text)
  if (way) return way
  throw new UsageError(`--as takes ${ways.join(', ')}, but got: ${text}.${didYouMean(text, ways)}`)
}

/** URL of the remote server, or of the one that `gossamer serve` starts with the same settings. */
function originOf({ remoteUrl, publicUrl, host, port }: Config): string {
  const own = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
  // An apostrophe would end the quoted text around it.
  return (remoteUrl ?? publicUrl ?? own).replace(/\/+$/, '').replaceAll("'", '%27')
}

async function needsKey({ app, config }: Pick<CommandContext, 'app' | 'config'>): Promise<boolean> {
  if (config.remoteUrl !== undefined) return config.remoteKey !== undefined
  if (hasAccess(config)) return true
  const { keys } = await app.store()
  return (await keys.list()).length > 0
}
