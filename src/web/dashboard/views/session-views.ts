import type { ShownAct } from '../../../engine/session/live-view/messages.ts'
import { call, usePolled } from '../server-calls.ts'
import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { Empty, Fault, ago, plural, shortUrl, Tabs, Time, Awaited, Do } from '../parts.ts'
import { useChoice } from '../place.ts'

export type LiveSession = {
  id: string
  createdAt: string
  lastActivity: string
  expiresAt: string
  liveViewUrl?: string
  interactiveLiveViewUrl?: string
}

export async function openSessions(signal: AbortSignal): Promise<readonly LiveSession[]> {
  const { sessions } = await call<{ sessions: readonly LiveSession[] }>('GET', '/v2/browser?status=active', { signal })
  return sessions
}

/** Open browsers, and a way to open another. */
export function Sessions(): VNode {
  const { value, fault } = usePolled(openSessions, 2000, '')
  return html`
    <div class="bar">
      <p class="faint">
        Browsers that stay open between calls. You can watch what an agent does in one, and take part.
      </p>
      <${Do} kind="primary" busy="Opening…" act=${open}>Open a browser<//>
    </div>
    <${Awaited} value=${value} fault=${fault} />
    ${
      value?.length === 0 &&
      html`<${Empty} title="No browser is open">
        Open one here, or have an agent call <a href="#/playground/browser_create">browser_create</a>.
      <//>`
    }
    <ul class="rows">
      ${value?.map((session) => html`<${Row} key=${session.id} session=${session} />`)}
    </ul>
  `
}

async function open(): Promise<void> {
  const { id } = await call<{ id: string }>('POST', '/v2/browser', { body: {} })
  location.hash = `#/sessions/${id}`
}

type Now = { tabs: readonly { url: string; title: string; isCurrent: boolean }[]; doing?: string }
type Seen = Now & { picture: string | undefined }

/** Neither call counts as use of the session. */
async function lookAt(id: string, signal: AbortSignal): Promise<Seen> {
  const [now, shot] = await Promise.all([
    call<Now>('GET', `/v2/browser/${id}`, { signal }),
    call<{ base64: string; mimeType: string }>('GET', `/v2/browser/${id}/screenshot`, { signal }).catch(
      () => undefined,
    ),
  ])
  return { ...now, picture: shot && `data:${shot.mimeType};base64,${shot.base64}` }
}

function shownPage({ tabs = [] }: Partial<Now>) {
  const tab = tabs.find(({ isCurrent }) => isCurrent) ?? tabs[0]
  const address = !tab || tab.url === 'about:blank' ? '' : shortUrl(tab.url)
  return { title: tab?.title || address || 'Blank page', address }
}

/** A session as people know it: its page, with a small picture, and what is done there. */
function Row({ session: { id, createdAt, lastActivity, expiresAt, liveViewUrl } }: { session: LiveSession }): VNode {
  const { value } = usePolled((signal) => lookAt(id, signal), 3000, id)
  const { picture, doing = 'Nothing is done in it now', ...page } = value ?? {}
  const { title, address } = shownPage(page)
  return html`<li>
    <a class="row session-row" href=${`#/sessions/${id}`}>
      <span class="thumb">${picture && html`<img src=${picture} alt="" />`}</span>
      <span class="two-lines">
        <b>${title}</b>
        <span class="faint">${address}</span>
        <span class=${value?.doing ? 'news' : 'faint'}>${doing}</span>
      </span>
      <span class="row-state faint">
        ${liveViewUrl === undefined && 'without a live view, '}opened ${ago(createdAt)}, used ${ago(lastActivity)}
      </span>
      <span class="row-end"><${Time} iso=${expiresAt} says=${timeLeft(expiresAt)} /></span>
    </a>
  </li>`
}

/** Idle sessions close earlier. */
function timeLeft(expiresAt: string): string {
  const minutes = Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.now()) / 60_000))
  return `${plural(minutes, 'minute')} left at most`
}

type Use = 'act' | 'watch'

/** Session with its live view, for taking part or only watching. */
export function Session({ id }: { id: string }): VNode {
  const find = async (signal: AbortSignal) => (await openSessions(signal)).find((each) => each.id === id) ?? 'over'
  const { value, fault, refresh } = usePolled(find, 3000, id)
  const [use, setUse] = useChoice<Use>('as', 'act')
  if (value === undefined) return html`<${Awaited} fault=${fault} />`
  if (value === 'over')
    return html`<${Empty} title="This session is over">
        <a href="#/sessions">See which browsers are open</a>, or open a new one there.
      <//>
      <${Acts} id=${id} />`
  const close = () => call('DELETE', `/v2/browser/${id}`).then(refresh)
  const path = pathOf(value, use)
  const uses = { act: 'Take part', watch: 'Watch only' }
  return html`
    <div class="bar">
      <${Tabs} label="What you do" tabs=${uses} now=${use} choose=${setUse} />
      <div class="inline">
        ${path !== undefined && html`<a href=${path} target="_blank" rel="noopener">Own window</a>`}
        <${Do} kind="danger" act=${close}>Close the browser<//>
      </div>
    </div>
    <${Fault} of=${fault} />
    ${
      path === undefined
        ? html`<${Empty} title="This session has no live view">It was opened with streamWebView: false.<//>`
        : html`<iframe
            class="live"
            key=${path}
            src=${path}
            title="Live view of the session"
            allow="clipboard-read; clipboard-write"
          ></iframe>`
    }
  `
}

/** Acts of a session that has ended. */
function Acts({ id }: { id: string }): VNode | false {
  const ask = (signal: AbortSignal) =>
    call<{ acts: readonly ShownAct[] }>('GET', `/dashboard/timelines/${id}`, { signal })
  const { value } = usePolled(ask, 0, id)
  if (!value?.acts.length) return false
  return html`<section aria-label="Timeline">
    <h2>What was done in it</h2>
    <ol class="acts">
      ${value.acts.map(
        ({ n, at, text, hasFailed, picture }) =>
          html`<li key=${n}>
            <${Time} iso=${new Date(at).toISOString()} says=${clock.format(at)} />
            <span class=${hasFailed ? 'bad-text' : ''}>${text}${hasFailed && ' – failed'}</span>
            ${picture && html`<img class="picture" src=${picture} alt="The page after it" />`}
          </li>`,
      )}
    </ol>
  </section>`
}

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' })

/** The URL contains the public address of the server, but the page may only frame its own origin. */
function pathOf({ liveViewUrl, interactiveLiveViewUrl }: LiveSession, use: Use): string | undefined {
  return URL.parse((use === 'act' ? interactiveLiveViewUrl : liveViewUrl) ?? '')?.pathname
}
