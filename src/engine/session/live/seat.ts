import type { Chooser, Intake } from './file-chooser.ts'
import type { Shown } from './messages.ts'
import type { AskedPlace } from './places.ts'
import type { Viewer } from './viewer.ts'
import type { WatchedTab } from './watched-tab.ts'

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
export function shownTo({ tab }: Seat, tabs: Iterable<WatchedTab>): Shown {
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
