import { html, render } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isAdmin, logOut, team, user } from './api.ts'
import { Keys } from './keys.ts'
import { dress, nextTheme, theme } from './parts/theme.ts'
import { placeOf, rooms } from './places.ts'

function App(): VNode {
  const [hash, setHash] = useState(location.hash)
  const heading = useRef<HTMLHeadingElement>(null)
  const { room, title, view } = placeOf(hash)
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
    This is the admin key. You see what the team <b>${team}</b> does, and nothing of other teams: log in with a key of
    theirs for that. <a href="#/playground/admin_teams">List the teams</a>
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
    const next = nextTheme(now)
    dress(next)
    setNow(next)
  }
  return html`<button type="button" onClick=${turn}>${names[now]}</button>`
}

const root = document.getElementById('app')
dress(theme())
if (root) render(html`<${App} />`, root)
