import { html } from 'htm/preact'
import type { VNode } from 'preact'
import type { ShownAct } from '../../../engine/session/live-view/messages.ts'
import type { CreatedSession, ListedSession, SessionWithTabs } from '../../../schema/session-schema.ts'
import { actItem } from '../../page-elements.ts'
import { Awaited, Do, Empty, Fault, Rows, Tabs, Time, ago, plural, shortUrl } from '../parts.ts'
import { useChoice } from '../place.ts'
import { call, useAnswer } from '../server-calls.ts'

const useOpenSessions = (restMs: number) =>
  useAnswer<{ sessions: readonly ListedSession[] }>('/v2/browser?status=active', restMs)

/** Open browsers, and a way to open another. */
export function Sessions(): VNode {
  const { value, fault } = useOpenSessions(2000)
  return html`
    <div class="bar">
      <p class="faint">
        Browsers that stay open between calls. You can watch what an agent does in one, and take part.
      </p>
      <${Do} kind="primary" busy="Opening…" act=${open}>Open a browser<//>
    </div>
    <${Rows} fault=${fault} rows=${value?.sessions} row=${rowOf}>
      <${Empty} title="No browser is open">
        Open one here, or have an agent call <a href="#/playground/browser_create">browser_create</a>.
      <//>
    <//>
  `
}

const rowOf = (session: ListedSession) => html`<${Row} key=${session.id} session=${session} />`

async function open(): Promise<void> {
  const { id } = await call<CreatedSession>('POST', '/v2/browser', { body: {} })
  location.hash = `#/sessions/${id}`
}

/** A session: its page with a small picture, and its current act. Showing the session does not count as use. */
function Row({ session: { id, createdAt, lastActivity, expiresAt, liveViewUrl } }: { session: ListedSession }): VNode {
  const { value } = useAnswer<SessionWithTabs>(`/v2/browser/${id}`, 3000)
  const shot = useAnswer<{ base64: string; mimeType: string }>(`/v2/browser/${id}/screenshot`, 3000).value
  const { tabs = [], doing } = value ?? {}
  const tab = tabs.find(({ isCurrent }) => isCurrent) ?? tabs[0]
  const address = !tab || tab.url === 'about:blank' ? '' : shortUrl(tab.url)
  // An upper bound, because an idle session closes earlier.
  const minutes = Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.now()) / 60_000))
  return html`<li>
    <a class="row session-row" href=${`#/sessions/${id}`}>
      <span class="thumb">${shot && html`<img src=${`data:${shot.mimeType};base64,${shot.base64}`} alt="" />`}</span>
      <span class="two-lines">
        <b>${tab?.title || address || 'Blank page'}</b>
        <span class="faint">${address}</span>
        <span class=${doing ? 'news' : 'faint'}>${doing ?? 'Nothing is happening in it'}</span>
      </span>
      <span class="row-state faint">
        ${liveViewUrl === undefined && 'without a live view, '}opened ${ago(createdAt)}, used ${ago(lastActivity)}
      </span>
      <span class="row-end"><${Time} iso=${expiresAt} says=${`${plural(minutes, 'minute')} left at most`} /></span>
    </a>
  </li>`
}

const uses = { act: 'Take part', watch: 'Watch only' }

/** Session with its live view, for taking part or only watching. */
export function Session({ id }: { id: string }): VNode {
  const { value, fault, refresh } = useOpenSessions(3000)
  const [use, setUse] = useChoice<keyof typeof uses>('as', 'act')
  if (value === undefined) return html`<${Awaited} fault=${fault} />`
  const session = value.sessions.find((each) => each.id === id)
  if (!session)
    return html`<${Empty} title="This session is over">
        <a href="#/sessions">See which browsers are open</a>, or open a new one there.
      <//>
      <${Acts} id=${id} />`
  const close = () => call('DELETE', `/v2/browser/${id}`).then(refresh)
  // Only the path: the page may frame nothing but its own origin, and the URL has the public address of the server.
  const path = URL.parse((use === 'act' ? session.interactiveLiveViewUrl : session.liveViewUrl) ?? '')?.pathname
  return html`
    <div class="bar">
      <${Tabs} label="What you do" tabs=${uses} now=${use} choose=${setUse} />
      <div class="inline">
        ${path !== undefined && html`<a href=${path} target="_blank" rel="noopener">Open in a new window</a>`}
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

function Acts({ id }: { id: string }): VNode | false {
  const acts = useAnswer<{ acts: readonly ShownAct[] }>(`/dashboard/timelines/${id}`).value?.acts ?? []
  if (acts.length === 0) return false
  return html`<section aria-label="Timeline">
    <h2>What happened in it</h2>
    <ol class="timeline" ref=${(list: HTMLElement | null) => list?.replaceChildren(...acts.map(actItem))}></ol>
  </section>`
}
