import { type Client, clientOf, type ClientName } from './clients.ts'

/** The name under which clients know the server. */
export const serverName = 'gossamer'

/** How a client starts the program. */
export type Launch = { command: string; args: readonly string[]; env?: Readonly<Record<string, string>> }
export type Entry = Readonly<Record<string, unknown>>

/** The entry of the server in the config of a client. */
export function entryOf(name: ClientName, { command, args, env = {} }: Launch): Entry {
  const { extras }: Client = clientOf(name)
  const hasEnv = Object.keys(env).length > 0
  return { ...extras?.before, command, args: [...args], ...(hasEnv && { env: { ...env } }), ...extras?.after }
}

export type Running = {
  platform: NodeJS.Platform
  /** The Node that runs now. */
  execPath: string
  /** The program that runs now, with its path. */
  script: string
}

/**
 * How to start the program that runs now once more. Programs with windows find neither the PATH of a shell nor the Node that
 * a version manager puts there, so both paths are whole. What `npx` runs lies in a cache that is cleared now and then.
 */
export function launchOf({ platform, execPath, script }: Running): Pick<Launch, 'command' | 'args'> {
  if (!/[\\/]_npx[\\/]/.test(script)) return { command: execPath, args: [script] }
  const args = ['-y', 'gossamer-mcp']
  // Windows cannot start a batch file such as npx by itself.
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args }
}
