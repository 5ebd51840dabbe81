import { withDeadline } from '../../../util/deadline.ts'
import type { CdpMethods } from '../../browser/cdp/methods.ts'
import { dispatchMouse, type Point } from '../../browser/input/mouse.ts'
import type { InputSender } from '../../browser/input/pace.ts'
import type { ArgsOf, PageFunction } from '../../browser/world/page-script.ts'
import { createIntake, hand, mostBytes, mostFiles } from './file-chooser.ts'
import { keyEvent, opensPopup } from './keys.ts'
import type { Act, ActOf } from './messages.ts'
import type { Seat } from './viewers.ts'
import type { WatchedTab } from './watched-tab.ts'

/** Who does something, in which tab. */
type Doing = { seat: Seat; tab: WatchedTab }
export type TabAct = Exclude<Act, { type: 'newTab' | 'closeTab' }>

/** A page that does not answer for so long is used without asking. */
const lookMs = 1000
/** A page that stands still is sent no more than that. */
const mostWaiting = 300
/** What a page that shows a dialog cannot take. */
const standsStill = new Set<Act['type']>(['mouse', 'wheel', 'tap', 'key', 'text', 'compose', 'paste', 'copy', 'choose'])

/** Does it in turn. What the browser refuses is nobody's fault: the page may just have left. */
export async function perform(doing: Doing, said: TabAct): Promise<void> {
  const { seat, tab } = doing
  if (standsStill.has(said.type) && (tab.dialog() || seat.waiting > mostWaiting)) return
  await (acts[said.type] as (doing: Doing, said: TabAct) => unknown)(doing, said)
}

