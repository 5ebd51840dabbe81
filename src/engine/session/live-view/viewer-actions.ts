import { withDeadline } from '../../../util/async.ts'
import type { CdpMethod, CdpParams } from '../../browser/cdp/cdp-session.ts'
import { frameAt } from '../../browser/acts/call-page.ts'
import {
  dispatchKey,
  dispatchMouse,
  findKey,
  type InputSender,
  type Point,
  withText,
} from '../../browser/input/mouse-and-keyboard.ts'
import type { ArgsOf, PageFunction } from '../../browser/world/isolated-world.ts'
import { networkError } from '../../browser/page/navigate.ts'
import { addressReader } from '../page/read-address.ts'
import { loadFaultForPeople } from '../page/text/remarks.ts'
import { maxBytes, setFiles, createFileUpload, maxFiles } from '../file-chooser.ts'
import type { AttendMessage, ViewerAction, ViewerActionOf } from './messages.ts'
import type { ViewerState } from './viewer.ts'
import type { WatchedTab } from './watched-tab.ts'

type ActionContext = {
  state: ViewerState
  tab: WatchedTab
  proxyErrorOf?: ((url: string) => unknown) | undefined
}
type TabAction = Exclude<ViewerAction, { type: 'newTab' | 'closeTab' | 'fit' } | AttendMessage>

/** Time limit in ms for a lookup in the page before an action; after it the action continues without a result. */
const lookMs = 1000
/** Limit of unacknowledged inputs of a blocked page; further input is dropped. */
const maxWaiting = 300
/** Actions that cannot reach a page while it shows a dialog. */
const needsPage: ReadonlySet<string> = new Set('mouse wheel tap key text compose paste copy choose'.split(' '))

/** Performs one action of a viewer. Errors of the browser are ignored, because the page may have navigated away. */
export async function perform(context: ActionContext, message: TabAction): Promise<void> {
  const { state, tab } = context
  if (needsPage.has(message.type) && (tab.dialog() || state.pendingInputs > maxWaiting)) return
  await (handlers[message.type] as (context: ActionContext, message: TabAction) => unknown)(context, message)
}

