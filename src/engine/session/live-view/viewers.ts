import { type Chooser, type Intake, mostBytes, mostFiles } from './file-chooser.ts'
import type { FollowedTabs } from './follow-tabs.ts'
import type { Shown } from './messages.ts'
import type { AskedPlace } from './places.ts'
import type { Viewer } from './viewer.ts'
import type { WatchedTab } from './watched-tab.ts'
import type { LiveViewOptions } from './options.ts'

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

/** A viewer and what it is at. */
export type Seat = {
  readonly viewer: Viewer
  /** What it watches; undefined while there is no tab. */
  tab: WatchedTab | undefined
  /** The tab that it chose to see; others see the one the session is at. */
  picked: string | undefined
  isLooking: boolean
  /** What it was last told, so that nothing is told twice. */
  told: string
  /** What it wants done happens in turn. */
  turn: Promise<void>
  /** Things it wants done that the browser has not answered yet. */
  waiting: number
  /** Resolves when the page has taken the last of them. */
  sent: Promise<unknown>
  actedAt: number
  /** The press was not sent, so its release is not sent either. */
  swallowsRelease: boolean
  /** Where the field is that it has a popup of. */
  fieldPlace: AskedPlace | undefined
  chooser: Chooser | undefined
  intake: Intake | undefined
}

export const seatOf = (viewer: Viewer): Seat => ({
  viewer,
  tab: undefined,
  picked: undefined,
  isLooking: true,
  told: '',
  turn: Promise.resolve(),
  waiting: 0,
  sent: Promise.resolve(),
  actedAt: 0,
  swallowsRelease: false,
  fieldPlace: undefined,
  chooser: undefined,
  intake: undefined,
})

/** Everything that is shown to it now. */
function shownTo({ tab }: Seat, tabs: Iterable<WatchedTab>): Shown {
  const { back = false, forward = false, loading = false } = tab?.place() ?? {}
  return {
    tabs: Array.from(tabs, (each) => {
      const { url, title } = each.place()
      return { id: each.targetId, url, title }
    }),
    watching: tab?.targetId,
    back,
    forward,
    loading,
    dialog: tab?.dialog(),
  }
}
