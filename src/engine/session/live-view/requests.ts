import { perform, takeBytes } from './actions.ts'
import type { Act, Look } from './messages.ts'
import { currentTab, enter, type Hall, type Seat, seatAll } from './viewers.ts'

const mostTabs = 10

/** What a viewer wants to see. */
export function looked(hall: Hall, seat: Seat, said: Exclude<Look, { type: 'ack' | 'ping' }>): void {
  if (said.type === 'look') {
    seat.isLooking = said.on
    if (said.on) enter(seat)
    else seat.tab?.cast.remove(seat.viewer)
    return
  }
  if (!hall.tabs.find(said.tab)) return
  if (seat.viewer.role === 'control') return inTurn(hall, seat, () => activate(hall, seat, said.tab))
  seat.picked = said.tab === currentTab(hall)?.targetId ? undefined : said.tab
  seatAll(hall)
}

/** What a viewer wants done. */
export function acted(hall: Hall, seat: Seat, said: Act): void {
  inTurn(hall, seat, async () => {
    seat.actedAt = performance.now()
    hall.options.onActivity()
    if (said.type === 'newTab') await openTab(hall, seat)
    else if (said.type === 'closeTab') await closeTab(hall, seat, said.tab)
    else if (seat.tab) await perform({ seat, tab: seat.tab }, said)
  })
}

export function gaveBytes(hall: Hall, seat: Seat, chunk: Uint8Array): void {
  inTurn(hall, seat, async () => {
    if (seat.tab) await takeBytes({ seat, tab: seat.tab }, chunk)
  })
}

function inTurn({ options }: Hall, seat: Seat, work: () => Promise<void>): void {
  seat.turn = seat.turn.then(work).catch((error: unknown) => options.log.debug('session.liveView', { error }))
}

/** A tab that the session cannot take up is still shown. */
async function activate(hall: Hall, seat: Seat, targetId: string): Promise<void> {
  hall.options.onActivity()
  try {
    await hall.options.activate(targetId)
    seat.picked = undefined
  } catch {
    seat.picked = targetId
  }
  seatAll(hall)
}

async function openTab(hall: Hall, seat: Seat): Promise<void> {
  if (hall.tabs.all().length >= mostTabs) return seat.viewer.tell({ type: 'notice', text: `At most ${mostTabs} tabs.` })
  await activate(hall, seat, await hall.tabs.open())
}

/** A session without tabs could not go on. */
async function closeTab(hall: Hall, seat: Seat, targetId: string): Promise<void> {
  if (!hall.tabs.find(targetId)) return
  if (hall.tabs.all().length === 1) await activate(hall, seat, await hall.tabs.open())
  await hall.options.connection.browser.send('Target.closeTarget', { targetId })
}
