import type { Action, Acts } from '../schema/page-actions.ts'
import type { Document } from '../schema/scrape/document.ts'
import type { PageResponse, ProxyKind } from './fetch.ts'
import type { z } from 'zod'

/** An action in a page. Times are in ms, at most 30,000; `maxSide` of a screenshot is in pixels of the picture. */
export type SessionAction = Exclude<Act, Kind<'screenshot'>> | (Kind<'screenshot'> & { maxSide?: number | undefined })
type Act = z.output<typeof Acts>[number]
type Kind<T extends Act['type']> = Extract<Act, { type: T }>
/** Something of the page: a ref of a snapshot (`e12`), or what it says: `button "Save"`, `Email`. */
export type Target = Kind<'click'>['target']
/** `top` and `end` are of the page, or of what is scrolled in it. */
export type ScrollDirection = NonNullable<Kind<'scroll'>['direction']>

type SessionFile = { id: string; name: string; mediaType: string; size: number }

export type ActionsResult = {
  ok: boolean
  /** How many acts were done. */
  done: number
  url: string
  title: string
  /** All of it as text for a model; untrusted where it quotes the page. */
  text: string
  extracted: readonly string[]
  /** Data URLs. */
  screenshots?: readonly string[] | undefined
  /** What was downloaded, as long as the session lasts. */
  files?: readonly SessionFile[] | undefined
  /** What on the page only a person can do, told once. */
  wants?: 'captcha' | 'login' | undefined
}

export type SnapshotOptions = {
  /** Only the places where this text stands. */
  find?: string | undefined
  /** Only what is in this element: `e12`. */
  scope?: string | undefined
  interactiveOnly?: boolean | undefined
  /** Also text that nobody sees, marked as hidden. */
  showHidden?: boolean | undefined
  maxCharacters?: number | undefined
}
export type Snapshot = {
  /** Untrusted text of the page, one line an element. */
  text: string
  url: string
  title: string
  /** The ref is of a page or an element that is gone; the text says what to do. */
  isStale?: true
}

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
