/** The file of a thread beside the module at `here`: TypeScript in the sources, JavaScript in the bundle. */
export function threadUrl(name: string, here: string): URL {
  return new URL(`./${name}.${here.endsWith('.ts') ? 'ts' : 'js'}`, here)
}
