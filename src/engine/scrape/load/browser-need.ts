import type { PageContent, UnfilledPart } from '../../../contracts/page-content.ts'
import type { BrowserNeed } from '../../../contracts/scrape-step.ts'
import { AppError } from '../../../kernel/error.ts'
import { DeadlineError } from '../../../util/async.ts'
import { type LoadedPage, sizeOf } from './loaded-page.ts'

/**
 * Why a browser reads a page that plain HTTP has brought: a bot challenge, an empty shell, or a part that is missing. That
 * scripts are to see the place that was asked for is found elsewhere.
 */
export function browserNeedOf({ challenge, content, response }: LoadedPage): BrowserNeed | undefined {
  if (challenge) return 'challenge'
  // A browser would only be sent there, and be refused.
  if (response.faults?.includes('refresh refused')) return undefined
  if (content.needsBrowser) return 'shell'
  return content.unfilled && response.status < 400 ? 'unfilled' : undefined
}

/** Whether what the browser brought takes the place of what plain HTTP did. */
export function isBetter(rendered: LoadedPage, plain: LoadedPage, need: BrowserNeed): boolean {
  if (need === 'challenge') return true
  if (need === 'shell') return sizeOf(rendered) > sizeOf(plain)
  const isPage = !rendered.challenge && rendered.response.status < 400
  return isPage && sizeOf(rendered) > sizeOf(plain) / 2
}

/** Whether the browser has filled what was missing, at least in part. */
export const isFilled = (rendered: LoadedPage, plain: LoadedPage): boolean =>
  !rendered.content.unfilled || sizeOf(rendered) > sizeOf(plain)

const shown: Record<UnfilledPart, string> = {
  'loading message': 'a message that content is loading',
  placeholders: 'placeholder boxes',
  'empty list': 'an empty container for a list',
  template: 'a template that scripts fill',
}

/** What seems to be missing from a page that no browser has read. */
export const unfilledText = ({ unfilled }: PageContent): string | undefined =>
  unfilled &&
  `Part of this page seems to be missing: in its place, the HTML has ${unfilled.map((part) => shown[part]).join(' and ')}.`

const shellText = 'Most of this page seems to be missing: it is built by scripts in a browser.'
const noBrowser = 'No headless browser is installed that could load it; see `gossamer browser install`.'

/** The same with the reason: what the browser failed with, if it failed. */
export function missingText({ content }: LoadedPage, need: BrowserNeed, failed: unknown): string | undefined {
  const isShell = need === 'shell' && failed !== undefined && content.markdown?.trim()
  const what = need === 'unfilled' ? unfilledText(content) : isShell ? shellText : undefined
  if (what === undefined || failed === undefined) return what
  return `${what} ${reasonOf(failed)}`
}

function reasonOf(failed: unknown): string {
  if (failed instanceof DeadlineError) return 'The browser that was to load it took too long.'
  const code = failed instanceof AppError ? failed.code : 'UNKNOWN_ERROR'
  return code === 'BROWSER_UNAVAILABLE' ? noBrowser : `The browser that was to load it failed (${code}).`
}
