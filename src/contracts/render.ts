import type { Action } from '../schema/scrape/actions.ts'
import type { Document } from '../schema/scrape/document.ts'
import type { PageResponse, ProxyKind } from './fetch.ts'

export type Viewport = { width: number; height: number }
export type Shot = {
  fullPage: boolean
  /** JPEG quality; PNG when absent. */
  quality?: number | undefined
  viewport?: Viewport | undefined
  /** Most device pixels of a side, for clients that break on larger pictures: a longer page is cut, a wider one made smaller. */
  maxSide?: number | undefined
}

/** One step in a page, in the words of the contract. */
export type PageAction = Action

/** What the steps made, each kind in the order of its steps. Pictures and PDFs are data URLs. */
export type ActionResults = NonNullable<Document['actions']>

/** What a browser looks like from outside, and what it does on a page. */
export type RenderOptions = {
  mobile: boolean
  /** Where the visitor seems to be; undefined leaves the machine's own place. */
  location: { country: string; languages?: readonly string[] | undefined } | undefined
  blockAds: boolean
  /** Wait after the page has come to rest, ms. */
  waitForMs: number
  actions: readonly PageAction[]
  screenshot: Shot | undefined
  wantsBranding: boolean
  profile: { name: string; saveChanges: boolean } | undefined
  /**
   * Visits with the same key share one browser context, with its cookies and cache, and its pages are used again: one
   * crawl, or one profile that is only read.
   */
  reuse?: string | undefined
}

export type RenderRequest = RenderOptions & {
  url: string
  teamId: string
  headers: Readonly<Record<string, string>>
  skipTlsVerification: boolean
  proxy: ProxyKind
  /** Cap on the HTML of the page. */
  maxBytes: number
  signal: AbortSignal
}

/** What only a live page can give. */
export type LiveParts = {
  /** Data URL. */
  screenshot?: string
  branding?: Record<string, unknown>
  actions?: ActionResults
}

/** The page as it stood in the end: its HTML in UTF-8, or the file that the address led to. */
export type RenderedPage = PageResponse & { live: LiveParts; warning?: string }

/**
 * Visits a page with a browser. Fails with BROWSER_UNAVAILABLE, SCRAPE_ACTION_ERROR, SCRAPE_PROXY_SELECTION_ERROR,
 * PROFILE_IN_USE, and with the SCRAPE_* errors of the network. A 4xx or 5xx answer of the target is a page.
 */
export type RenderPage = (request: RenderRequest) => Promise<RenderedPage>