const acts: { [T in TabAct['type']]: (doing: Doing, said: ActOf<T>) => unknown } = {
  async mouse(doing, said) {
    const { seat } = doing
    if (said.do === 'up' && seat.swallowsRelease) return void (seat.swallowsRelease = false)
    if (said.do === 'down') {
      seat.swallowsRelease = said.button === 'left' && said.clicks === 1 && (await offersField(doing, said))
      if (seat.swallowsRelease) return
    }
    if (await isDragged(doing, said)) return
    const { x, y, button, buttons, clicks, mods } = said
    void dispatchMouse(inputOf(doing), said.do, { x, y, button, buttons, clickCount: clicks, modifiers: mods })
  },
  wheel(doing, { x, y, dx, dy, mods }) {
    void dispatchMouse(inputOf(doing), 'wheel', { x, y, deltaX: dx, deltaY: dy, modifiers: mods })
  },
  async tap(doing, { x, y, button, clicks }) {
    if (button === 'left' && clicks <= 1 && (await offersField(doing, { x, y }))) return
    const input = inputOf(doing)
    const press = { x, y, button, clickCount: Math.max(1, clicks) }
    void dispatchMouse(input, 'move', { x, y })
    void dispatchMouse(input, 'down', { ...press, buttons: button === 'left' ? 1 : 2 })
    const released = dispatchMouse(input, 'up', press)
    void released.then(() => tellKeyboard(doing))
  },
  async key(doing, said) {
    if (opensPopup(said) && (await offersField(doing, null))) return
    send(doing, 'Input.dispatchKeyEvent', keyEvent(said))
  },
  text: (doing, { text }) => void send(doing, 'Input.insertText', { text }),
  compose(doing, { text }) {
    send(doing, 'Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  },
  async paste(doing, { text }) {
    const isTaken = await asked(doing, 'pasteText', [text]).catch(() => false)
    if (!isTaken) send(doing, 'Input.insertText', { text })
  },
  async copy(doing, { how }) {
    const text = await asked(doing, 'selectedText', []).catch(() => '')
    if (text) doing.seat.viewer.tell({ type: 'copied', text })
    const key = { key: how === 'copy' ? 'c' : 'x', code: how === 'copy' ? 'KeyC' : 'KeyX' }
    const pressed = { ...key, vk: how === 'copy' ? 67 : 88, type: 'key', mods: 2, place: 0, repeat: false } as const
    send(doing, 'Input.dispatchKeyEvent', keyEvent({ ...pressed, do: 'down' }))
    send(doing, 'Input.dispatchKeyEvent', keyEvent({ ...pressed, do: 'up' }))
  },
  open(doing, { address }) {
    const url = addressOf(address)
    if (url === undefined) return say(doing, 'Only addresses of the web (http and https) can be opened.')
    void navigate(doing, url).catch(() => undefined)
  },
  async go(doing, { where }) {
    if (where === 'reload') return void send(doing, 'Page.reload', {})
    if (where === 'stop') return void send(doing, 'Page.stopLoading', {})
    const { currentIndex, entries } = await doing.tab.session.send('Page.getNavigationHistory', {})
    const entry = entries[currentIndex + (where === 'back' ? -1 : 1)]
    if (entry) send(doing, 'Page.navigateToHistoryEntry', { entryId: entry.id })
  },
  dialog({ tab }, { accept, text }) {
    const promptText = text === undefined ? {} : { promptText: text }
    void tab.session.send('Page.handleJavaScriptDialog', { accept, ...promptText }).catch(() => undefined)
  },
  async choose(doing, { value }) {
    const { fieldPlace } = doing.seat
    const set = (signal: AbortSignal) => fieldPlace!.call('setPopupField', [value], signal)
    const isSet = fieldPlace && (await within(doing.seat, set).catch(() => false))
    if (!isSet) say(doing, 'The field did not take that.')
  },
  async files(doing, { files }) {
    const { seat } = doing
    seat.intake = undefined
    if (!seat.chooser) return
    if (files.length === 0) return void (seat.chooser = undefined)
    seat.intake = createIntake(files, seat.chooser)
    if (!seat.intake) return say(doing, `At most ${mostFiles} files, ${mostBytes / 1_000_000} MB in all.`)
    if (seat.intake.isComplete()) await handOver(doing)
  },
}

/** More bytes of the files that were announced; others are dropped. */
export async function takeBytes(doing: Doing, chunk: Uint8Array): Promise<void> {
  const { seat } = doing
  if (!seat.intake) return
  if (!seat.intake.take(chunk)) seat.intake = seat.chooser = undefined
  else if (seat.intake.isComplete()) await handOver(doing)
}

async function handOver(doing: Doing): Promise<void> {
  const { seat } = doing
  const { chooser, intake } = seat
  seat.chooser = seat.intake = undefined
  if (!chooser || !intake) return
  await hand(chooser, intake.files()).catch(() => say(doing, 'The page did not take the files.'))
}

/** True when the event was one of a drag, and is told to the page as that. */
async function isDragged(doing: Doing, { do: how, x, y, button, mods }: ActOf<'mouse'>): Promise<boolean> {
  const { seat, tab } = doing
  if (how === 'down') {
    if (button === 'left') tab.drags.catch('on')
    return false
  }
  if (!tab.drags.isOn()) return false
  // Whether a drag has begun is told with the answer to the move that began it.
  await withDeadline({ step: 'wait for the page', ms: lookMs }, undefined, () => seat.sent).catch(() => undefined)
  const over = tab.drags.next('move')
  if (over) void send(doing, 'Input.dispatchDragEvent', { ...over, x, y, modifiers: mods })
  if (how === 'move') return over !== undefined
  const drop = tab.drags.next('drop')
  if (drop) void send(doing, 'Input.dispatchDragEvent', { ...drop, x, y, modifiers: mods })
  tab.drags.catch('off')
  return drop !== undefined
}

const say = ({ seat }: Doing, text: string) => seat.viewer.tell({ type: 'notice', text })

/** A page may take its time: nothing waits for it. */
async function navigate(doing: Doing, url: string): Promise<void> {
  const { errorText, isDownload } = await doing.tab.session.send('Page.navigate', { url })
  if (errorText && !isDownload && errorText !== 'net::ERR_ABORTED') say(doing, `Not opened: ${errorText}`)
}

/** True when the place is a field whose popup the viewer now draws. */
async function offersField({ seat, tab }: Doing, at: Point | null): Promise<boolean> {
  const field = await within(seat, async (signal) => {
    const place = await tab.findPlace(at && { x: at.x, y: at.y }, signal)
    const { call, from } = place
    const found = await call('openPopupField', [at && { x: at.x - from.x, y: at.y - from.y }], signal)
    if (!found) return null
    seat.fieldPlace = place
    return { ...found, box: { ...found.box, x: found.box.x + from.x, y: found.box.y + from.y } }
  }).catch(() => null)
  if (field) seat.viewer.tell({ type: 'field', field })
  return field !== null
}

async function tellKeyboard(doing: Doing): Promise<void> {
  const mode = await asked(doing, 'keyboardMode', []).catch(() => null)
  doing.seat.viewer.tell({ type: 'keyboard', mode: mode ?? undefined })
}

/** Asks where the focus is. */
const asked = <N extends PageFunction>({ seat, tab }: Doing, name: N, args: ArgsOf<N>) =>
  within(seat, async (signal) => (await tab.findPlace(null, signal)).call(name, args, signal))

function within<T>({ sent }: Seat, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withDeadline({ step: 'look at the page', ms: lookMs }, undefined, async (signal) => {
    // Input goes another way to the page than questions do.
    await sent
    signal.throwIfAborted()
    return work(signal)
  })
}

const inputOf = (doing: Doing): InputSender => ({ send: (method, params) => send(doing, method, params) })

/** Sent in order and not waited for; resolves when the page has taken it. */
function send<M extends keyof CdpMethods>({ seat, tab }: Doing, method: M, params: CdpMethods[M]['params']) {
  seat.waiting += 1
  const answered = tab.session
    .send(method, params)
    .catch(() => undefined)
    .finally(() => (seat.waiting -= 1))
  seat.sent = answered
  return answered
}

/** What was typed into the address bar as an address of the web: a plain word is a host. Undefined when it is none. */
export function addressOf(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '' || /[\s\\]/.test(text)) return undefined
  if (text === 'about:blank') return text
  // A port looks like the rest of a scheme: `localhost:3000`.
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:[/?#]|$))/i.test(text)
  const url = URL.parse(hasScheme ? text : `https://${text}`)
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.href : undefined
}
