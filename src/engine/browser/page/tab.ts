import type { Session } from '../cdp/cdp-session.ts'
import { createKeyboard, createMouse, type Pace, type Point } from '../input/mouse-and-keyboard.ts'
import { createTabFrames, type FrameOptions, type TabFrames } from '../acts/tab-frames.ts'
import { createWorld, evaluate, type World } from '../world/isolated-world.ts'
import { type Traffic, watchTraffic } from './traffic.ts'

/** The document of an earlier request prevents a reused page from navigating. */
export class StalePageError extends Error {
  override readonly name = 'StalePageError'
}

/** State of a page that several requests use one after the other. */
type PageReuse = {
  readonly isSetUp: boolean
  /** Runs work once for all requests of the context; later requests get the first result. */
  once<T>(work: () => Promise<T>): Promise<T>
  discard(): void
}

/** One page of a context, with its session, its input and its observed network traffic. */
export type Tab = World & {
  readonly session: Session
  readonly targetId: string
  readonly contextId: string
  readonly traffic: Traffic
  /** URLs of the windows that the page has tried to open; each window is closed immediately. */
  readonly windows: { urls(): readonly string[] }
  readonly mouse: ReturnType<typeof createMouse>
  readonly keyboard: ReturnType<typeof createKeyboard>
  readonly frames: TabFrames
  readonly memory: ActMemory
  /** Callbacks that receive the position of actions. */
  readonly watch: { aimed?: ((ref: number) => void) | undefined; pointed?: ((at: Point) => void) | undefined }
  /** Undefined for a page of a single request. */
  readonly reuse?: PageReuse
  /** Evaluates an expression in the world of the page's own scripts. */
  evaluate<T>(expression: string, signal?: AbortSignal): Promise<T>
}

export type ActMemory = {
  hide?: <T>(answer: T) => T
  nextRef: number
  /** Remarks on the running action: the element chosen by a partial match, the element that received a press. */
  readonly remarks: string[]
  /** True if the running action has sent input that may have an effect. */
  hasActed?: boolean
  /** Page position of the last picture, and its pixels per CSS pixel. */
  picture?: { x: number; y: number; scale: number }
}
export type TabOptions = FrameOptions & {
  contextId: string
  pace?: Pace | undefined
}

export function createTab(session: Session, targetId: string, options: TabOptions): Tab {
  const { contextId, pace = 'machine' } = options
  const keyboard = createKeyboard(session, pace)
  const world = createWorld(session, targetId)
  const traffic = watchTraffic(session, targetId)
  return {
    session,
    targetId,
    contextId,
    mouse: createMouse(session, { pace }),
    keyboard,
    traffic,
    frames: createTabFrames({ id: targetId, session, world, traffic }, options),
    memory: { nextRef: 1, remarks: [] },
    watch: {},
    windows: watchWindows(session),
    evaluate: (expression, signal) => evaluate(session, expression, signal),
    ...world,
  }
}

/** Accepts every dialog, because an open one blocks the page and all calls. Returns a function that stops this. */
export function acceptDialogs(session: Session): () => void {
  return session.on('Page.javascriptDialogOpening', ({ defaultPrompt }) => {
    const promptText = defaultPrompt === undefined ? {} : { promptText: defaultPrompt }
    session.send('Page.handleJavaScriptDialog', { accept: true, ...promptText }).catch(() => undefined)
  })
}

const maxWindows = 1000

function watchWindows(session: Session): Tab['windows'] {
  const urls: string[] = []
  session.on('Page.windowOpen', ({ url }) => {
    if (urls.length < maxWindows) urls.push(url)
  })
  return { urls: () => [...urls] }
}
