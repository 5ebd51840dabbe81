import { html, render } from 'htm/preact'
import { Fragment, type VNode } from 'preact'
import { useLayoutEffect, useRef, useState, useEffect } from 'preact/hooks'
import { login, logOut } from './server-calls.ts'
import { later } from './parts.ts'
import { keepScroll, restoreScroll } from './place.ts'
import { Job } from './views/job-view.ts'
import { Jobs } from './views/job-list.ts'

type Room = { name: string; title: string; icon: string; key: string }

/** Sections of the dashboard, in menu order. Shortcut: `g`, then the key. */
const rooms: readonly Room[] = [
  { name: 'jobs', title: 'Jobs', icon: 'M4 6h16M4 12h16M4 18h10', key: 'j' },
  { name: 'monitors', title: 'Monitors', icon: 'M12 7v5l3 3M12 3a9 9 0 1 0 9 9M16 3.9l5 .1-1 5', key: 'm' },
  { name: 'sessions', title: 'Sessions', icon: 'M3 5h18v14H3zM3 9h18M6 7h.01M9 7h.01', key: 's' },
  { name: 'usage', title: 'Usage', icon: 'M5 20V12M12 20V4M19 20v-6', key: 'u' },
  { name: 'playground', title: 'Playground', icon: 'M8 5l11 7-11 7z', key: 'p' },
]

const Why = later(async () => (await import('./views/why-view.ts')).Why)
const Page = later(async () => (await import('./views/read-page-view.ts')).Page)
const Monitors = later(async () => (await import('./views/monitors/monitor-views.ts')).Monitors)
const NewMonitor = later(async () => (await import('./views/monitors/new-monitor.ts')).NewMonitor)
const Monitor = later(async () => (await import('./views/monitors/monitor-views.ts')).Monitor)
const Check = later(async () => (await import('./views/monitors/check-view.ts')).Check)
const Session = later(async () => (await import('./views/session-views.ts')).Session)
const Sessions = later(async () => (await import('./views/session-views.ts')).Sessions)
const Usage = later(async () => (await import('./views/usage-view.ts')).Usage)
const Api = later(async () => (await import('./views/api-view.ts')).Api)
const Connect = later(async () => (await import('./views/connect-view.ts')).Connect)
const Playground = later(async () => (await import('./views/playground.ts')).Playground)

type Place = { room: string; title: string; view: VNode }
type Parts = readonly [one: string, other: string, third: string]

