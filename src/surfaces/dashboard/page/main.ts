import { html, render } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { logOut, user } from './api.ts'
import { dress, nextTheme, theme } from './parts/theme.ts'
import { Playground } from './playground/playground.ts'
import { Job } from './views/job.ts'
import { Jobs } from './views/jobs.ts'
import { Page } from './views/page.ts'
import { Session } from './views/session.ts'
import { Sessions } from './views/sessions.ts'
import { Usage } from './views/usage.ts'

type Room = { name: string; title: string; icon: string }

/** The places of the dashboard, in the order of the menu. */
const rooms: readonly Room[] = [
  { name: 'jobs', title: 'Jobs', icon: 'M4 6h16M4 12h16M4 18h10' },
  { name: 'sessions', title: 'Sessions', icon: 'M3 5h18v14H3zM3 9h18M6 7h.01M9 7h.01' },
  { name: 'usage', title: 'Usage', icon: 'M5 20V12M12 20V4M19 20v-6' },
  { name: 'playground', title: 'Playground', icon: 'M8 5l11 7-11 7z' },
]

type Place = { room: string; title: string; view: VNode }

function placeOf(hash: string): Place {
  const [room = '', one = '', other = ''] = hash.replace(/^#\//, '').split('/').map(decodeURIComponent)
  if (room === 'jobs' && other !== '')
    return { room, title: 'Job', view: html`<${Job} endpoint=${one} id=${other} key=${other} />` }
  if (room === 'pages') return { room: 'jobs', title: 'Page', view: html`<${Page} id=${one} key=${one} />` }
  if (room === 'sessions' && one !== '')
    return { room, title: 'Session', view: html`<${Session} id=${one} key=${one} />` }
  if (room === 'sessions') return { room, title: 'Sessions', view: html`<${Sessions} />` }
  if (room === 'usage') return { room, title: 'Usage', view: html`<${Usage} />` }
  if (room === 'playground') return { room, title: 'Playground', view: html`<${Playground} name=${one} />` }
  return { room: 'jobs', title: 'Jobs', view: html`<${Jobs} />` }
}

function App(): VNode {
  const [hash, setHash] = useState(location.hash)
  const heading = useRef<HTMLHeadingElement>(null)
  const { room, title, view } = placeOf(hash)
  useEffect(() => {
    const go = () => setHash(location.hash)
    addEventListener('hashchange', go)
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
        <${ThemeButton} />${user !== '' && html`<button type="button" onClick=${logOut}>Log out</button>`}
      </div>
    </nav>
    <main id="main">
      <h1 tabindex="-1" ref=${heading}>${title}</h1>
      ${view}
    </main>
  `
}

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
