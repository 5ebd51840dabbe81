import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { later } from './parts.ts'
import { Job } from './views/job-view.ts'
import { Jobs } from './views/job-list.ts'

type Room = { name: string; title: string; icon: string; key: string }

/** The places of the dashboard, in the order of the menu. The key follows a `g`. */
export const rooms: readonly Room[] = [
  { name: 'jobs', title: 'Jobs', icon: 'M4 6h16M4 12h16M4 18h10', key: 'j' },
  { name: 'monitors', title: 'Monitors', icon: 'M12 7v5l3 3M12 3a9 9 0 1 0 9 9M16 3.9l5 .1-1 5', key: 'm' },
  { name: 'sessions', title: 'Sessions', icon: 'M3 5h18v14H3zM3 9h18M6 7h.01M9 7h.01', key: 's' },
  { name: 'usage', title: 'Usage', icon: 'M5 20V12M12 20V4M19 20v-6', key: 'u' },
  { name: 'playground', title: 'Playground', icon: 'M8 5l11 7-11 7z', key: 'p' },
]

const Why = later(async () => (await import('./views/why-view.ts')).Why)
const Page = later(async () => (await import('./views/read-page-view.ts')).Page)
const Monitors = later(async () => (await import('./views/monitor-views.ts')).Monitors)
const NewMonitor = later(async () => (await import('./views/new-monitor.ts')).NewMonitor)
const Monitor = later(async () => (await import('./views/monitor-views.ts')).Monitor)
const Check = later(async () => (await import('./views/check-view.ts')).Check)
const Session = later(async () => (await import('./views/session-views.ts')).Session)
const Sessions = later(async () => (await import('./views/session-views.ts')).Sessions)
const Usage = later(async () => (await import('./views/usage-view.ts')).Usage)
const Playground = later(async () => (await import('./views/playground.ts')).Playground)

export type Place = { room: string; title: string; view: VNode }
type Parts = readonly [one: string, other: string, third: string]

/** Where an address of the page leads: `#/room/…`. What there is no room for is the first room. */
export function placeOf(hash: string): Place {
  const [name = '', one = '', other = '', third = ''] = hash.replace(/^#\//, '').split('/').map(decoded)
  const made = hasSafeIds(name, one, other) ? viewOf(name)?.([one, other, third]) : undefined
  return made ? { room: name, ...made } : { room: 'jobs', title: 'Jobs', view: html`<${Jobs} />` }
}

/** Ids become parts of paths: a link must not lead the page to another route with them. */
const hasSafeIds = (name: string, one: string, other: string) => isWord(one) && (name === 'playground' || isWord(other))
const isWord = (part: string) => /^[\w-]*$/.test(part)

const views: Readonly<Record<string, (parts: Parts) => { room?: string; title: string; view: VNode } | undefined>> = {
  jobs: ([endpoint, id]) =>
    id === '' ? undefined : { title: 'Job', view: html`<${Job} endpoint=${endpoint} id=${id} key=${id} />` },
  why: ([endpoint, id, url]) => ({
    room: 'jobs',
    title: 'Why it failed',
    view: html`<${Why} endpoint=${endpoint} id=${id} url=${url} key=${`${id} ${url}`} />`,
  }),
  pages: ([id]) => ({ room: 'jobs', title: 'Page', view: html`<${Page} id=${id} key=${id} />` }),
  monitors: ([id, check]) => monitorsAt(id, check),
  sessions: ([id]) =>
    id === ''
      ? { title: 'Sessions', view: html`<${Sessions} />` }
      : { title: 'Session', view: html`<${Session} id=${id} key=${id} />` },
  usage: () => ({ title: 'Usage', view: html`<${Usage} />` }),
  playground: ([name, input]) => ({
    title: 'Playground',
    view: html`<${Playground} name=${name} input=${input} />`,
  }),
}

/** A name such as `constructor` is none. */
const viewOf = (name: string) => (Object.hasOwn(views, name) ? views[name] : undefined)

function monitorsAt(id: string, check: string): { title: string; view: VNode } {
  if (id === '') return { title: 'Monitors', view: html`<${Monitors} />` }
  if (id === 'new') return { title: 'New monitor', view: html`<${NewMonitor} />` }
  if (check === '') return { title: 'Monitor', view: html`<${Monitor} id=${id} key=${id} />` }
  return { title: 'Check', view: html`<${Check} id=${id} check=${check} key=${check} />` }
}

/** What is no encoding is taken as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
