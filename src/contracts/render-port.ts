import type { Action, Acts } from '../schema/page-actions.ts'
import type { Document } from '../schema/scrape/document.ts'
import type { PageResponse, ProxyKind } from './fetch.ts'
import type { z } from 'zod'

/** An action in a page. Times are in ms, at most 30,000; `maxSide` of a screenshot is in pixels of the picture. */
export type SessionAction =
  | Exclude<Act, Kind<'screenshot'>>
  | (Kind<'screenshot'> & { maxSide?: number | undefined })
  // The page that the call opens first; it is not one of the caller's acts.
  | (Kind<'navigate'> & { isFirst: true })
type Act = z.output<typeof Acts>[number]
type Kind<T extends Act['type']> = Extract<Act, { type: T }>
/** An element of the page: a ref of a snapshot (`e12`), or its role and text: `button "Save"`, `Email`. */
export type Target = Kind<'click'>['target']
/** `top` and `end` refer to the page, or to the element that is scrolled. */
export type ScrollDirection = NonNullable<Kind<'scroll'>['direction']>

export type ActionsResult = {
  ok: boolean
  /** Number of acts performed. */
  done: number
  url: string
  title: string
  /** All results as text for a model; untrusted if it quotes the page. */
  text: string
  extracted: readonly string[]
  /** Data URLs. */
  screenshots?: readonly string[] | undefined
  /** Downloaded files, available until the session ends. */
  files?: readonly { id: string; name: string; mediaType: string; size: number }[] | undefined
  /** A task on the page that only a person can do, reported once. */
  wants?: 'captcha' | 'login' | undefined
}

export type SnapshotOptions = {
  /** Returns only the places that contain this text. */
  find?: string | undefined
  /** Returns only the content of this element: `e12`. */
  scope?: string | undefined
  interactiveOnly?: boolean | undefined
  /** Includes text that is not visible, marked as hidden. */
  showHidden?: boolean | undefined
  maxCharacters?: number | undefined
}
export type Snapshot = {
  /** Untrusted text of the page, one line per element. */
  text: string
  url: string
  title: string
  /** The ref belongs to a page or element that is gone; the text explains what to do. */
  isStale?: true
}

export type Viewport = { width: number; height: number }
export type Shot = {
  fullPage: boolean
  /** JPEG quality; PNG if absent. */
  quality?: number | undefined
  viewport?: Viewport | undefined
  /**
   * Maximum device pixels per side, for clients that fail on larger pictures: a longer page is cut, a wider one
   * scaled down.
   */
  maxSide?: number | undefined
}

/** One action of a scrape. */
export type PageAction = Action

/** Results of the actions, each kind in the order of the actions. Pictures and PDFs are data URLs. */
export type ActionResults = NonNullable<Document['actions']>

/** Identity of the browser, and its actions on a page. */
export type RenderOptions = {
  mobile: boolean
  /** Emulated location of the visitor; undefined: that of the machine. */
  location: { country: string; languages?: readonly string[] | undefined } | undefined
  blockAds: boolean
  /** Wait after the page has settled, ms. */
  waitForMs: number
  actions: readonly PageAction[]
  screenshot: Shot | undefined
  wantsBranding: boolean
  profile: { name: string; saveChanges: boolean } | undefined
  /**
   * Visits with the same key share one browser context, with its cookies and cache, and reuse its pages: one crawl,
   * or one read-only profile.
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

/** Parts that only a live page has. */
export type LiveParts = {
  /** Data URL. */
  screenshot?: string
  branding?: Record<string, unknown>
  actions?: ActionResults
}

/** The page in its final state: its HTML in UTF-8, or the file that the address led to. */
export type RenderedPage = PageResponse & { live: LiveParts; warning?: string }

/**
 * Visits a page with a browser. Fails with BROWSER_UNAVAILABLE, SCRAPE_ACTION_ERROR, SCRAPE_PROXY_SELECTION_ERROR,
 * PROFILE_IN_USE, and the SCRAPE_* errors of the network. A 4xx or 5xx response of the target is a page.
 */
export type RenderPage = (request: RenderRequest) => Promise<RenderedPage>
