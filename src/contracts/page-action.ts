/** Something of the page: a ref of a snapshot (`e12`), or what it says: `button "Save"`, `Email`. */
export type Target = string

/** A file for a file field. */
export type UploadFile = { name: string; base64: string }

/** `top` and `end` are of the page, or of what is scrolled in it. */
export type ScrollDirection = 'up' | 'down' | 'top' | 'end'

/** What can be done in a page. Times are in ms, at most 30,000. */
export type SessionAction =
  | { type: 'click'; target: Target; button?: 'left' | 'right' | 'middle' | undefined }
  | { type: 'doubleClick'; target: Target }
  | { type: 'hover'; target: Target }
  | { type: 'drag'; target: Target; to: Target }
  /** Takes the place of what is in the field. Dates as yyyy-mm-dd, a range as its number. */
  | { type: 'fill'; target: Target; value: string }
  /** Adds to what has focus, or to the target. */
  | { type: 'type'; value: string; target?: Target | undefined }
  | { type: 'press'; key: string; target?: Target | undefined; times?: number | undefined }
  /** Options by value or by what they say; also of a list made by the page. */
  | { type: 'select'; target: Target; options: readonly string[] }
  | { type: 'check'; target: Target; checked?: boolean | undefined }
  | { type: 'uncheck'; target: Target }
  | { type: 'upload'; target: Target; files: readonly UploadFile[] }
  /** To a target; or in a direction, inside of the target if both are given; `screens` below 0 turn it round. */
  | {
      type: 'scroll'
      target?: Target | undefined
      direction?: ScrollDirection | undefined
      screens?: number | undefined
      /** Until this text is in view, also where it is yet to load. */
      until?: string | undefined
    }
  /** All that is given has to come true. */
  | {
      type: 'wait'
      text?: string | undefined
      gone?: string | undefined
      milliseconds?: number | undefined
      timeoutMs?: number | undefined
    }
  | { type: 'navigate'; url: string }
  | { type: 'back' }
  | { type: 'forward' }
  | { type: 'reload' }
  | { type: 'tab'; do: 'list' | 'open' | 'switch' | 'close'; tab?: string | undefined; url?: string | undefined }
  /** Answers the dialog that is open, or else the next one. */
  | { type: 'dialog'; accept: boolean; value?: string | undefined }
  | {
      type: 'extract'
      target?: Target | undefined
      as: 'text' | 'markdown' | 'rows'
      maxCharacters?: number | undefined
      from?: number | undefined
    }
  /** Of what is in view, of an element, or of the whole page. */
  | { type: 'screenshot'; target?: Target | undefined; fullPage?: boolean | undefined; maxSide?: number | undefined }
  /** What failed since the last look; or the requests whose URL contains a text; or all of one request (`r3`). */
  | { type: 'network'; target?: string | undefined; text?: string | undefined }
  /** What the page wrote to its console since the last look. */
  | { type: 'console' }

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
