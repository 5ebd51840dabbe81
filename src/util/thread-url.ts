import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** The URL of a worker thread's file beside the module at `here`: TypeScript in the sources, JavaScript in the bundle. */
export function threadUrl(name: string, here: string): URL {
  return new URL(`./${name}.${here.endsWith('.ts') ? 'ts' : 'js'}`, here)
}

/** The environment of a thread: none of ours, but it keeps what it compiled where its process does. */
export function threadEnv(): Record<string, string> {
  const folder = getCompileCacheDir()
  // Node names a folder of its version inside the one that it was given.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
