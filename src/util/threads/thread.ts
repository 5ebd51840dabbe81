/** The URL of a worker thread's file beside the module at `here`: TypeScript in the sources, JavaScript in the bundle. */
export function threadUrl(name: string, here: string): URL {
  return new URL(`./${name}.${here.endsWith('.ts') ? 'ts' : 'js'}`, here)
}
