import type { Session } from './cdp/session.ts'

/** The windows that a page wanted to open. None of them stays open. */
export type Windows = {
  /** Their addresses so far. */
  asked(): readonly string[]
}

const most = 1000

export function watchWindows(session: Session): Windows {
  const asked: string[] = []
  session.on('Page.windowOpen', ({ url }) => {
    if (asked.length < most) asked.push(url)
  })
  return { asked: () => [...asked] }
}
