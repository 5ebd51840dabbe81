import type { ViewerAction } from './messages.ts'
import type { LiveViewOptions } from './options.ts'
import type { ViewerState } from './viewers.ts'

type Kind = 'takeOver' | 'giveBack' | 'extend' | 'endSession' | 'answer'
/** What a person says about the session rather than to its pages. */
export type AttendMessage = Extract<ViewerAction, { type: Kind }>
type Context = { options: LiveViewOptions; state: ViewerState }

const kinds: ReadonlySet<ViewerAction['type']> = new Set<Kind>([
  'takeOver',
  'giveBack',
  'extend',
  'endSession',
  'answer',
])

export const isAttendance = (message: ViewerAction): message is AttendMessage => kinds.has(message.type)

export function attend({ options: { people, life }, state: { viewer } }: Context, message: AttendMessage): void {
  const { hold, requests } = people
  if (message.type === 'takeOver') return hold.take(viewer, message.again ? 'again' : undefined)
  if (message.type === 'giveBack') return hold.release(viewer)
  if (message.type === 'endSession') return life.end()
  if (message.type === 'extend') {
    if (!life.extend()) viewer.send({ type: 'notice', text: 'A session lasts an hour at most.' })
    return
  }
  requests.answer(message.request, message.as)
  hold.release(viewer)
}

/** Moves of a mouse are not worth a word. */
const silent: ReadonlySet<string> = new Set(['up', 'move'])

/** Only one at a time: what others do is not passed on. Returns whether it was refused. */
export function isRefused({ options: { people }, state: { viewer } }: Context, message: ViewerAction): boolean {
  const holder = people.hold.holder()
  if (!holder || holder === viewer) return false
  const isSaid = !('do' in message && silent.has(message.do)) && message.type !== 'wheel'
  if (isSaid) viewer.send({ type: 'notice', text: 'Another person has taken over. Take over yourself to act.' })
  return true
}
