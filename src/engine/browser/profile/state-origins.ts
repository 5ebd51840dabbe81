import type { Session } from '../cdp/session.ts'
import type { TargetInfo } from '../cdp/shapes.ts'
import type { StatePlace } from './state-page.ts'

/** The origins that a context went to, in pages, their frames and their windows. */
export type OriginWatch = {
  seen(): readonly string[]
  stop(): void
}

/** More than this is no visit but a crawl; the first ones are kept. */
const maxOrigins = 100

/** Listens from now on; to be begun after the state is put back, and before the first navigation. `session` is that of a page, for its frames. */
export async function watchOrigins(
  { connection, contextId }: StatePlace,
  session: Session | undefined,
  signal: AbortSignal,
): Promise<OriginWatch> {
  const origins = new Set<string>()
  const note = (address: string) => {
    const origin = originOf(address)
    if (origin !== undefined && origins.size < maxOrigins) origins.add(origin)
  }
  const noteTarget = ({ targetInfo }: { targetInfo: TargetInfo }) => {
    if (targetInfo.browserContextId === contextId) note(targetInfo.url)
  }
  const ends = [
    session?.on('Page.frameNavigated', ({ frame }) => note(frame.url)),
    connection.browser.on('Target.targetCreated', noteTarget),
    connection.browser.on('Target.targetInfoChanged', noteTarget),
  ]
  await connection.browser.send('Target.setDiscoverTargets', { discover: true }, signal)
  return { seen: () => Array.from(origins), stop: () => ends.forEach((end) => end?.()) }
}

function originOf(address: string): string | undefined {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined
}
