import { readdir, readFile } from 'node:fs/promises'
import { once } from '../../util/lazy.ts'
import type { Assets } from './page/bundle-page.ts'

/** A folder beside the bundle; built from the sources on first use otherwise. */
export const loadAssets = once(async (): Promise<Assets> => {
  const isBundle = !import.meta.url.endsWith('.ts')
  if (!isBundle) {
    const { bundleDashboard } = await import('./page/bundle-page.ts')
    return (await bundleDashboard('readable')).assets
  }
  const folder = new URL('./dashboard/', import.meta.url)
  const names = await readdir(folder)
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const)),
  )
})

const mediaTypes: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }

export function answerAsset(assets: Assets, name: string): Response | undefined {
  const text = assets.get(name)
  const mediaType = mediaTypes[name.split('.').at(-1) ?? '']
  if (text === undefined || mediaType === undefined) return undefined
  return new Response(text, {
    headers: {
      'content-type': `${mediaType}; charset=utf-8`,
      'cache-control': 'public, max-age=31536000, immutable',
    },
  })
}
