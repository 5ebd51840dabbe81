import { statfs } from 'node:fs/promises'
import type { ArgumentFacts } from './arguments.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What a browser needs to find its files, fonts and window. Keys, tokens and proxies of this process are not among it. */
const passedOn = [
  'PATH HOME LANG LC_ALL LC_CTYPE TZ TMPDIR LD_LIBRARY_PATH FONTCONFIG_PATH FONTCONFIG_FILE',
  'XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY',
  'SystemRoot SystemDrive windir TEMP TMP LOCALAPPDATA APPDATA USERPROFILE ProgramData ProgramFiles ProgramFiles(x86) ProgramW6432',
].flatMap((names) => names.split(' '))

export function browserEnvironment(own: Environment, more: Environment): Record<string, string> {
  const kept = passedOn.map((name) => [name, own[name]] as const)
  return Object.fromEntries(
    [...kept, ...Object.entries(more)].filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
}

/** A full browser makes this socket under TMPDIR, and paths of sockets are short (sun_path in unix(7); 104 bytes on macOS). */
const socketName = '/org.chromium.Chromium.XXXXXX/SingletonSocket'
const maxSocketPath = 103

/** Puts what a browser leaves lying about into the folder that goes with it, where the path allows it. */
export const temporaryFiles = (profileDir: string): Environment =>
  Buffer.byteLength(profileDir + socketName) <= maxSocketPath ? { TMPDIR: profileDir } : {}

/** Pictures of large pages take this much; containers give 64 MB. */
const enoughSharedBytes = 512 * 1024 * 1024

export async function sharedMemory(platform: NodeJS.Platform): Promise<ArgumentFacts['sharedMemory']> {
  if (platform !== 'linux') return 'usual'
  const facts = await statfs('/dev/shm').catch(() => undefined)
  return facts && facts.bavail * facts.bsize >= enoughSharedBytes ? 'usual' : 'small'
}
