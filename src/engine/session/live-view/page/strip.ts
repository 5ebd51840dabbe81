import type { ViewState } from '../messages.ts'
import { byId, isInControl } from './elements.ts'
import type { Link } from './link.ts'

export type Strip = {
  show(shown: Pick<ViewState, 'doing' | 'held' | 'request'>): void
  time(leftMs: number): void
  /** A new connection: what was held before is asked for again. */
  greet(): void
}

/** Below this it is said that the end is near. */
const soonMs = 60_000

/** What the agent does, what it asks for, how long the session goes on, and who holds it. */
export function createStrip(link: Link): Strip {
  const [hold, left] = [byId('hold'), byId('left')]
  const showRequest = createRequest(link)
  let held: ViewState['held']
  let endsAt = Infinity

  hold.addEventListener('click', () =>
    link.send(held === 'you' ? { type: 'giveBack' } : { type: 'takeOver', again: false }),
  )
  byId('extend').addEventListener('click', () => link.send({ type: 'extend' }))
  confirmEnd(link)

  function count(): void {
    const leftMs = endsAt - Date.now()
    if (leftMs === Infinity) return
    left.textContent = `${clockOf(leftMs)} left`
    left.title = 'Then the session ends by itself, unless somebody uses it.'
    left.classList.toggle('soon', leftMs < soonMs)
  }
  setInterval(count, 1000)

  return {
    show(shown) {
      held = shown.held
      hold.textContent = held === 'you' ? 'Give back' : 'Take over'
      hold.title = held === 'you' ? 'The agent goes on' : 'The agent waits until you give it back'
      document.body.dataset['held'] = held ?? (shown.doing ? 'agent' : 'nobody')
      byId('does').textContent = saying(shown)
      showRequest(shown.request)
    },
    time(leftMs) {
      endsAt = Date.now() + leftMs
      count()
    },
    greet() {
      if (held === 'you') link.send({ type: 'takeOver', again: true })
    },
  }
}

function saying({ doing, held }: Pick<ViewState, 'doing' | 'held'>): string {
  if (held === 'you')
    return doing ? `You have taken over. Still running: ${doing.text}` : 'You have taken over. The agent waits.'
  if (held === 'another') return 'Another person has taken over.'
  return doing ? `Agent: ${doing.text}` : 'The agent is not doing anything now.'
}

const two = (count: number) => String(count).padStart(2, '0')

function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [minutes, hours] = [Math.floor(seconds / 60) % 60, Math.floor(seconds / 3600)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

function createRequest(link: Link): (request: ViewState['request']) => void {
  let shown: ViewState['request']
  const answer = (as: 'done' | 'declined') => () => shown && link.send({ type: 'answer', request: shown.id, as })
  byId('request-done').addEventListener('click', answer('done'))
  byId('request-no').addEventListener('click', answer('declined'))
  return (request) => {
    // An alert is read out whenever its text is set.
    if (shown?.id === request?.id) return
    shown = request
    byId('request-text').textContent = request?.message ?? ''
    byId('request').hidden = request === undefined
  }
}

function confirmEnd(link: Link): void {
  const dialog = byId<HTMLDialogElement>('ending')
  byId('end').addEventListener('click', () => {
    if (isInControl()) dialog.showModal()
  })
  byId('ending-no').addEventListener('click', () => dialog.close('no'))
  dialog.addEventListener('submit', () => link.send({ type: 'endSession' }))
}
