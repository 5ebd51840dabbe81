import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { once } from '../../../util/lazy.ts'

export type LivePage = { html: string; contentSecurityPolicy: string }

/** The document that shows a session: a file beside the bundle; from the sources it is bundled at first use. */
const document = once(async () => {
  const isBundle = !import.meta.url.endsWith('.ts')
  if (isBundle) return readFile(new URL('./live-view.html', import.meta.url), 'utf8')
  return (await import('./page/bundle-page.ts')).bundlePage('readable')
})

/**
 * One document with everything in it; it opens its socket at `<its own path>/ws`. Its policy lets nothing else run, load or
 * connect. Other pages may frame it only when they are named, as CSP has it: `https://chat.example`.
 */
export async function livePage(framedBy: readonly string[] = []): Promise<LivePage> {
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
    'frame-ancestors': framedBy.length > 0 ? framedBy.join(' ') : "'none'",
  }
  const contentSecurityPolicy = Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
  return { html, contentSecurityPolicy }
}
