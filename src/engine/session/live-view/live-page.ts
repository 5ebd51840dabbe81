import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { once } from '../../../util/lazy.ts'

export type LivePage = { html: string; contentSecurityPolicy: string }

/** The page's HTML: a file beside the bundle; built from the sources on first use otherwise. */
const document = once(async () => {
  const isBundle = !import.meta.url.endsWith('.ts')
  if (isBundle) return readFile(new URL('./live-view.html', import.meta.url), 'utf8')
  return (await import('./page/bundle-page.ts')).bundlePage('readable')
})

/**
 * The live view as one self-contained document; it opens its WebSocket at `<its own path>/ws`. Its Content-Security-Policy
 * lets nothing else run, load or connect. `framedBy` are the origins that may frame it, by default pages of the
 * service itself.
 */
export async function livePage(framedBy: readonly string[] = ["'self'"]): Promise<LivePage> {
  const html = await document()
  const hashOf = (tag: 'script' | 'style') => {
    const text = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? ''
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  }
  const policy = {
    'default-src': "'none'",
    'script-src': hashOf('script'),
    'style-src': hashOf('style'),
    'img-src': 'blob: data:',
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': framedBy.join(' '),
  }
  const contentSecurityPolicy = Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
  return { html, contentSecurityPolicy }
}
