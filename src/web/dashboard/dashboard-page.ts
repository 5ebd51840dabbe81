import { html, render } from 'htm/preact'
import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState, useEffect } from 'preact/hooks'
import { login, logOut } from './server-calls.ts'
import { later } from './parts.ts'
import { Job } from './views/job-view.ts'
import { Jobs } from './views/job-list.ts'

type Room = { name: string; title: string; icon: string; key: string }

/** The places of the dashboard, in the order of the menu. The key follows a `g`. */
const rooms: readonly Room[] = [
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

type Place = { room: string; title: string; view: VNode }
type Parts = readonly [one: string, other: string, third: string]

/** Where an address of the page leads: `#/room/…`. What there is no room for is the first room. */
function placeOf(hash: string): Place {
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

type Theme = 'light' | 'dark' | 'system'
const themes: readonly Theme[] = ['system', 'light', 'dark']

/** Without storage a choice lasts as long as the page. */
function remembered(choice: 'theme' | 'keys'): string | null {
  try {
    return localStorage.getItem(`gossamer-${choice}`)
  } catch {
    return null
  }
}

function remember(choice: 'theme' | 'keys', value: string): void {
  try {
    localStorage.setItem(`gossamer-${choice}`, value)
  } catch {
    return
  }
}

function dress(choice: Theme): void {
  document.documentElement.dataset['theme'] = choice
  remember('theme', choice)
}

const theme = () => themes.find((each) => each === remembered('theme')) ?? 'system'

/**
 * Leads to rooms by `g` and a letter, and tells so in a window of its own at `?`. Keys of a single letter disturb those
 * who speak to their machine, so that they can be turned off.
 */
export function Keys(): VNode {
  const window = useRef<HTMLDialogElement>(null)
  const [on, setOn] = useState(() => remembered('keys') !== 'off')
  // An ordinary effect runs after the first paint: keys typed before it would be lost.
  useLayoutEffect(() => {
    let last = ''
    function heed(event: KeyboardEvent): void {
      const before = last
      last = ''
      if (isWriting(event) || document.querySelector('dialog[open]')) return
      last = event.key
      const room = rooms.find(({ key }) => key === last)
      if (last === '?') window.current?.showModal()
      else if (room && before === 'g') location.hash = `#/${room.name}`
    }
    if (!on) return undefined
    addEventListener('keydown', heed)
    return () => removeEventListener('keydown', heed)
  }, [on])
  function choose({ currentTarget: { checked } }: { currentTarget: HTMLInputElement }): void {
    remember('keys', checked ? 'on' : 'off')
    setOn(checked)
  }
  return html`<button type="button" class="keys-button" onClick=${() => window.current?.showModal()}>
      Keys <kbd>?</kbd>
    </button>
    <dialog ref=${window} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        <div>
          <dt><kbd>?</kbd></dt>
          <dd>Show the keys</dd>
        </div>
        ${rooms.map(
          ({ key, title }) =>
            html`<div key=${key}>
              <dt><kbd>g</kbd> <kbd>${key}</kbd></dt>
              <dd>${title}</dd>
            </div>`,
        )}
        <div>
          <dt><kbd>Esc</kbd></dt>
          <dd>Close a window like this</dd>
        </div>
      </dl>
      <label class="check"><input type="checkbox" checked=${on} onChange=${choose} /> Use keys of single letters</label>
      <form method="dialog"><button class="primary">Close</button></form>
    </dialog>`
}

const isWriting = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  ctrlKey || metaKey || altKey || (target instanceof Element && target.matches('input, select, textarea'))

function App(): VNode {
  const [hash, setHash] = useState(location.hash)
  const heading = useRef<HTMLHeadingElement>(null)
  const { room, title, view } = placeOf(hash)
  const { user, team, isAdmin } = login()
  useEffect(() => {
    const go = () => setHash(location.hash)
    addEventListener('hashchange', go)
    // The address may have changed since it was read first.
    go()
    return () => removeEventListener('hashchange', go)
  }, [])
  useEffect(() => {
    document.title = `${title} · Gossamer`
    // Readers of the screen hear where they are; at the start the address says it.
    if (hash !== '') heading.current?.focus()
    scrollTo(0, 0)
  }, [hash])
  return html`
    <a class="skip" href="#main" onClick=${(event: Event) => skip(event, heading.current)}>Skip to content</a>
    <nav aria-label="Rooms">
      <a class="brand" href="#/">${mark()}<span>Gossamer</span></a>
      ${rooms.map(
        ({ name, title: label, icon }) =>
          html`<a key=${name} class="room" href=${`#/${name}`} aria-current=${name === room ? 'page' : undefined}>
            <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${icon} /></svg><span>${label}</span>
          </a>`,
      )}
      <div class="foot">
        ${user !== '' && html`<p class="who faint" title=${`key ${user} of team ${team}`}>${user}<span> · ${team}</span></p>`}
        <${Keys} />
        <${ThemeButton} />${user !== '' && html`<button type="button" onClick=${logOut}>Log out</button>`}
      </div>
    </nav>
    <main id="main">
      <h1 tabindex="-1" ref=${heading}>${title}</h1>
      ${isAdmin && html`<${AdminNote} />`} ${view}
    </main>
  `
}

/** Whoever manages the server could believe to see all of it. */
const AdminNote = () =>
  html`<p class="note">
    This is the admin key. You see what the team <b>${login().team}</b> does, and nothing of other teams: log in with a
    key of theirs for that. <a href="#/playground/admin_teams">List the teams</a>
  </p>`

function skip(event: Event, to: HTMLElement | null): void {
  event.preventDefault()
  to?.focus()
}

const mark = () =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true">
    <path d="M12 3v18M4.2 7.5l15.6 9M4.2 16.5l15.6-9M12 7.5l3.9 2.2v4.6L12 16.5l-3.9-2.2V9.7z" />
  </svg>`

const names = { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' }

function ThemeButton(): VNode {
  const [now, setNow] = useState(theme)
  const turn = () => {
    const next = themes[(themes.indexOf(now) + 1) % themes.length] ?? 'system'
    dress(next)
    setNow(next)
  }
  return html`<button type="button" onClick=${turn}>${names[now]}</button>`
}

const root = document.getElementById('app')
dress(theme())
if (root) render(html`<${App} />`, root)
