import type { Protocol } from 'devtools-protocol'
import type { Connection } from '../../browser/cdp/connection.ts'
import { createCore, type PageCore, type Timeouts } from './core.ts'
import { rejectUnknown } from './errors.ts'
import { createPage, type Page } from './page.ts'
import { createEmitter, type Emitter, eventMethods } from './emitter.ts'

export type ApiOptions = {
  /** The session's browser context; undefined = the default one. */
  contextId?: string | undefined
  /** Timeout of one action, ms. */
  timeoutMs: number
}
export type Context = {
  pages(): Page[]
  pageOf(targetId: string | undefined): Page | undefined
  newPage(): Promise<Page>
  closeTarget(targetId: string): Promise<void>
} & ReturnType<typeof cookieMethods>
export type Api = { browser: object; context: Context; setTimeout(ms: number): void }

/** Creates the objects by which code drives the browser, over a connection of its own. */
export async function createApi(connection: Connection, options: ApiOptions): Promise<Api> {
  const { browser: root } = connection
  const events = createEmitter()
  const timeouts: Timeouts = { action: options.timeoutMs, navigation: options.timeoutMs }
  const { product } = await root.send('Browser.getVersion', {})
  const { targetInfos } = await root.send('Target.getTargets', {})
  const contextId = options.contextId ?? targetInfos.find(({ type }) => type === 'page')?.browserContextId
  const open: OpenPages = new Map()

  function adopt(info: Protocol.Target.TargetInfo): void {
    if (info.type !== 'page' || open.has(info.targetId) || !isOurs(info, contextId)) return
    const core = createCore(() => connection.attach(info.targetId), info, timeouts)
    const page = createPage(core, () => context)
    open.set(info.targetId, { page, core })
    // Attaching keeps the page's URL up to date; nobody needs to wait for it.
    void core.session().catch(() => undefined)
    events.emit('page', page)
    open.get(info.openerId ?? '')?.core.events.emit('popup', page)
  }

  root.on('Target.targetCreated', ({ targetInfo }) => adopt(targetInfo))
  root.on('Target.targetDestroyed', ({ targetId }) => {
    const gone = open.get(targetId)
    open.delete(targetId)
    gone?.core.closed()
  })
  const setTimeouts = (ms: number) => void Object.assign(timeouts, { action: ms, navigation: ms })
  const context: Context = rejectUnknown('context', {
    ...pageMethods(connection, open, events, { ...options, timeouts }),
    ...cookieMethods(connection, options.contextId),
    ...eventMethods(events, () => timeouts.action),
    setDefaultTimeout: setTimeouts,
    setDefaultNavigationTimeout: (ms: number) => void Object.assign(timeouts, { navigation: ms }),
    browser: () => browser,
    close: refusedClose,
  })
  const browser = rejectUnknown('browser', {
    contexts: () => [context],
    version: () => product.replace(/^\w+\//, ''),
    isConnected: () => true,
    newPage: () => context.newPage(),
    close: refusedClose,
  })
  // Oldest first, as they are in Playwright.
  targetInfos.toReversed().forEach(adopt)
  await root.send('Target.setDiscoverTargets', { discover: true })
  await Promise.all(Array.from(open.values(), ({ core }) => core.session().catch(() => undefined)))
  return { browser, context, setTimeout: setTimeouts }
}

type OpenPages = Map<string, { page: Page; core: PageCore }>

function pageMethods(
  { browser: root }: Connection,
  open: OpenPages,
  events: Emitter,
  { contextId, timeouts }: Pick<ApiOptions, 'contextId'> & { timeouts: Timeouts },
) {
  const pages = () => Array.from(open.values(), ({ page }) => page)
  return {
    pages,
    /** The page of a target, once it is known. */
    pageOf: (targetId: string | undefined) => open.get(targetId ?? '')?.page,
    async newPage(): Promise<Page> {
      const where = contextId === undefined ? {} : { browserContextId: contextId }
      const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', ...where })
      while (!open.has(targetId)) await events.wait('page', timeouts.action)
      const { page, core } = open.get(targetId)!
      await core.session()
      return page
    },
    async closeTarget(targetId: string) {
      await root.send('Target.closeTarget', { targetId })
      await open.get(targetId)?.core.events.wait('close', timeouts.action)
    },
    async addInitScript(script: string | (() => unknown), argument?: unknown) {
      for (const page of pages()) await page.addInitScript(script, argument)
      events.on('page', (page: Page) => void page.addInitScript(script, argument))
    },
  }
}

const isOurs = ({ browserContextId }: Protocol.Target.TargetInfo, contextId: string | undefined) =>
  contextId === undefined || browserContextId === undefined || browserContextId === contextId

/** The session belongs to whoever opened it, not to the code in it. */
const refusedClose = async () => {}

function cookieMethods({ browser }: Connection, contextId: string | undefined) {
  const where = contextId === undefined ? {} : { browserContextId: contextId }
  return {
    async cookies(urls: string | readonly string[] = []) {
      const { cookies } = await browser.send('Storage.getCookies', where)
      const wanted = [urls].flat().map((url) => new URL(url as string))
      const fits = ({ domain, path }: { domain: string; path: string }) =>
        wanted.some(
          ({ hostname, pathname }) =>
            `.${hostname}`.endsWith(`.${domain.replace(/^\./, '')}`) && pathname.startsWith(path),
        )
      return wanted.length > 0 ? cookies.filter(fits) : cookies
    },
    async addCookies(cookies: readonly Protocol.Network.CookieParam[]) {
      await browser.send('Storage.setCookies', { cookies: cookies.map(completed), ...where })
    },
    async clearCookies() {
      await browser.send('Storage.clearCookies', where)
    },
  }
}

/** Storage.setCookies takes no URL, only domain, path and scheme. */
function completed({ url, ...cookie }: Protocol.Network.CookieParam): Protocol.Network.CookieParam {
  if (url === undefined) return { path: '/', ...cookie }
  const { hostname, protocol } = new URL(url)
  return { domain: hostname, path: '/', secure: protocol === 'https:', ...cookie }
}
