import type { Job, Jobs } from '../../contracts/job-ports.ts'
import type { SessionInfo } from '../../contracts/session-port.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { withDeadline } from '../../util/async.ts'
import type { ShownAct } from './live-view/messages.ts'
import type { LiveTab } from './page/live-tab.ts'
import type { TypedSecrets } from './secrets/typed-secrets.ts'

const maxActs = 200
const maxPictures = 60
const maxPictureCharacters = 40_000

/** Creates the timeline of a session: its newest acts, with small pictures of the page until a secret is typed. */
export function createTimeline(changed: () => void, secrets?: Pick<TypedSecrets, 'hide' | 'isUsed'>) {
  let acts: readonly ShownAct[] = []
  let count = 0
  let withoutPicture: readonly number[] = []
  let isTaking = false
  let takePicture: (() => Promise<string | undefined>) | undefined

  const put = (change: (act: ShownAct) => ShownAct) => {
    acts = acts.slice(-maxActs).map(change)
    changed()
  }

  /** Acts in quick succession share a picture. */
  async function takePictures(): Promise<void> {
    if (isTaking) return
    isTaking = true
    while (withoutPicture.length > 0) {
      const waiting = new Set(withoutPicture)
      withoutPicture = []
      const picture = await takePicture?.().catch(() => undefined)
      if (secrets?.isUsed()) continue
      if (picture === undefined || picture.length > maxPictureCharacters) continue
      put((act) => {
        if (act.n > count - maxPictures) return waiting.has(act.n) ? { ...act, picture } : act
        return act.picture === undefined ? act : { ...act, picture: undefined }
      })
    }
    isTaking = false
  }

  return {
    all: () => acts,
    /** Adds an act; a picture follows if there is a way to take one. */
    add(text: string, take?: () => Promise<string | undefined>) {
      count += 1
      acts = [...acts, { n: count, at: Date.now(), text: secrets?.hide(text) ?? text }]
      put((act) => act)
      if (!take || secrets?.isUsed()) return
      takePicture = take
      withoutPicture = [...withoutPicture, count]
      void takePictures()
    },
    failed: () => put((act) => (act.n === count ? { ...act, hasFailed: true } : act)),
  }
}

const size = { maxWidth: 320, maxHeight: 240, format: 'jpeg', quality: 50 } as const
const lookMs = 1500

/** Takes a small picture as a data URL, without changing the page; undefined while it shows a secret. */
export function smallPicture(tab: LiveTab): Promise<string | undefined> {
  const { session, dialogs } = tab
  const isOpen = (signal: AbortSignal) => tab.call('showsSecret', [], signal).then((is) => !is)
  const look = async (signal: AbortSignal) => {
    if (dialogs.open() || !(await isOpen(signal))) return undefined
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const stop = session.on('Page.screencastFrame', ({ data }) => resolve(data))
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    try {
      // Awaited together, because both fail if the time is over before the browser responds.
      const [data] = await Promise.all([promise, session.send('Page.startScreencast', size, signal)])
      return (await isOpen(signal)) ? `data:image/jpeg;base64,${data}` : undefined
    } finally {
      stop()
      session.send('Page.stopScreencast', {}).catch(() => undefined)
    }
  }
  return withDeadline({ step: 'take a small picture', ms: lookMs }, undefined, look).catch(() => undefined)
}

const jobIdOf = (sessionId: string) => `${sessionId}:timeline`

/** Stores the acts of a session with a live view, for as long as job results are stored. */
export async function storeTimeline(
  { id, teamId, createdAt, streamWebView }: SessionInfo,
  keyName: string | null,
  { acts, jobs }: { acts: readonly ShownAct[]; jobs: Pick<Jobs, 'record'> },
): Promise<void> {
  if (!streamWebView || acts.length === 0) return
  const job: Job = {
    id: jobIdOf(id),
    teamId,
    keyName,
    createdAt,
    endpoint: 'browser',
    target: null,
    status: 'completed',
    errorCode: null,
    result: { acts },
    replay: null,
    credits: 0,
    isPart: true,
  }
  await jobs.record(job)
}

/** Returns the stored acts of an ended session of the team; empty if they are no longer stored. */
export async function timelineOf(id: string, { ports, team }: Pick<Ctx, 'ports' | 'team'>): Promise<object> {
  const job = await ports.jobs.find(jobIdOf(id))
  return job?.teamId === team.id && job.result ? job.result : { acts: [] }
}
