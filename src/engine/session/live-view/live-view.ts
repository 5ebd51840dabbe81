import type { ClientSocket } from '../../../contracts/session.ts'
import { followTabs } from './follow-tabs.ts'
import { closeCodes } from './outlet.ts'
import { acted, gaveBytes, looked } from './requests.ts'
import { createViewer, type Role } from './viewer.ts'
import { askForFiles, currentTab, type Hall, leave, type Seat, seatAll, seatOf } from './viewers.ts'
import type { LiveViewOptions } from './options.ts'

export type LiveView = {
  /** Takes the socket in, or turns it away when there are too many; to be called in the turn in which the socket was given. */
  join(socket: ClientSocket, role: Role): void
  /** The last picture of the current tab that a viewer was sent. */
  lastFrame(): { bytes: Uint8Array; mimeType: 'image/jpeg' } | undefined
  /** Tells the viewers that the session is over, and why, and hangs up. */
  end(why: string): void
  /** Lets go of the pages as well. */
  close(): Promise<void>
}

const mostViewers = 20
/** What the session does by itself is noticed so soon. */
const lookEveryMs = 300
/** What happens together is told together. */
const tellMs = 40

/** Shows the pages of a browser to any number of viewers and lets those who may act in them. Fails with a CdpError when the browser is gone. */
export async function createLiveView(options: LiveViewOptions): Promise<LiveView> {
  const { connection } = options
  const seats = new Set<Seat>()
  let isOver = false
  let looking: NodeJS.Timeout | undefined
  const tabs = await followTabs(options, {
    changed: soon(() => {
      if (seats.size > 0) seatAll(hall)
    }),
    wantsFiles: (tab, chooser) => askForFiles({ seats }, tab, chooser),
    crashed(tab) {
      for (const { viewer, ...seat } of seats)
        if (seat.tab === tab) viewer.tell({ type: 'notice', text: 'The page has crashed. Reload it.' })
    },
  })
  const hall: Hall = { options, tabs, seats }

  function end(why: string): void {
    isOver = true
    for (const { viewer } of seats) {
      viewer.tell({ type: 'end', why })
      viewer.close(closeCodes.normal, 'the session is over')
    }
  }
  void connection.closed.then(() => end('browser'))

  return {
    join(socket, role) {
      const viewer = createViewer(socket, role, {
        look: (said) => looked(hall, seat, said),
        act: (said) => acted(hall, seat, said),
        bytes: (chunk) => gaveBytes(hall, seat, chunk),
        ready: () => seat.tab?.cast.pump(),
        closed() {
          leave(hall, seat)
          seats.delete(seat)
          if (seats.size === 0) clearInterval(looking)
        },
      })
      const seat = seatOf(viewer)
      if (isOver) return viewer.close(closeCodes.normal, 'the session is over')
      if (seats.size >= mostViewers) return viewer.close(closeCodes.later, 'too many viewers')
      seats.add(seat)
      if (seats.size === 1) looking = setInterval(() => seatAll(hall), lookEveryMs).unref()
      viewer.tell({ type: 'hello', role })
      seatAll(hall)
    },
    lastFrame() {
      const frame = currentTab(hall)?.cast.last()
      return frame && { bytes: frame.jpeg, mimeType: 'image/jpeg' }
    },
    end,
    async close() {
      end('closed')
      await tabs.close()
    },
  }
}

/** Works a moment later, once for all calls until then. */
function soon(work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      work()
    }, tellMs).unref()
  }
}
