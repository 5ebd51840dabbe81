import type { ClientSocket } from '../../../contracts/session.ts'
import { type Act, type Look, parsed, type Told } from './messages.ts'
import { closeCodes, createOutlet, type Frame } from './outlet.ts'

export type Role = 'view' | 'control'
export type Viewer = {
  readonly role: Role
  tell(message: Told): void
  /** Takes the place of a frame that has not been sent yet. */
  offer(frame: Frame): void
  isReady(): boolean
  /** Cuts it off. */
  close(code: number, reason: string): void
}
export type ViewerEars = {
  look(said: Exclude<Look, { type: 'ack' | 'ping' }>): void
  act(said: Act): void
  bytes(chunk: Uint8Array): void
  /** It could take another frame. */
  ready(): void
  closed(): void
}

const mostMessageBytes = 1_000_000
const messages = { atOnce: 600, perSecond: 300 }
const characters = { atOnce: 2_000_000, perSecond: 500_000 }
const reminders = { atOnce: 1, perSecond: 1 }

/** What a socket says, as far as it may say it, and what it is told, as fast as it reads. */
export function createViewer(socket: ClientSocket, role: Role, callbacks: ViewerEars): Viewer {
  const outlet = createOutlet(socket, callbacks.closed)
  const mayTell = createBudget(messages)
  const mayWrite = createBudget(characters)
  const mayBeReminded = createBudget(reminders)

  function looked(said: Look): void {
    if (said.type === 'ping') return outlet.tell({ type: 'pong' })
    if (said.type !== 'ack') return callbacks.look(said)
    outlet.drawn(said.n)
    callbacks.ready()
  }

  function acted(said: Act): void {
    if (role === 'control') callbacks.act(said)
    else if (mayBeReminded(1)) outlet.tell({ type: 'readOnly' })
  }

  function heard(data: string | Uint8Array): void {
    if (!outlet.isOpen()) return
    if (data.length > mostMessageBytes) return outlet.close(closeCodes.tooBig, 'the message is too long')
    const isText = typeof data === 'string'
    if (!mayTell(1) || (isText && !mayWrite(data.length))) return outlet.close(closeCodes.policy, 'too many messages')
    if (!isText) return role === 'control' ? callbacks.bytes(data) : undefined
    const message = parsed(data)
    if (message?.kind === 'look') looked(message.said)
    else if (message) acted(message.said)
  }

  socket.listen({ message: heard, closed: outlet.left })
  const { tell, offer, isReady, close } = outlet
  return { role, tell, offer, isReady, close }
}

/** Token bucket (Turner 1986): so many at once, and so many more each second. */
export function createBudget(
  { atOnce, perSecond }: { atOnce: number; perSecond: number },
  now = () => performance.now(),
) {
  let left = atOnce
  let at = now()
  /** False when it is spent. */
  return (cost: number): boolean => {
    const time = now()
    left = Math.min(atOnce, left + ((time - at) / 1000) * perSecond) - cost
    at = time
    return left >= 0
  }
}
