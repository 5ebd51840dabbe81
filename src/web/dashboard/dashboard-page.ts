import { html, render } from 'htm/preact'
import { Fragment, type VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { call, login } from './server-calls.ts'
import { later, type View } from './parts.ts'
import { keepScroll, restoreScroll } from './place.ts'
import { Jobs } from './views/job-list.ts'

/** Sections of the dashboard, in menu order. Shortcut: `g`, then the key. */
const sections: readonly { name: string; title: string; icon: string; key: string }[] = [
  { name: 'jobs', title: 'Jobs', icon: 'M4 6h16M4 12h16M4 18h10', key: 'j' },
  { name: 'monitors', title: 'Monitors', icon: 'M12 7v5l3 3M12 3a9 9 0 1 0 9 9M16 3.9l5 .1-1 5', key: 'm' },
  { name: 'sessions', title: 'Sessions', icon: 'M3 5h18v14H3zM3 9h18M6 7h.01M9 7h.01', key: 's' },
  { name: 'usage', title: 'Usage', icon: 'M5 20V12M12 20V4M19 20v-6', key: 'u' },
  { name: 'playground', title: 'Playground', icon: 'M8 5l11 7-11 7z', key: 'p' },
]

/**
 * Views by their address. A colon precedes an id and a star any text; parts in brackets are optional. The last entry is
 * the section in the menu, if it is not the first word of the address.
 */
const routes = (
  [
    ['jobs/:endpoint/:id', 'Job', async () => (await import('./views/job-view.ts')).Job],
    ['why/:endpoint/:id[/*url]', 'Why it failed', async () => (await import('./views/why-view.ts')).Why, 'jobs'],
    ['pages/:id[/:job/:place]', 'Page', async () => (await import('./views/read-page-view.ts')).Page, 'jobs'],
    ['monitors', 'Monitors', async () => (await import('./views/monitors/monitor-views.ts')).Monitors],
    ['monitors/new', 'New monitor', async () => (await import('./views/monitors/new-monitor.ts')).NewMonitor],
    ['monitors/:id', 'Monitor', async () => (await import('./views/monitors/monitor-views.ts')).Monitor],
    ['monitors/:id/:check', 'Check', async () => (await import('./views/monitors/check-view.ts')).Check],
    ['sessions', 'Sessions', async () => (await import('./views/session-views.ts')).Sessions],
    ['sessions/:id', 'Session', async () => (await import('./views/session-views.ts')).Session],
    ['usage', 'Usage', async () => (await import('./views/usage-view.ts')).Usage],
    ['playground[/:name[/*input]]', 'Playground', async () => (await import('./views/playground.ts')).Playground],
    ['connect', 'Connect an agent', async () => (await import('./views/connect-view.ts')).Connect],
    ['api', 'API', async () => (await import('./views/playground.ts')).Api],
  ] satisfies [address: string, title: string, load: () => Promise<View<never>>, section?: string][]
).map(([address, title, load, section]) => ({ pattern: patternOf(address), title, view: later<never>(load), section }))

/** Ids may contain only word characters and `-`: they become parts of API paths, and must not lead to another route. */
function patternOf(address: string): RegExp {
  const optional = address.replaceAll('[', '(?:').replaceAll(']', ')?')
  return new RegExp(`^${optional.replace(/:(\w+)/g, '(?<$1>[\\w-]+)').replace(/\*(\w+)/, '(?<$1>.+)')}$`)
}

/** Returns the view of an address such as `#/section/…`; the list of jobs for an unknown address. */
function placeOf(hash: string): { section: string; title: string; view: VNode } {
  const path = hash.replace(/^#\/|\?.*/g, '')
  for (const { pattern, title, view, section = path.split('/')[0] ?? '' } of routes) {
    const match = pattern.exec(path)
    if (!match) continue
    const props = Object.entries(match.groups ?? {}).map(([name, text]) => [name, text && decoded(text)])
    return { section, title, view: html`<${view} ...${Object.fromEntries(props)} />` }
  }
  return { section: 'jobs', title: 'Jobs', view: html`<${Jobs} />` }
}

/** Returns a text with a malformed encoding unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Keys pressed before this script was loaded; see dashboard-page.html. */
declare const early: KeyboardEvent[] & { record(event: KeyboardEvent): void }

type Theme = 'light' | 'dark' | 'system'
const themes: readonly Theme[] = ['system', 'light', 'dark']

/** Returns a stored choice, after storing a new value if there is one; null if the browser stores nothing. */
function stored(name: 'theme' | 'keys', value?: string): string | null {
  try {
    if (value !== undefined) localStorage.setItem(`gossamer-${name}`, value)
    return localStorage.getItem(`gossamer-${name}`)
  } catch {
    return null
  }
}

function applyTheme(choice: Theme): void {
  document.documentElement.dataset['theme'] = choice
  stored('theme', choice)
}

const theme = () => themes.find((each) => each === stored('theme')) ?? 'system'

/**
 * Shortcuts: `g` and a letter open a section; `?` opens a dialog with all shortcuts. They can be turned off, because
 * shortcuts of single letters interfere with speech input.
 */
function Keys(): VNode {
  const window = useRef<HTMLDialogElement>(null)
  const [on, setOn] = useState(() => stored('keys') !== 'off')
  // A layout effect, because an ordinary one runs after the first paint, and key presses before it would be lost.
  useLayoutEffect(() => {
    let last = ''
    const leave = () => window.current?.close()
    function handle(event: KeyboardEvent): void {
      const before = last
      last = ''
      if (isWriting(event) || document.querySelector('dialog[open]')) return
      last = event.key
      const section = sections.find(({ key }) => key === last)
      if (last === '?') window.current?.showModal()
      else if (section && before === 'g') location.hash = `#/${section.name}`
    }
    addEventListener('hashchange', leave)
    if (on) {
      for (const event of early.splice(0)) handle(event)
      addEventListener('keydown', handle)
    }
    removeEventListener('keydown', early.record)
    return () => {
      removeEventListener('keydown', handle)
      removeEventListener('hashchange', leave)
    }
  }, [on])
  function choose({ currentTarget: { checked } }: { currentTarget: HTMLInputElement }): void {
    stored('keys', checked ? 'on' : 'off')
    setOn(checked)
  }
  return html`<button type="button" onClick=${() => window.current?.showModal()}>Shortcuts <kbd>?</kbd></button>
    <dialog ref=${window} aria-labelledby="keys-title">
      <h2 id="keys-title">Keyboard shortcuts</h2>
      <dl class="keys">
        ${[
          ['?', 'Show the shortcuts'],
          ...sections.map(({ key, title }) => [`g ${key}`, title]),
          ['Esc', 'Close a dialog'],
        ].map(
          ([keys = '', does]) =>
            html`<div key=${keys}>
              <dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</dt>
              <dd>${does}</dd>
            </div>`,
        )}
      </dl>
      <label class="check"
        ><input type="checkbox" checked=${on} onChange=${choose} /> Use single-letter shortcuts</label
      >
      <form method="dialog"><button class="primary">Close</button></form>
    </dialog>`
}

const isWriting = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  ctrlKey || metaKey || altKey || (target instanceof Element && target.matches('input, select, textarea'))

function App(): VNode {
  const [hash, setHash] = useState(location.hash)
  const heading = useRef<HTMLHeadingElement>(null)
  const { section, title, view } = placeOf(hash)
  const { user, team, isAdmin } = login()
  useEffect(() => {
    const go = () => setHash(location.hash)
    addEventListener('hashchange', go)
    // The address may have changed since the first render.
    go()
    return () => removeEventListener('hashchange', go)
  }, [])
  // Runs before the ordinary effects, in which some views set a title of their own.
  useLayoutEffect(() => {
    document.title = `${title} · Gossamer`
    const isKnown = restoreScroll()
    // Focus makes screen readers announce the view, except on the start page.
    if (hash !== '') heading.current?.focus({ preventScroll: isKnown })
  }, [hash])
  return html`
    <a class="skip" href="#main" onClick=${(event: Event) => skip(event, heading.current)}>Skip to content</a>
    <nav aria-label="Sections">
      <a class="brand" href="#/">${logo()}<span>Gossamer</span></a>
      ${sections.map(
        ({ name, title: label, icon }) =>
          html`<a
            key=${name}
            class="menu-item"
            href=${`#/${name}`}
            aria-current=${name === section ? 'page' : undefined}
          >
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

async function logOut(): Promise<void> {
  await call('POST', '/dashboard/logout')
  location.reload()
}

/** Explains to an admin, who may expect to see all teams, that only one is shown. */
const AdminNote = () =>
  html`<p class="note">
    This is the admin key. You see what the team <b>${login().team}</b> does, and nothing of other teams: to see those,
    log in with one of their keys. <a href="#/playground/admin_teams">List the teams</a>
  </p>`

function skip(event: Event, to: HTMLElement | null): void {
  event.preventDefault()
  to?.focus()
}

const logo = () =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true">
    <path d="M12 3v18M4.2 7.5l15.6 9M4.2 16.5l15.6-9M12 7.5l3.9 2.2v4.6L12 16.5l-3.9-2.2V9.7z" />
  </svg>`

function ThemeButton(): VNode {
  const [now, setNow] = useState(theme)
  const turn = () => {
    const next = themes[(themes.indexOf(now) + 1) % themes.length] ?? 'system'
    applyTheme(next)
    setNow(next)
  }
  return html`<button type="button" onClick=${turn}>Theme: ${now}</button>`
}

const root = document.getElementById('app')
applyTheme(theme())
keepScroll()
if (root) render(html`<${App} />`, root)
