import { CdpError } from '../../browser/cdp/error.ts'
import type { Session } from '../../browser/cdp/session.ts'
import type { LoadState, PageCore } from './core.ts'
import { TimeoutError } from './errors.ts'
import { poll, type TimeLimit } from './target.ts'

type GotoOptions = TimeLimit & { waitUntil?: LoadState; referer?: string }
type UrlMatch = string | RegExp | ((url: URL) => boolean)

/** Navigation of a page, named as in Playwright (https://playwright.dev/docs/api/class-page). */
export function createNavigation(core: PageCore) {
  const limit = ({ timeout }: TimeLimit = {}) => timeout ?? core.timeouts.navigation

  async function goto(url: string, options: GotoOptions = {}) {
    const { waitUntil = 'load', referer } = options
    if (!URL.canParse(url)) throw new Error(`page.goto: Cannot navigate to invalid URL: "${url}"`)
    await withinLimit('page.goto', limit(options), `navigating to "${url}"`, async () => {
      const session = await core.session()
      const wish = { url, ...(referer && { referrer: referer }) }
      const { errorText, loaderId } = await session.send('Page.navigate', wish)
      if (errorText) throw new Error(`page.goto: ${errorText} at ${url}`)
      await core.reached(waitUntil, 0, loaderId)
    })
    return refuseEmptyError(await responseOf(core), url)
  }

  async function reload(options: GotoOptions = {}) {
    const session = await core.session()
    const committed = core.events.wait('framenavigated', limit(options))
    await Promise.all([committed, session.send('Page.reload', {})])
    await core.reached(options.waitUntil ?? 'load', limit(options))
    return responseOf(core)
  }

  async function move(by: 1 | -1, options: GotoOptions = {}) {
    const session = await core.session()
    const { currentIndex, entries } = await session.send('Page.getNavigationHistory', {})
    const entry = entries[currentIndex + by]
    if (!entry) return null
    const moved = core.events.wait('life', limit(options))
    await Promise.all([moved, session.send('Page.navigateToHistoryEntry', { entryId: entry.id })])
    await poll(`page.${by < 0 ? 'goBack' : 'goForward'}`, limit(options), async () =>
      (await hasMoved(core, session, currentIndex)) ? { found: true } : { why: 'the page has not moved' },
    )
    await core.reached(options.waitUntil ?? 'load', limit(options))
    return responseOf(core)
  }

  return {
    goto,
    reload,
    goBack: (options?: GotoOptions) => move(-1, options),
    goForward: (options?: GotoOptions) => move(1, options),
    async waitForLoadState(state: LoadState = 'load', options: TimeLimit = {}) {
      await core.reached(state, limit(options)).catch(named('page.waitForLoadState'))
    },
    async waitForURL(url: UrlMatch, options: GotoOptions = {}) {
      await poll('page.waitForURL', limit(options), async () =>
        (await isAt(core, url)) ? { found: true } : { why: `waiting for navigation to "${String(url)}"` },
      )
      await core.reached(options.waitUntil ?? 'load', limit(options))
    },
    async waitForNavigation(options: GotoOptions = {}) {
      await core.events.wait('framenavigated', limit(options))
      await core.reached(options.waitUntil ?? 'load', limit(options))
      return responseOf(core)
    },
  }
}

/** The history moves first; the page has arrived once its own events say so. */
async function hasMoved(core: PageCore, session: Session, from: number): Promise<boolean> {
  // A page that returns from the back/forward cache is detached for a moment.
  const now = await session.send('Page.getNavigationHistory', {}).catch(unlessGone)
  return now !== undefined && now.currentIndex !== from && core.url() === now.entries[now.currentIndex]?.url
}

function unlessGone(thrown: unknown): undefined {
  if (thrown instanceof CdpError && thrown.why === 'refused') return undefined
  throw thrown
}

const named = (name: string) => (thrown: unknown) => {
  throw thrown instanceof TimeoutError ? new TimeoutError(`${name}: ${thrown.message}`) : thrown
}

async function withinLimit<T>(name: string, ms: number, doing: string, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    if (ms > 0)
      timer = setTimeout(
        () => reject(new TimeoutError(`${name}: Timeout ${ms}ms exceeded.\nCall log:\n  - ${doing}`)),
        ms,
      )
  })
  return Promise.race([work(), late]).finally(() => clearTimeout(timer))
}

/** The part of the response that the page itself knows: no headers, no body. */
async function responseOf(core: PageCore) {
  const session: Session = await core.session()
  const expression =
    "(({ responseStatus, decodedBodySize } = {}) => [responseStatus ?? 0, decodedBodySize ?? 0])(performance.getEntriesByType('navigation')[0])"
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true })
  const [status = 0, bodySize = 0] = [result.value].flat().map(Number)
  if (status === 0 && !core.url().startsWith('http')) return null
  return {
    status: () => status,
    ok: () => status === 0 || (status >= 200 && status < 300),
    url: () => core.url(),
    isErrorWithoutPage: status >= 400 && bodySize === 0,
  }
}

/** Chromium fails for such a response; its headless shell shows an empty page. */
function refuseEmptyError<R extends { isErrorWithoutPage: boolean } | null>(response: R, url: string): R {
  if (response?.isErrorWithoutPage) throw new Error(`page.goto: net::ERR_HTTP_RESPONSE_CODE_FAILURE at ${url}`)
  return response
}

/** The regular expression runs in the page, since it may never end. */
async function isAt(core: PageCore, wanted: UrlMatch): Promise<boolean> {
  const session = await core.session()
  if (typeof wanted === 'function') return wanted(new URL(core.url()))
  const { source, flags } = wanted instanceof RegExp ? wanted : globPattern(wanted, core.url())
  const expression = `new RegExp(${JSON.stringify(source)}, ${JSON.stringify(flags.replace(/[gy]/g, ''))}).test(location.href)`
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true })
  return result.value === true
}

/** Playwright's globs: `*` within a path segment, `**` across segments, a literal `?`, `{a,b}`. */
function globPattern(glob: string, base: string): { source: string; flags: string } {
  const isPlain = !/[*{]/.test(glob)
  const whole = isPlain && URL.canParse(glob, base) ? new URL(glob, base).href : glob
  const source = whole
    .replace(/[.+?^$()|[\]\\]/g, '\\$&')
    .replace(
      /\*\*\/?|\*|\{|\}|,/g,
      (sign) =>
        ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '{': '(?:', '}': ')', ',': isPlain ? ',' : '|' })[sign]!,
    )
  return { source: `^${source}$`, flags: '' }
}
