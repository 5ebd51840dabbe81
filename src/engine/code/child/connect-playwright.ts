import { rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as PlaywrightCore from 'playwright-core'
import type { Browser, BrowserContext, Frame, Page, Response } from 'playwright-core'
import type { CdpMessage } from '../../browser/cdp/cdp-wire.ts'
import { createFrames } from '../../../util/nul-frames.ts'
import { inOwnContext } from '../cdp-allowed.ts'

type Playwright = typeof PlaywrightCore
export type Scope = { page: Page; context: BrowserContext; browser: Browser }
/** A message of the browser. The message that ends a download includes the file in base64. */
export type BrowserMessage = { cdp: CdpMessage; file?: string }
type BrowserLink = ReturnType<typeof openLink>['link']
export type ConnectOptions = {
  actionTimeoutMs: number
  /** Target id of the page on which code starts. */
  pageId?: string | undefined
  /** Context id of the session in a shared browser. */
  contextId?: string | undefined
}

/**
 * Opens file descriptor 3. The browser's messages go to the link, all others to `take`; `left` is called when the other
 * end closes.
 */
export function openLink<M extends object>(take: (message: Partial<M>) => void, left: () => void) {
  const socket = new Socket({ fd: 3, readable: true, writable: true })
  let receive: ((message: CdpMessage) => void) | undefined
  const message = ({ cdp, file, ...rest }: Partial<BrowserMessage & M>) => {
    if (!cdp) return take(rest as Partial<M>)
    if (file !== undefined) storeFile(String(cdp.params?.['guid']), file)
    receive?.(cdp)
  }
  const frames = createFrames<BrowserMessage & M>(socket, { message, broken: () => process.exit(70) }, Infinity)
  socket.on('end', left).on('error', left)
  const link = {
    send: (cdp: CdpMessage) => frames.send({ cdp }),
    listen: (listener: NonNullable<typeof receive>) => void (receive = listener),
  }
  return { link, send: frames.send }
}

/** Folder where Playwright looks for downloads and writes its own files. */
const artifacts = '/tmp'

function storeFile(guid: string, base64: string): void {
  if (!/^[\w-]+$/.test(guid)) return
  const path = join(artifacts, guid)
  try {
    writeFileSync(path, base64, 'base64')
    process.on('exit', () => rmSync(path, { force: true }))
  } catch {
    // Most sandboxes have no writable file system, so Playwright does not find the file.
  }
}

export async function loadPlaywright(file: string): Promise<Playwright> {
  return ((await import(pathToFileURL(file).href)) as { playwright: Playwright }).playwright
}

/** Connects Playwright to the session's browser. Returns what code gets as `page`, `context` and `browser`. */
export async function connectPlaywright(
  { chromium }: Playwright,
  link: BrowserLink,
  { actionTimeoutMs, pageId, contextId }: ConnectOptions,
): Promise<Scope> {
  const browser = await chromium.connectOverCDP(transportOver(link, contextId), {
    // Leaves pages as the session has configured them, unless code requests a change.
    noDefaults: true,
    artifactsDir: artifacts,
  })
  const context = browser.contexts()[0]!
  context.setDefaultTimeout(actionTimeoutMs)
  keepOpen(browser, context)
  const page = await firstPage(context, pageId)
  refuseEmptyErrors(page)
  return { browser, context, page }
}

/** Makes `goto` fail for an error response without a body, as Chromium does; the headless shell shows an empty page. */
function refuseEmptyErrors(page: Page): void {
  const frame = Object.getPrototypeOf(page.mainFrame()) as Frame
  const { goto } = frame
  frame.goto = async function (url, options) {
    const response = await goto.call(this, url, options)
    const isError = response !== null && response.status() >= 400
    if (isError && (await isEmpty(response)))
      throw new Error(`page.goto: net::ERR_HTTP_RESPONSE_CODE_FAILURE at ${url}`)
    return response
  }
}

const isEmpty = async (response: Response): Promise<boolean> =>
  response.body().then(
    ({ length }) => length === 0,
    () => false,
  )

/** Calls that Playwright makes and that the session would refuse; they are answered here and have no effect. */
const ignored = new Set(['Browser.setDownloadBehavior', 'Page.setDownloadBehavior', 'Browser.close'])

/** Returns an empty success for an ignored call; undefined for all others. */
function localAnswer({ id, method = '', sessionId }: CdpMessage): CdpMessage | undefined {
  if (!ignored.has(method)) return undefined
  return { ...(id !== undefined && { id }), result: {}, ...(sessionId !== undefined && { sessionId }) }
}

function transportOver({ send, listen }: BrowserLink, contextId: string | undefined) {
  const transport: { onmessage?: (message: object) => void; send(message: CdpMessage): void; close(): void } = {
    send(message) {
      const answer = localAnswer(message)
      if (answer) receive(answer)
      else send(contextId === undefined ? message : inOwnContext(message, contextId))
    },
    close() {},
  }
  const isTooMuch = createLogLimit()
  const receive = (message: CdpMessage) => {
    // Playwright relies on a separate macrotask per message, as with its own transports.
    if (!isTooMuch(message)) setImmediate(() => transport.onmessage?.(message))
  }
  listen(receive)
  return transport
}

const maxLogBurst = 5000
const logsPerMs = 0.5

/** Drops console messages above a rate limit, because a page that logs endlessly would keep Playwright fully busy. */
function createLogLimit(): (message: CdpMessage) => boolean {
  let left = maxLogBurst
  let last = performance.now()
  let isReported = false
  return ({ method }) => {
    if (method !== 'Runtime.consoleAPICalled') return false
    const now = performance.now()
    left = Math.min(maxLogBurst, left + (now - last) * logsPerMs)
    last = now
    if (left >= 1) {
      left--
      return false
    }
    if (!isReported)
      process.stderr.write('[note] The page logs messages faster than they can be read: some are dropped.\n')
    isReported = true
    return true
  }
}

/** Disables closing, because the session outlives its code. New pages are opened in the existing context. */
function keepOpen(browser: Browser, context: BrowserContext): void {
  Object.assign(browser, { close: doNothing, newPage: () => context.newPage() })
  Object.assign(context, { close: doNothing })
}
const doNothing = async () => {}

async function firstPage(context: BrowserContext, pageId: string | undefined): Promise<Page> {
  const pages = context.pages()
  const idOf = async (page: Page) => {
    const session = await context.newCDPSession(page)
    const { targetInfo } = await session.send('Target.getTargetInfo')
    await session.detach()
    return targetInfo.targetId
  }
  const ids = pageId !== undefined && pages.length > 1 ? await Promise.all(pages.map(idOf)) : []
  return pages[ids.indexOf(pageId ?? '')] ?? pages.at(-1) ?? (await context.newPage())
}