const handlers: { [T in TabAction['type']]: (context: ActionContext, message: ViewerActionOf<T>) => unknown } = {
  async mouse(context, message) {
    const { state } = context
    if (message.do === 'up' && state.swallowsRelease) return void (state.swallowsRelease = false)
    if (message.do === 'down') {
      state.swallowsRelease = message.button === 'left' && message.clicks === 1 && (await offersField(context, message))
      if (state.swallowsRelease) return
    }
    if (await sendAsDrag(context, message)) return
    const { x, y, button, buttons, clicks, mods } = message
    void dispatchMouse(inputOf(context), message.do, { x, y, button, buttons, clickCount: clicks, modifiers: mods })
  },
  wheel(context, { x, y, dx, dy, mods }) {
    void dispatchMouse(inputOf(context), 'wheel', { x, y, deltaX: dx, deltaY: dy, modifiers: mods })
  },
  async tap(context, { x, y, button, clicks }) {
    if (button === 'left' && clicks <= 1 && (await offersField(context, { x, y }))) return
    const input = inputOf(context)
    const press = { x, y, button, clickCount: Math.max(1, clicks) }
    void dispatchMouse(input, 'move', { x, y })
    void dispatchMouse(input, 'down', { ...press, buttons: button === 'left' ? 1 : 2 })
    const released = dispatchMouse(input, 'up', press)
    void released.then(() => sendKeyboardMode(context))
  },
  async key(context, message) {
    if (opensPopup(message) && (await offersField(context, null))) return
    const { key, code, vk, mods, place, repeat } = message
    dispatchKey(inputOf(context), message.do, withText({ key, code, windowsVirtualKeyCode: vk }), mods, {
      place,
      repeat,
    })
  },
  text: (context, { text }) => void send(context, 'Input.insertText', { text }),
  compose(context, { text }) {
    send(context, 'Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  },
  async paste(context, { text }) {
    const isTaken = await callFocused(context, 'pasteText', [text]).catch(() => false)
    if (!isTaken) send(context, 'Input.insertText', { text })
  },
  async copy(context, { how }) {
    const text = await callFocused(context, 'selectedText', []).catch(() => '')
    if (text) context.state.viewer.send({ type: 'copied', text })
    const { key, modifiers } = findKey(how === 'copy' ? 'Control+c' : 'Control+x')!
    for (const action of ['down', 'up'] as const) dispatchKey(inputOf(context), action, key, modifiers)
  },
  async open(context, { address }) {
    const url = await webUrl(address)
    if (url === undefined) return notify(context, 'Only http and https URLs can be opened.')
    void navigate(context, url).catch(() => undefined)
  },
  async go(context, { where }) {
    if (where === 'reload') return void send(context, 'Page.reload', {})
    if (where === 'stop') return void send(context, 'Page.stopLoading', {})
    const { currentIndex, entries } = await context.tab.session.send('Page.getNavigationHistory', {})
    const entry = entries[currentIndex + (where === 'back' ? -1 : 1)]
    if (entry) send(context, 'Page.navigateToHistoryEntry', { entryId: entry.id })
  },
  dialog({ tab }, { accept, text }) {
    const promptText = text === undefined ? {} : { promptText: text }
    void tab.session.send('Page.handleJavaScriptDialog', { accept, ...promptText }).catch(() => undefined)
  },
  async choose(context, { value }) {
    const { fieldFrame } = context.state
    const set = (signal: AbortSignal) => fieldFrame!.frame.world.call('setPopupField', [value], signal)
    const isSet = fieldFrame && (await within(context.state, set).catch(() => false))
    if (!isSet) notify(context, 'The field did not accept that value.')
  },
  async files(context, { files }) {
    const { state } = context
    state.upload = undefined
    if (!state.chooser) return
    if (files.length === 0) return void (state.chooser = undefined)
    state.upload = createFileUpload(files, state.chooser)
    if (!state.upload) return notify(context, `At most ${maxFiles} files, ${maxBytes / 1_000_000} MB in all.`)
    if (state.upload.isComplete()) await deliverFiles(context)
  },
}

export async function receiveFileBytes(context: ActionContext, chunk: Uint8Array): Promise<void> {
  const { state } = context
  if (!state.upload) return
  if (!state.upload.take(chunk)) state.upload = state.chooser = undefined
  else if (state.upload.isComplete()) await deliverFiles(context)
}

async function deliverFiles(context: ActionContext): Promise<void> {
  const { state } = context
  const { chooser, upload } = state
  state.chooser = state.upload = undefined
  if (!chooser || !upload) return
  const { session, backendNodeId } = chooser
  await setFiles(session, { backendNodeId }, upload.files()).catch(() =>
    notify(context, 'The page did not accept the files.'),
  )
}

/** Sends a mouse event as a drag event. Returns false if nothing is being dragged. */
async function sendAsDrag(context: ActionContext, { do: how, x, y, button, mods }: ViewerActionOf<'mouse'>) {
  const { state, tab } = context
  if (how === 'down') {
    if (button === 'left') tab.drags.catch('on')
    return false
  }
  if (!tab.drags.isOn()) return false
  // The browser reports a drag before it acknowledges the mouse move that started it.
  await withDeadline({ step: 'wait for the page', ms: lookMs }, undefined, () => state.lastInput).catch(() => undefined)
  const over = tab.drags.next('move')
  if (over) void send(context, 'Input.dispatchDragEvent', { ...over, x, y, modifiers: mods })
  if (how === 'move') return over !== undefined
  const drop = tab.drags.next('drop')
  if (drop) void send(context, 'Input.dispatchDragEvent', { ...drop, x, y, modifiers: mods })
  tab.drags.catch('off')
  return drop !== undefined
}

const notify = ({ state }: ActionContext, text: string) => state.viewer.send({ type: 'notice', text })

async function navigate(context: ActionContext, url: string): Promise<void> {
  const { errorText, isDownload } = await context.tab.session.send('Page.navigate', { url })
  if (!errorText || isDownload || errorText === 'net::ERR_ABORTED') return
  notify(context, loadFaultForPeople(context.proxyErrorOf?.(url) ?? networkError(errorText)))
}

/** Returns true if the point is on a field whose popup the viewer draws itself. */
async function offersField({ state, tab }: ActionContext, at: Point | null): Promise<boolean> {
  const field = await within(state, async (signal) => {
    const place = await frameAt(tab.page, at && { x: at.x, y: at.y }, signal)
    const { frame, from } = place
    const found = await frame.world.call('openPopupField', [at && { x: at.x - from.x, y: at.y - from.y }], signal)
    if (!found) return null
    state.fieldFrame = place
    return { ...found, box: { ...found.box, x: found.box.x + from.x, y: found.box.y + from.y } }
  }).catch(() => null)
  if (field) state.viewer.send({ type: 'field', field })
  return field !== null
}

async function sendKeyboardMode(context: ActionContext): Promise<void> {
  const mode = await callFocused(context, 'keyboardMode', []).catch(() => null)
  context.state.viewer.send({ type: 'keyboard', mode: mode ?? undefined })
}

const callFocused = <N extends PageFunction>({ state, tab }: ActionContext, name: N, args: ArgsOf<N>) =>
  within(state, async (signal) => (await frameAt(tab.page, null, signal)).frame.world.call(name, args, signal))

function within<T>({ lastInput }: ViewerState, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withDeadline({ step: 'look at the page', ms: lookMs }, undefined, async (signal) => {
    // Input and script calls reach the page by different routes, so their order is not guaranteed.
    await lastInput
    signal.throwIfAborted()
    return work(signal)
  })
}

const inputOf = (context: ActionContext): InputSender => ({ send: (method, params) => send(context, method, params) })

/** Sends in order without waiting; resolves when the page has processed the input. */
function send<M extends CdpMethod>({ state, tab }: ActionContext, method: M, params: CdpParams<M>) {
  state.pendingInputs += 1
  const answered = tab.session
    .send(method, params)
    .catch(() => undefined)
    .finally(() => (state.pendingInputs -= 1))
  state.lastInput = answered
  return answered
}

/** Parses the text of the address bar. Undefined if it is not an http or https URL or about:blank. */
export async function webUrl(typed: string): Promise<string | undefined> {
  const url = /[\s\\]/.test(typed.trim()) ? undefined : (await addressReader())(typed, undefined)
  return url && /^(?:https?:|about:blank$)/.test(url.href) ? url.href : undefined
}

export function opensPopup({ do: does, key, mods, repeat }: ViewerActionOf<'key'>): boolean {
  if (does !== 'down' || repeat) return false
  return (key === ' ' && mods === 0) || key === 'F4' || (mods === 1 && /^Arrow(?:Up|Down)$/.test(key))
}
