import type { z } from 'zod'
import type { Acts } from '../schema/page-actions.ts'

/** An action in a page. Times are in ms, at most 30,000; `maxSide` of a screenshot is in pixels of the picture. */
export type SessionAction = Exclude<Act, Kind<'screenshot'>> | (Kind<'screenshot'> & { maxSide?: number | undefined })
type Act = z.output<typeof Acts>[number]
type Kind<T extends Act['type']> = Extract<Act, { type: T }>
/** Something of the page: a ref of a snapshot (`e12`), or what it says: `button "Save"`, `Email`. */
export type Target = Kind<'click'>['target']
/** `top` and `end` are of the page, or of what is scrolled in it. */
export type ScrollDirection = NonNullable<Kind<'scroll'>['direction']>

export type SessionFile = { id: string; name: string; mediaType: string; size: number }

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
