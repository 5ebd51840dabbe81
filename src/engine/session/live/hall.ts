import type { Chooser } from './file-chooser.ts'
import { mostBytes, mostFiles } from './file-chooser.ts'
import type { FollowedTabs } from './follow-tabs.ts'
import type { LiveViewOptions } from './options.ts'
import { type Seat, shownTo } from './seat.ts'
import type { WatchedTab } from './watched-tab.ts'

/** The viewers of a session and what they can see. */
export type Hall = {
  readonly options: LiveViewOptions
  readonly tabs: FollowedTabs
  readonly seats: Set<Seat>
}

/** Brings every viewer to its tab, and tells it what is new there. */
export function seatAll(hall: Hall): void {
  const { seats, tabs } = hall
  for (const seat of seats) {
    move(hall, seat, tabs.find(seat.picked) ?? currentTab(hall) ?? tabs.last())
    const shown = shownTo(seat, tabs.all())
    const text = JSON.stringify(shown)
    if (text === seat.told) continue
    seat.told = text
    seat.viewer.tell({ type: 'state', ...shown })
  }
}

/** A session may have no tab for a moment. */
export function currentTab({ options, tabs }: Pick<Hall, 'options' | 'tabs'>): WatchedTab | undefined {
  try {
    return tabs.find(options.current())
  } catch {
    return undefined
  }
}

function move(hall: Hall, seat: Seat, to: WatchedTab | undefined): void {
  if (seat.tab === to) return
  leave(hall, seat)
  Object.assign(seat, { tab: to, chooser: undefined, intake: undefined, swallowsRelease: false })
  to?.refresh()
  enter(seat)
}

export function enter({ tab, viewer, isLooking }: Seat): void {
  if (isLooking) tab?.cast.add(viewer)
  if (viewer.role === 'control') tab?.catchFiles('on')
}

export function leave({ seats }: Pick<Hall, 'seats'>, { tab, viewer }: Seat): void {
  tab?.cast.remove(viewer)
  const others = Array.from(seats).filter((each) => each.tab === tab && each.viewer !== viewer)
  if (!others.some((each) => each.viewer.role === 'control')) tab?.catchFiles('off')
}

/** Who did something last is the one the page answers. */
export function askForFiles({ seats }: Pick<Hall, 'seats'>, tab: WatchedTab, chooser: Chooser): void {
  const seat = Array.from(seats)
    .filter((each) => each.tab === tab && each.actedAt > 0)
    .sort((one, other) => other.actedAt - one.actedAt)[0]
  if (!seat) return
  seat.chooser = chooser
  seat.intake = undefined
  seat.viewer.tell({ type: 'wantFiles', multiple: chooser.multiple, mostFiles, mostBytes })
}