/** Maps an address such as `#/room/…` to a view; unknown ones lead to the first room. */
function placeOf(hash: string): Place {
  const [name = '', one = '', other = '', third = ''] = hash
    .replace(/^#\/|\?.*/g, '')
    .split('/')
    .map(decoded)
  const made = hasSafeIds(name, one, other) ? viewOf(name)?.([one, other, third]) : undefined
  return made ? { ...made, room: made.room || name } : at('Jobs', html`<${Jobs} />`, 'jobs')
}

/** Ids become parts of API paths: a crafted link must not reach another route. */
const hasSafeIds = (name: string, one: string, other: string) => isWord(one) && (name === 'playground' || isWord(other))
const isWord = (part: string) => /^[\w-]*$/.test(part)

const at = (title: string, view: VNode, room = ''): Place => ({ title, view, room })

const views: Readonly<Record<string, (parts: Parts) => Place | undefined>> = {
  jobs: ([endpoint, id]) => (id ? at('Job', html`<${Job} endpoint=${endpoint} id=${id} />`) : undefined),
  why: ([endpoint, id, url]) => at('Why it failed', html`<${Why} endpoint=${endpoint} id=${id} url=${url} />`, 'jobs'),
  pages: ([id, job, place]) => at('Page', html`<${Page} id=${id} job=${job} place=${place} />`, 'jobs'),
  monitors: ([id, check]) => monitorsAt(id, check),
  sessions: ([id]) => (id ? at('Session', html`<${Session} id=${id} />`) : at('Sessions', html`<${Sessions} />`)),
  api: () => at('API', html`<${Api} />`),
  connect: () => at('Connect an agent', html`<${Connect} />`),
  usage: () => at('Usage', html`<${Usage} />`),
  playground: ([name, input]) => at('Playground', html`<${Playground} name=${name} input=${input} />`),
}

/** Ignores inherited names such as `constructor`. */
const viewOf = (name: string) => (Object.hasOwn(views, name) ? views[name] : undefined)

function monitorsAt(id: string, check: string): Place {
  if (id === '') return at('Monitors', html`<${Monitors} />`)
  if (id === 'new') return at('New monitor', html`<${NewMonitor} />`)
  return check ? at('Check', html`<${Check} id=${id} check=${check} />`) : at('Monitor', html`<${Monitor} id=${id} />`)
}

/** Returns malformed encodings unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Keys pressed before this script was loaded; see dashboard-page.html. */
declare const early: KeyboardEvent[] & { hear(event: KeyboardEvent): void }

type Theme = 'light' | 'dark' | 'system'
const themes: readonly Theme[] = ['system', 'light', 'dark']

/** If storage is unavailable, a choice lasts as long as the page. */
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
 * Shortcuts: `g` and a letter open a room, `?` opens a dialog that lists them. They can be turned off, because
 * single-letter keys interfere with speech input.
 */
export function Keys(): VNode {
  const window = useRef<HTMLDialogElement>(null)
  const [on, setOn] = useState(() => remembered('keys') !== 'off')
  // An ordinary effect runs after the first paint, so earlier key presses would be lost.
  useLayoutEffect(() => {
    let last = ''
    const leave = () => window.current?.close()
    function heed(event: KeyboardEvent): void {
      const before = last
      last = ''
      if (isWriting(event) || document.querySelector('dialog[open]')) return
      last = event.key
      const room = rooms.find(({ key }) => key === last)
      if (last === '?') window.current?.showModal()
      else if (room && before === 'g') location.hash = `#/${room.name}`
    }
    addEventListener('hashchange', leave)
    if (on) {
      for (const event of early.splice(0)) heed(event)
      addEventListener('keydown', heed)
    }
    removeEventListener('keydown', early.hear)
    return () => {
      removeEventListener('keydown', heed)
      removeEventListener('hashchange', leave)
    }
  }, [on])
  function choose({ currentTarget: { checked } }: { currentTarget: HTMLInputElement }): void {
    remember('keys', checked ? 'on' : 'off')
    setOn(checked)
  }
  return html`<button type="button" onClick=${() => window.current?.showModal()}>Keys <kbd>?</kbd></button>
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
    // The address may have changed since the first render.
    go()
    return () => removeEventListener('hashchange', go)
  }, [])
  // Views with a title of their own set it in an ordinary effect, which comes later.
  useLayoutEffect(() => {
    document.title = `${title} · Gossamer`
    const isKnown = restoreScroll()
    // Focus makes screen readers announce the view, except on the start page.
    if (hash !== '') heading.current?.focus({ preventScroll: isKnown })
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
    </nav>
    <main id="main">
      <h1 tabindex="-1" ref=${heading}>${title}</h1>
      ${isAdmin && html`<${AdminNote} />`}
      <${Fragment} key=${hash}>${view}<//>
    </main>
    <footer class="foot">
      ${user !== '' && html`<p class="who faint" title=${`key ${user} of team ${team}`}>${user}<span> · ${team}</span></p>`}
      <a href="#/connect">Connect an agent</a>
      <a href="#/api">API</a>
      <a href="#/playground/docs_search">Search the docs</a>
      <${Keys} />
      <${ThemeButton} />${user !== '' && html`<button type="button" onClick=${logOut}>Log out</button>`}
    </footer>
  `
}

/** An admin might expect to see all teams. */
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
keepScroll()
if (root) render(html`<${App} />`, root)
