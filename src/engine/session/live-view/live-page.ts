import { createHash } from 'node:crypto'
import { loadPage } from '../../../web/web-assets.ts'

export type LivePage = { html: string; contentSecurityPolicy: string }

/**
 * The live view as one self-contained document; it opens its WebSocket at `<its own path>/ws`. Its Content-Security-Policy
 * lets nothing else run, load or connect. `framedBy` are the origins that may frame it, by default pages of the
 * service itself.
 */
export async function livePage(framedBy: readonly string[] = ["'self'"]): Promise<LivePage> {
  const html = await loadPage('live-view-page.html')
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
