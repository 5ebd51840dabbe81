import { html, render } from 'htm/preact'
import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState, useEffect } from 'preact/hooks'
import { rooms, placeOf } from './rooms.ts'
import { login, logOut } from './server-calls.ts'

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
