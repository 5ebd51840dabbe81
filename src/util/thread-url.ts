/** The URL of a worker thread's file beside the module at `here`: TypeScript in the sources, JavaScript in the bundle. */
export function threadUrl(name: string, here: string): URL {
  return new URL(`./${name}.${here.endsWith('.ts') ? 'ts' : 'js'}`, here)
}

/**
 * The environment of a thread: none of ours, but it keeps compiled code where its process does. That folder is one of
 * Node's version inside the one that Node is given.
 */
export const threadEnv = (compiled: string | undefined): Record<string, string> =>
  compiled === undefined ? {} : { NODE_COMPILE_CACHE: `${compiled}/..` }
