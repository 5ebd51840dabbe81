import { readdir, readFile } from 'node:fs/promises'
import { once } from '../util/async.ts'

/** Dashboard files by name; all names except the page's contain a hash of the content. */
export type Assets = ReadonlyMap<string, string>

const isBundle = !import.meta.url.endsWith('.ts')
/** A bundle reads built files; a program that runs from sources builds them on first use. */
const made = once(async () => (await import('./bundle-web.ts')).bundleWeb())

export const loadAssets = once(async (): Promise<Assets> => {
  if (!isBundle) return (await made()).dashboard
  const folder = new URL('./dashboard/', import.meta.url)
  const names = await readdir(folder)
  const texts = names.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const)
  return new Map(await Promise.all(texts))
})

/** Returns a page with its script and styles inlined. */
export const loadPage = async (name: 'live-view-page.html' | 'mcp-app-page.html'): Promise<string> =>
  isBundle ? readFile(new URL(`./${name}`, import.meta.url), 'utf8') : ((await made()).documents.get(name) ?? '')
