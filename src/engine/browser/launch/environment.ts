import { statfs } from 'node:fs/promises'
import type { ArgumentOptions } from './arguments.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Variables that a browser needs for its files, fonts and display. Keys, tokens and proxies of this process stay out. */
const inherited = [
  'PATH HOME LANG LC_ALL LC_CTYPE TZ TMPDIR LD_LIBRARY_PATH FONTCONFIG_PATH FONTCONFIG_FILE',
  'XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY',
  'SystemRoot SystemDrive windir TEMP TMP LOCALAPPDATA APPDATA USERPROFILE ProgramData ProgramFiles ProgramFiles(x86) ProgramW6432',
].flatMap((names) => names.split(' '))

/** Without a locale Chromium cannot open files whose names go beyond ASCII, such as uploads. Clients may start us with none. */
const localeOf = ({ LC_ALL, LC_CTYPE, LANG }: Environment): Environment =>
  LC_ALL || LC_CTYPE || LANG ? {} : { LC_CTYPE: 'C.UTF-8' }

export function browserEnvironment(own: Environment, more: Environment): Record<string, string> {
  const kept = inherited.map((name) => [name, { ...own, ...localeOf(own) }[name]] as const)
  return Object.fromEntries(
    [...kept, ...Object.entries(more)].filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
}

/** A full browser creates this socket under TMPDIR; socket paths are limited (sun_path in unix(7); 104 bytes on macOS). */
const socketName = '/org.chromium.Chromium.XXXXXX/SingletonSocket'
const maxSocketPath = 103

/** Puts temporary files of a browser into its profile folder, which is removed afterwards, unless the path is too long. */
export const temporaryFiles = (profileDir: string): Environment =>
  Buffer.byteLength(profileDir + socketName) <= maxSocketPath ? { TMPDIR: profileDir } : {}

/** Bitmaps of large pages take this much; containers give 64 MB. */
const enoughSharedBytes = 512 * 1024 * 1024

export async function sharedMemory(platform: NodeJS.Platform): Promise<ArgumentOptions['sharedMemory']> {
  if (platform !== 'linux') return 'usual'
  const stats = await statfs('/dev/shm').catch(() => undefined)
  return stats && stats.bavail * stats.bsize >= enoughSharedBytes ? 'usual' : 'small'
}
